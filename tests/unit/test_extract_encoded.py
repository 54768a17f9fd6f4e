"""The verb extract on encoded models: programs over the user's predicates, in every form."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from isolog.cli.app import main
from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.extract import extract
from isolog.correspondence.transformation import predict
from isolog.datalog.parser import parse
from isolog.datalog.printer import print_rule
from isolog.engines.reference import run
from isolog.errors import InputError, LimitError
from isolog.facts.family import generate_family
from isolog.facts.files import read_facts, write_facts
from isolog.networks.foreign import read_foreign
from isolog.networks.model_folder import write_model
from isolog.networks.network import EncodingName

PROGRAM = parse(
    """
    @signature parent/2, male/1, father/2, grandparent/2, busy/1.
    father(X, Y) :- parent(X, Y), male(X).
    grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
    busy(X) :- #count{Y : parent(X, Y)} >= 3.
    """
)
RULES = {
    "father(X, Y) :- parent(X, Y), male(X).",
    "grandparent(X, Y) :- parent(X, Z), parent(Z, Y).",
    "busy(X) :- parent(X, Y), parent(X, Z), parent(X, W), Y != Z, Y != W, Z != W.",
}
EXPANDED = replace(PROGRAM, rules=(*PROGRAM.rules[:2], *parse(
    "busy(X) :- parent(X, Y), parent(X, Z), parent(X, V), Y != Z, Y != V, Z != V."
).rules))  # fmt: skip
NETWORK = compile_encoded(EXPANDED, "paths").network
FACTS = generate_family(persons=50, seed=2).facts.only(
    [each for each in PROGRAM.signature.predicates if each.name in ("parent", "male")] if PROGRAM.signature else []
)


def test_flat_is_what_was_compiled() -> None:
    found = extract(NETWORK)
    assert found.complete and found.rules == 3 and found.form == "flat"
    assert run(found.program, FACTS) == run(PROGRAM, FACTS) == predict(NETWORK, FACTS)
    assert {print_rule(rule) for rule in found.program if rule.head.predicate not in found.program.auxiliary} == RULES
    assert "Complete: this is the whole program, 3 rules" in str(found) and "all user datasets" in str(found)
    assert parse(str(found)) == found.program


@pytest.mark.parametrize("form", ["flat", "layered", "cover"])
@pytest.mark.parametrize("expand_counts", [False, True])
def test_every_form_derives_the_same(form: str, expand_counts: bool) -> None:
    data = FACTS if form == "cover" else None
    found = extract(NETWORK, form=form, data=data, expand_counts=expand_counts)  # type: ignore[arg-type]
    assert found.complete and run(found.program, FACTS) == predict(NETWORK, FACTS)
    assert not expand_counts or "#count" not in str(found)


def test_one_predicate() -> None:
    found = extract(NETWORK, predicate=["father/2"])
    assert found.rules == 1 and "of father/2 only" in str(found)
    with pytest.raises(InputError, match="E453 the network does not derive `fater/2`"):
        extract(NETWORK, predicate=["fater/2"])


def test_a_cover_says_what_each_rule_derives() -> None:
    found = extract(NETWORK, form="cover", data=FACTS)
    assert found.support is not None and sum(found.support) == len(predict(NETWORK, FACTS))
    assert list(found.support) == sorted(found.support, reverse=True)


def test_brackets_of_a_network_on_the_grid_are_exact() -> None:
    assert extract(NETWORK, bracket="sound").bracket == "exact"


def test_canonical_rules_stay_available() -> None:
    found = extract(NETWORK, canonical=True, max_atoms=3)
    assert found.program.signature is not None and "c5" in found.program.signature.binary


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_model(NETWORK, tmp_path / "model")
    write_facts(FACTS, tmp_path / "facts.dl")
    assert main(["extract", str(tmp_path / "model"), "--json", "-o", str(tmp_path / "program.dl"), "--quiet"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["complete"] is True and said["rules"] == 3 and said["derivations"].isdigit()
    run_it = ["run", str(tmp_path / "program.dl"), str(tmp_path / "facts.dl"), "--quiet", "--format", ":dl"]
    assert main(run_it) == 0
    ran = capsys.readouterr().out
    assert main(["predict", str(tmp_path / "model"), str(tmp_path / "facts.dl"), "--quiet", "--format", ":dl"]) == 0
    assert capsys.readouterr().out == ran != ""


@pytest.mark.data
def test_a_network_with_too_many_concepts_is_searched_directly(data: Path) -> None:
    file = data / "peer-models/fb237v1_maxmax_without_dummies.json"
    network = read_foreign(file, probability=Fraction(1, 10), encoding=EncodingName("pairs"))
    found = extract(network, max_atoms=2)
    assert (found.rules, found.complete, found.complete_up_to_atoms, found.derivations) == (6, False, 2, None)
    facts = read_facts(data / "grail/fb237v1/test_graph.tsv.gz")
    assert len(run(found.program, facts) - predict(network, facts)) == 0
    with pytest.raises(LimitError, match="E420"):
        extract(network, form="layered")
