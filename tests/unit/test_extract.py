"""Extraction as users meet it: forms, budgets, what the text says, and that it says the same every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import isolog
from isolog.cli.app import main
from isolog.correspondence.extracted import Extracted
from isolog.datalog.parser import parse
from isolog.errors import InputError
from isolog.facts.family import generate_family
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Layer, Network
from support.family_network import PROGRAM, family_network

KEYS = {
    "form",
    "complete",
    "complete_up_to_atoms",
    "rules",
    "derivations",
    "concept_nodes",
    "bracket",
    "seconds",
}


def counting_network() -> Network:
    """A unit with at least four of A, B and their neighbours by r and s, over which a vertex sums once more."""
    signature = Signature.of(["A", "B"], ["r", "s"])
    first = Layer.from_fractions([[1, 1]], [[[1, 2]], [[2, 1]]], [-2], SUM)
    second = Layer.from_fractions([[1], [0]], [[[1], [1]], [[0], [1]]], [0, 0], MAX)
    return Network.canonical(signature, [first, second], 2)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model folder."""
    isolog.write_model(counting_network(), tmp_path / "model")
    return tmp_path / "model"


def test_the_family_program_comes_back() -> None:
    found = isolog.extract(family_network())
    assert found.complete and found.program.rules == parse(PROGRAM).rules
    assert (found.rules, found.derivations, found.bracket) == (2, 2, "exact")


@pytest.mark.parametrize("form", ["flat", "layered", "cover"])
def test_the_text_is_the_program(form: str) -> None:
    family = generate_family(100, 1).facts
    found = isolog.extract(family_network(), form=form, data=family if form == "cover" else None)
    text = "".join(found.lines("Extracted from\nsomewhere."))
    assert text.startswith("% Extracted from\n% somewhere.\n% The network has sha256 ")
    assert parse(text) == found.program
    assert next(line for line in text.splitlines() if not line.startswith("%")).startswith("@signature person/1")
    assert isolog.run(parse(text), family) == isolog.predict(family_network(), family)


def test_a_budget_says_how_far_it_came() -> None:
    whole = isolog.extract(counting_network(), max_rules=10_000)
    assert whole.complete and whole.complete_up_to_atoms is None
    assert whole.derivations > whole.rules == len(whole.program) > 50
    few = isolog.extract(counting_network(), max_rules=20)
    assert not few.complete and few.rules <= 20
    assert "Complete up to" in str(few) and "but not always all of it" in str(few)
    assert few.derivations == whole.derivations
    none = isolog.extract(counting_network(), seconds=0)
    assert not none.complete and none.rules == 0 and none.complete_up_to_atoms == 2


@pytest.mark.parametrize("atoms", [4, 5, 6])
def test_no_rule_has_more_atoms_than_asked_for(atoms: int) -> None:
    found = isolog.extract(counting_network(), max_atoms=atoms, expand_counts=True)
    assert not found.complete and found.complete_up_to_atoms == atoms
    assert found.rules and all(len(rule.body_atoms) <= atoms for rule in found.program)


def test_counts_are_expanded_on_request() -> None:
    assert "#count" in str(isolog.extract(family_network()))
    text = str(isolog.extract(family_network(), expand_counts=True))
    assert "#count" not in text and "Y2 != Y3" in text


def test_only_the_predicates_asked_for() -> None:
    found = isolog.extract(family_network(), predicate=["large_family/1"])
    assert {rule.head.name for rule in found.program} == {"large_family"}
    assert "of large_family/1 only" in str(found)
    with pytest.raises(InputError, match=r"E453 the network does not derive `parent/2` \(the network reads it\)"):
        isolog.extract(family_network(), predicate=["parent/2"])


def test_requests_that_say_nothing() -> None:
    with pytest.raises(InputError, match="E450"):
        isolog.extract(family_network(), form="tree")
    with pytest.raises(InputError, match="E451 a cover needs data"):
        isolog.extract(family_network(), form="cover")
    with pytest.raises(InputError, match="E451 a flat program needs no data"):
        isolog.extract(family_network(), data=isolog.Dataset.empty())


