"""`support` and `run --support`: per rule what it derives, and how much of it is true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from isolog.cli.app import main
from isolog.datalog.foreign_rules import read_rules
from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program
from isolog.engines.reference import run
from isolog.engines.support import RuleSupport, support
from isolog.errors import InputError
from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts
from isolog.facts.terms import Atom
from support.small_programs import small_datasets, small_programs

PROGRAM = """@auxiliary near/2.
near(X, Y) :- r(X, Y).
near(X, Y) :- r(Y, X).
s(X, Y) :- near(X, Y).
s(X, X) :- r(X, _).
r(X, Y) :- r(X, Y).
p(X) :- q(X).
"""
DATA = "r(a, b). r(b, c). s(b, a). s(a, b)."


def facts(text: str) -> Dataset:
    """The facts of a program without bodies."""
    return Dataset.from_facts(rule.head for rule in parse(text))


def test_each_rule_has_its_own_counts() -> None:
    assert support(parse(PROGRAM), facts(DATA)) == (
        RuleSupport("s(X, Y) :- near(X, Y).", 4, 2, 2),
        RuleSupport("s(X, X) :- r(X, _).", 2, 2, 0),
        RuleSupport("r(X, Y) :- r(X, Y).", 2, 0, 2),
        RuleSupport("p(X) :- q(X).", 0, 0, 0),
    )


def test_truth_may_be_told() -> None:
    found = support(parse(PROGRAM), facts(DATA), truth=facts("s(b, c). s(c, b). s(a, a). r(a, d)."))
    assert [each.correct for each in found] == [2, 1, 0, 0]
    assert [each.precision for each in found] == [0.5, 0.5, 0.0, None]


def test_more_rules_than_one_run_takes() -> None:
    program = parse("".join(f"p{n}(X) :- r(X, _). p{n}(X) :- r(_, X)." for n in range(40)))
    found = support(program, facts("r(a, b). r(a, c). p7(a)."))
    assert [each.derived for each in found] == [1, 2] * 40
    assert [each.rule for each in found if each.correct] == ["p7(X) :- r(X, _)."]


def test_the_signature_holds() -> None:
    program = parse("@signature q/1. p(X) :- true.")
    with pytest.raises(InputError, match="E102"):
        support(program, facts("q(a). z(b)."))
    assert support(program, facts("q(a). z(b)."), ignore_unknown=True)[0].derived == 1


@settings(max_examples=30)
@given(small_programs(), small_datasets())
def test_rules_derive_what_they_derive_alone(program: Program, dataset: Dataset) -> None:
    auxiliary = [rule for rule in program if rule.head.predicate in program.auxiliary]
    rules = [rule for rule in program if rule.head.predicate not in program.auxiliary]
    for rule, found in zip(rules, support(program, dataset), strict=True):
        alone = run(Program((*auxiliary, rule), program.auxiliary), dataset)
        assert (found.derived, found.new) == (len(alone), len(alone - dataset))
        assert found.correct == found.derived - found.new


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, data = tmp_path / "p.dl", tmp_path / "d.dl"
    program.write_text(PROGRAM)
    data.write_text(DATA)
    assert main(["run", str(program), str(data), "--support", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["derived"] == 8
    assert said["support"][0] == {
        "rule": "s(X, Y) :- near(X, Y).",
        "derived": 4,
        "new": 2,
        "correct": 2,
        "precision": 0.5,
    }
    assert said["support"][3]["precision"] is None
    assert main(["run", str(program), str(data), "--support", "-o", str(tmp_path / "out.dl")]) == 0
    assert "4        2    2        0.5000     s(X, Y) :- near(X, Y)." in capsys.readouterr().err
    assert main(["run", str(program), str(data), "--support", "--rounds", "fixpoint"]) == 2


@pytest.mark.data
def test_the_rules_of_a_benchmark_derive_its_test_facts(data: Path) -> None:
    folder = data / "loginfer" / "LogInfer-WN-hier"
    program = read_rules(folder / "final-rules-LogInfer-WN-hier.txt", "loginfer").program
    parts = ["train.txt.xz", "valid.txt.gz", "test.txt.gz"]
    train, valid, test = (read_facts(data / "loginfer" / "WN_ori" / part) for part in parts)
    given = train | valid | test
    wanted = read_facts(folder / "test.txt.gz")
    assert sum(each.correct for each in support(program, given, truth=wanted)) >= len(wanted) == 1000


def test_atoms_of_one_name_keep_their_arity() -> None:
    (found,) = support(parse("p(X) :- r(X, _)."), Dataset.from_facts([Atom("r", ("a", "b")), Atom("p", ("a", "b"))]))
    assert (found.derived, found.new) == (1, 1)
