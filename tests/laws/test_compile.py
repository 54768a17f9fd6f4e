"""Programs of tree-like rules without inequalities equal the networks made of them, by either construction."""

from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.correspondence.compile import compile_program
from isolog.correspondence.network_of_program import network_of_program
from isolog.correspondence.subformulas import units_by_layer
from isolog.datalog.count_trees import has_more_formulas
from isolog.datalog.tree_rules import to_program
from isolog.datalog.treelike import TreeClass, TreeRule, least_fan_out
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.networks.classes import class_report
from support.strategies import datasets
from support.trees import predicted, tree_rules

SIGNATURE = Signature.of(["A", "B", "C"], ["r", "s"])
SINGLE = Signature.of(["A"], ["r"])
programs = st.lists(tree_rules(SIGNATURE, 3, 3, inequalities=False), max_size=4)
tiny_programs = st.lists(tree_rules(SINGLE, 2, 2, inequalities=False), max_size=3)


@given(programs, datasets(SIGNATURE, constants=4, facts=14))
def test_the_subformula_network_equals_the_program(rules: list[TreeRule], data: Dataset) -> None:
    program = to_program(rules)
    network = compile_program(program, signature=SIGNATURE)
    assert class_report(network).is_monotonic_max
    assert predicted(network, data) == run(program, data)


@given(tiny_programs, datasets(SINGLE, constants=4, facts=8), st.integers(0, 2), st.integers(0, 1))
def test_the_network_by_the_letter_equals_the_program(
    rules: list[TreeRule], data: Dataset, depth: int, fan_out: int
) -> None:
    d = max([depth, *(rule.body.depth for rule in rules)])
    f = max([fan_out, *(least_fan_out(rule.body, d) for rule in rules)])
    assume(not has_more_formulas(TreeClass(SINGLE.unary, SINGLE.binary, d, f, inequalities=False), 100))
    made = network_of_program(rules, SINGLE, depth=depth, fan_out=fan_out)
    assert max(made.network.dimensions) <= made.bound
    assert predicted(made.network, data) == run(to_program(rules), data)


@given(programs)
def test_subformula_networks_are_small(rules: list[TreeRule]) -> None:
    """At most two formulas per variable, its own and that of its labels, in each layer."""
    units = units_by_layer(rule.body for rule in rules)
    variables = sum(rule.body.variables for rule in rules)
    assert len(units) == 1 + max((rule.body.depth for rule in rules), default=0)
    assert all(len(layer) <= max(1, 2 * variables) for layer in units)