def test_a_layered_program_says_what_its_predicates_mean() -> None:
    found = isolog.extract(counting_network(), form="layered")
    assert "% unit_1_1_at_least_2: unit 1 of layer 1 is at least 2.\n" in str(found)
    assert all(line.startswith("%") or "part_" not in line for line in found.lines())


def test_a_cover_says_what_each_rule_derives() -> None:
    family = generate_family(100, 1).facts
    found = isolog.extract(family_network(), form="cover", data=family)
    derived = isolog.predict(family_network(), family)
    assert found.complete and found.support is not None and sum(found.support) == len(derived)
    first = isolog.extract(family_network(), form="cover", data=family, max_rules=1)
    assert not first.complete and first.support == found.support[:1]
    assert "Not all facts" in str(first)


def test_brackets_are_programs_of_rounded_networks() -> None:
    third = Layer.from_fractions([[Fraction(1, 3), 1]], [], [0])
    last = Layer.from_fractions([[3], [0]], [], [0, 0])
    network = Network.canonical(Signature.of(["A", "B"]), [third, last])
    data = isolog.Dataset.from_facts([isolog.Atom("A", ("a",)), isolog.Atom("B", ("b",))])
    sound, whole = isolog.extract(network, bracket="sound"), isolog.extract(network, bracket="complete", data=data)
    assert (sound.bracket, whole.bracket, isolog.extract(network).bracket) == ("sound", "complete", "exact")
    exact = isolog.predict(network, data)
    assert isolog.run(sound.program, data) <= exact <= isolog.run(whole.program, data)
    assert "Rounded down to multiples of 2^-" in str(sound) and "the rounded network" in str(sound)
    assert "facts lie between" in str(whole)
    assert isolog.extract(counting_network(), bracket="sound", max_rules=3).bracket == "exact"


def test_the_command_prints_one_json_object(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(model), "--json", "--max-rules", "5"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found.keys() == KEYS | {"program"}
    assert found["derivations"].isdigit() and found["complete"] is False
    assert printed.err == f"{int(found['derivations']):,} derivations\n"
    assert set(Extracted.__dataclass_fields__) >= KEYS


def test_the_command_writes_a_file(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = model.parent / "rules.dl"
    assert main(["extract", str(model), "-o", str(target), "--json", "--form", "layered", "--quiet"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["output"] == str(target) and printed.err == ""
    assert target.read_text("utf-8").startswith("% Extracted from model.\n")
    assert main(["extract", str(model), "-o", str(target), "--max-rules", "7"]) == 0
    assert "complete up to" in capsys.readouterr().err
    assert sorted(path.name for path in model.parent.iterdir()) == ["model", "rules.dl"]


def test_the_command_covers_data(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = model.parent / "facts.dl"
    facts.write_text("A(a). B(a). A(b). B(b). r(a, b). s(a, b). s(b, a).\n", encoding="utf-8")
    assert main(["extract", str(model), "--form", "cover", "--data", str(facts), "--json", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    derived = isolog.predict(counting_network(), isolog.read_facts(str(facts)))
    assert isolog.run(parse(found["program"]), isolog.read_facts(str(facts))) == derived
    assert found["complete"] is True and len(found["support"]) == found["rules"]


def test_two_processes_print_the_same_bytes(model: Path) -> None:
    facts = model.parent / "facts.dl"
    facts.write_text("A(a). B(a). A(b). B(b). r(a, b). s(a, b). s(b, a).\n", encoding="utf-8")
    forms = [[], ["--form", "layered"], ["--form", "cover", "--data", str(facts)]]
    program = f"from isolog.cli.app import main\nfor form in {forms}: main(['extract', {str(model)!r}, *form])"
    texts = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1] and texts[0].count(b"@signature") == 3
