"""Class expressions read back from OWL hold where the rules that they were made from fire."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from isolog.datalog.tree_rules import to_program
from isolog.engines.reference import run
from isolog.export.targets import export_program
from isolog.facts.signature import Signature
from support.owl import entailed, read_ontology
from support.programs import names
from support.strategies import datasets
from support.trees import tree_rules

odd_signatures = st.lists(names, min_size=4, max_size=4, unique=True).map(
    lambda found: Signature.of(found[:2], found[2:])
)
signatures = st.one_of(st.just(Signature.of(["A", "B"], ["r", "s"])), odd_signatures)


@given(st.data())
def test_class_expressions_hold_where_rules_fire(data: st.DataObject) -> None:
    signature = data.draw(signatures)
    program = to_program(data.draw(st.lists(tree_rules(signature), min_size=1, max_size=3)))
    dataset = data.draw(datasets(signature))
    ontology = read_ontology(export_program(program, "owl", data=dataset))
    assert set(ontology.facts) == set(dataset)
    assert ontology.different == (set(dataset.terms) if len(dataset.terms) > 1 else set())
    assert entailed(ontology, dataset) == set(run(program, dataset))
