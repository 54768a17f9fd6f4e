"""On tree-like rules, where engines count instead of joining, they derive what trying all substitutions gives."""

from hypothesis import given
from hypothesis import strategies as st

from isolog.datalog.syntax import Program
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeRule
from isolog.engines.duckdb import DuckDB
from isolog.engines.engine import Options
from isolog.engines.graph import Graph
from isolog.engines.reference import Reference
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from support.strategies import datasets
from support.trees import derived, tree_rules

SIGNATURE = Signature.of(["A", "B"], ["r", "s"])
RULES = st.lists(tree_rules(SIGNATURE, max_depth=2, max_children=3), min_size=1, max_size=3)


@given(RULES, datasets(SIGNATURE), st.booleans())
def test_one_round_of_tree_like_rules(rules: list[TreeRule], dataset: Dataset, counts: bool) -> None:
    program = Program(tuple(to_rule(rule, counts=counts) for rule in rules))
    expected = derived(rules, dataset)
    assert Graph().run(program, dataset) == expected
    assert DuckDB().run(program, dataset) == expected


@given(RULES, datasets(SIGNATURE, constants=3, facts=6))
def test_the_least_model_of_tree_like_rules(rules: list[TreeRule], dataset: Dataset) -> None:
    program, options = Program(tuple(map(to_rule, rules))), Options("fixpoint")
    expected = Reference().run(program, dataset, options)
    assert Graph().run(program, dataset, options) == expected
    assert DuckDB().run(program, dataset, options) == expected
