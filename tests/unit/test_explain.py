"""Explanations as people see them: text, trees, pictures, the command."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from isolog.cli.app import main
from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.explain import Explainer, explain
from isolog.correspondence.proof_tree import proof_tree
from isolog.correspondence.proofs import recheck
from isolog.correspondence.slices import network_slice
from isolog.datalog.parser import parse
from isolog.errors import InputError
from isolog.facts.dataset import Dataset
from isolog.facts.files import write_facts
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.model_folder import write_model
from isolog.report.svg import proof_svg
from isolog.report.text import explanation_lines
from support.handmade import handmade

FATHER = parse("@signature parent/2, male/1, father/2. father(X, Y) :- parent(X, Y), male(X).")
NETWORK = compile_encoded(FATHER, "pairs").network
FAMILY = Dataset.from_facts(
    [Atom("parent", ("bob", "ann")), Atom("male", ("bob",)), Atom("parent", ("eve", "ann")), Atom("male", ("ian",))]
)
FACT = Atom("father", ("bob", "ann"))


def test_a_father_is_explained() -> None:
    found = explain(NETWORK, FAMILY, "father(bob, ann)")
    assert found is not None and found.minimal and found.user_atoms == 2
    assert set(found.facts) == {Atom("parent", ("bob", "ann")), Atom("male", ("bob",))}
    lines = list(explanation_lines(found))
    assert lines[:2] == ["father(bob, ann)", "  by  father(X, Y) :- male(X), parent(X, Y)."]
    assert "  no fewer than 2 facts will do" in lines and lines[-1].endswith("male(bob)")
    assert recheck(found.proof)


def test_a_tree_ends_in_facts() -> None:
    found = explain(NETWORK, FAMILY, FACT)
    assert found is not None
    tree = proof_tree(found.proof).as_json()
    leaves = [tree]
    for each in leaves:
        leaves += each["premises"]
    assert {each["conclusion"] for each in leaves if each["by"] == "data"} == {"parent(bob, ann)", "male(bob)"}
    picture = ElementTree.fromstring(proof_svg(proof_tree(found.proof)))
    assert picture.tag.endswith("svg") and "father(bob, ann)" in "".join(picture.itertext())


def test_a_proof_with_a_wrong_step_is_noticed() -> None:
    found = Explainer(NETWORK, FAMILY).explain(FACT)
    assert found is not None and recheck(found.proof)
    object.__setattr__(found.proof.root.uses[0].step, "value", found.proof.root.uses[0].step.value + 1)
    assert not recheck(found.proof)


def test_what_cannot_be_explained() -> None:
    assert explain(NETWORK, FAMILY, "father(ian, ann)") is None
    with pytest.raises(InputError, match="E491 the network derives no `fater/2`"):
        explain(NETWORK, FAMILY, "fater(ian, ann)")
    with pytest.raises(InputError, match="E101"):
        explain(NETWORK, FAMILY, "father(X, ann)")


def test_a_slice_has_what_the_output_reads() -> None:
    part = network_slice(NETWORK, NETWORK.features.index("father/2"))
    assert {part.network.features[j] for j in part.read.nonzero()[0]} == {"parent/2", "male/1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_model(NETWORK, tmp_path / "model")
    write_facts(FAMILY, tmp_path / "family.dl")
    return tmp_path


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["explain", *words])
    return code, capsys.readouterr().out


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = str(folder / "model"), str(folder / "family.dl")
    pages = ["--svg", str(folder / "p.svg"), "--html", str(folder / "p.html")]
    code, out = command(capsys, *where, "father(bob, ann)", "--json", *pages)
    said = json.loads(out)
    assert code == 0 and said["user_atoms"] == 2 and said["minimal"] is True
    assert said["rule"] == "father(X, Y) :- male(X), parent(X, Y)." and said["proof"]["conclusion"] == said["fact"]
    assert (folder / "p.svg").read_text("utf-8").startswith("<svg")
    assert "father(X, Y) :- male(X), parent(X, Y)." in (folder / "p.html").read_text("utf-8")
    code, out = command(capsys, *where, "--all")
    assert code == 0 and out.startswith("father(bob, ann)\n")


def test_the_command_says_what_is_missing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = str(folder / "model"), str(folder / "family.dl")
    assert command(capsys, *where, "father(eve, ann)")[0] == 3
    code, out = command(capsys, *where, "father(eve, ann)", "--why-not", "--json")
    said = json.loads(out)
    assert code == 0 and said["missing"] == ["male(eve)"] and said["fewest"] is True and said["derived"] is False
    assert command(capsys, *where)[0] == 2


def test_the_closest_rules_are_shown_with_what_each_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "p(X) :- a(X), b(X). p(X) :- c(X), r(X, Y). p(X) :- d(X), e(X), r(X, Y), a(Y)."
    program = parse(f"@signature a/1, b/1, c/1, d/1, e/1, p/1, r/2. {rules}")
    write_model(compile_encoded(program, "pairs").network, tmp_path / "m")
    write_facts(Dataset.from_facts([Atom("a", ("n",)), Atom("e", ("n",))]), tmp_path / "f.dl")
    ask = [str(tmp_path / "m"), str(tmp_path / "f.dl"), "p(n)", "--why-not"]
    code, out = command(capsys, *ask)
    assert code == 0 and out == (
        "p(n) would be derived with one fact more\n"
        "  by  p(X) :- a(X), b(X).\n"
        "  +   b(n)\n"
        "  on  a(n)\n"
        "  no fewer will do\n"
        "or with 2 facts more\n"
        "  by  p(X) :- c(X), r(X, Y).\n"
        "  +   c(n)\n"
        "  +   r(n, n)\n"
    )
    said = json.loads(command(capsys, *ask, "--json")[1])
    assert said["missing"] == ["b(n)"] and [way["missing"] for way in said["others"]] == [["c(n)", "r(n, n)"]]
    assert said["others"][0]["rule"] == "p(X) :- c(X), r(X, Y)."


@pytest.mark.parametrize(("encoding", "steps"), [("pairs:2", 2), ("paths:3", 3)])
def test_a_vertex_is_there_because_of_links_between_others(encoding: str, steps: int) -> None:
    signature = Signature.of([], ["r", "s"])
    network = handmade(encoding, signature, [{"s/2": {"bias": 1}}])
    row = [Atom("r", (f"n{place}", f"n{place + 1}")) for place in range(5)]
    found = explain(network, Dataset.from_facts(row), Atom("s", ("n0", f"n{steps}")))
    assert found is not None and set(found.facts) == {*row[:steps]} and recheck(found.proof)
