"""Every case of the corpus that another system has words for derives there what it should; the others are declared.

`tests/corpus/export-gaps.yaml` lists per target, and code, the cases that are refused. The list is strict: a case in
it must be refused with that code, and one that is not in it must not be.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from isolog.datalog.checks import Rounds
from isolog.datalog.parser import read_program
from isolog.errors import UnsupportedError
from isolog.export.targets import export_program
from isolog.facts.files import read_facts
from isolog.facts.terms import Atom, Literal
from support.export_runners import RUN
from support.owl import run_owl

CORPUS = Path(__file__).parents[1] / "corpus"
GAPS: dict[str, dict[str, list[str]]] = yaml.safe_load((CORPUS / "export-gaps.yaml").read_text("utf-8"))
RUNNERS = {**RUN, "owl": run_owl}
CASES = sorted([*CORPUS.glob("datalog/*/expected.dl"), *CORPUS.glob("datalog/*/expected.fixpoint.dl")])


def case_name(expected: Path) -> str:
    """The case, and `fixpoint` for more than one round."""
    return expected.parent.name + expected.stem.removeprefix("expected").replace(".", " ")


def gap(target: str, name: str) -> str | None:
    """The code with which the target refuses the case, if it does."""
    return next((code for code, names in GAPS[target].items() if name in names), None)


@pytest.mark.parametrize("target", sorted(RUNNERS))
@pytest.mark.parametrize("expected", CASES, ids=case_name)
def test_case(expected: Path, target: str) -> None:
    rounds: Rounds = 1 if expected.stem == "expected" else "fixpoint"
    program = read_program(expected.with_name("program.dl"))
    (data,) = expected.parent.glob("input.*")
    code = "E531" if rounds != 1 and target in ("owl", "sparql", "sql") else gap(target, case_name(expected))
    if code is not None:
        with pytest.raises(UnsupportedError) as raised:
            export_program(program, target, rounds=rounds, data=read_facts(data))
        assert code in {finding.code for finding in raised.value.findings}
        return
    text = export_program(program, target, rounds=rounds, data=read_facts(data))
    wanted = {fact for fact in read_facts(expected) if target != "sparql" or has_triple(fact)}
    assert RUNNERS[target](program, text, rounds) == wanted


def has_triple(fact: Atom) -> bool:
    """Whether the first argument may be the subject of a triple."""
    return not isinstance(fact.arguments[0], Literal)


def test_gaps_are_cases() -> None:
    names = {case_name(case) for case in CASES}
    for target, codes in GAPS.items():
        listed = [name for listed in codes.values() for name in listed]
        assert target in RUNNERS and len(listed) == len(set(listed)) and names >= set(listed), target
