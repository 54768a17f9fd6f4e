"""Rule files of others as networks: what they derive is what the rules derive, on the real graphs."""

from dataclasses import replace
from pathlib import Path

import pytest

from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.transformation import predict
from isolog.datalog.foreign_rules import read_rules
from isolog.datalog.syntax import Negation, Program
from isolog.engines.choice import run
from isolog.errors import UnsupportedError
from isolog.facts.files import read_facts
from isolog.facts.signature import Signature
from isolog.networks.classes import class_report

pytestmark = pytest.mark.data


NAMES = [
    *("WN-hier", "WN-hier_nmhier", "WN-superhier", "WN-sym"),
    *("FB-hier", "FB-cup_nmhier", "FB-superhier", "FB-sym"),
]


def positive(program: Program) -> Program:
    """The rules without negation."""
    return replace(
        program, rules=tuple(r for r in program.rules if not any(isinstance(each, Negation) for each in r.body))
    )


@pytest.mark.parametrize("name", NAMES)
def test_networks_derive_what_the_rules_derive(data: Path, name: str) -> None:
    folder = data / f"loginfer/LogInfer-{name}"
    rules = positive(read_rules(folder / f"final-rules-LogInfer-{name}.txt", "loginfer").program)
    facts = read_facts(folder / "test.txt.gz") | read_facts(folder / "valid.txt.gz")
    made = compile_encoded(rules, "auto", signature=Signature.from_dataset(facts))
    assert made.network.encoding.name == "pairs" and class_report(made.network).is_monotonic_max
    derived = run(rules, facts, engine="duckdb")
    assert len(derived) and predict(made.network, facts) == derived


def test_rules_with_negation_are_refused_by_name(data: Path) -> None:
    rules = read_rules(data / "loginfer/LogInfer-WN-nmhier/final-rules-LogInfer-WN-nmhier.txt", "loginfer").program
    with pytest.raises(UnsupportedError) as caught:
        compile_encoded(rules, "pairs")
    assert len(caught.value.findings) == len(rules)
    assert all("not" in finding.message for finding in caught.value.findings)
