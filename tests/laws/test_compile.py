"""Tree-like programs equal the networks made of them, by every construction and activation."""

from hypothesis import assume, event, given
from hypothesis import strategies as st

from isolog.concepts.layered import layered_program
from isolog.correspondence.capture import captures_tree_rules
from isolog.correspondence.compile import ACTIVATIONS, ActivationChoice, compile_program, compiled
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.equivalence import equivalent
from isolog.correspondence.extract import extract
from isolog.correspondence.network_of_program import network_of_program
from isolog.correspondence.subformulas import units_by_layer
from isolog.datalog.count_trees import has_more_formulas
from isolog.datalog.tree_rules import to_program
from isolog.datalog.treelike import TreeClass, TreeRule, least_fan_out
from isolog.engines.reference import run
from isolog.errors import UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.networks.classes import class_report
from isolog.networks.network import Network
from support.strategies import datasets, networks, signatures_and_networks
from support.trees import chains, predicted, tree_rules

SIGNATURE = Signature.of(["A", "B", "C"], ["r", "s"])
SINGLE = Signature.of(["A"], ["r"])
counting_programs = st.lists(tree_rules(SIGNATURE, 3, 3), max_size=4)
programs = st.lists(tree_rules(SIGNATURE, 3, 3, inequalities=False), max_size=4)
tiny_programs = st.lists(tree_rules(SINGLE, 2, 2, inequalities=False), max_size=3)


@given(programs, datasets(SIGNATURE, constants=4, facts=14))
def test_the_subformula_network_equals_the_program(rules: list[TreeRule], data: Dataset) -> None:
    program = to_program(rules)
    network = compile_program(program, signature=SIGNATURE)
    assert class_report(network).is_monotonic_max
    assert predicted(network, data) == run(program, data)


@given(counting_programs, datasets(SIGNATURE, constants=4, facts=14), st.sampled_from(ACTIVATIONS))
def test_the_network_of_a_counting_program_equals_it(
    rules: list[TreeRule], data: Dataset, activation: ActivationChoice
) -> None:
    program = to_program(rules)
    try:
        network = compile_program(program, signature=SIGNATURE, activation=activation)
    except UnsupportedError as error:
        event("refused: " + error.findings[0].code)
        assume(activation != "relu")
        raise
    assert class_report(network).is_monotonic_max_sum
    assert predicted(network, data) == run(program, data)


@given(counting_programs)
def test_the_network_captures_the_rules_of_its_program(rules: list[TreeRule]) -> None:
    assert all(captures_tree_rules(compile_program(to_program(rules), signature=SIGNATURE), rules))


@given(st.lists(chains(SIGNATURE, 3), max_size=3), datasets(SIGNATURE, constants=4, facts=14))
def test_chains_need_no_more_than_relu(rules: list[TreeRule], data: Dataset) -> None:
    program = to_program(rules)
    made = compiled(program, signature=SIGNATURE)
    assert made.activation == "relu"
    assert predicted(made.network, data) == run(program, data)


@given(st.lists(tree_rules(SINGLE, 2, 3), max_size=3))
def test_programs_come_back_from_their_networks(rules: list[TreeRule]) -> None:
    program = to_program(rules, SINGLE)
    network = compile_program(program, signature=SINGLE)
    assert equivalent(network, program).equivalent is True
    found = extract(network, max_rules=1000, max_atoms=8)
    assert not found.complete or equivalent(found.program, program).equivalent is True


@given(networks(SINGLE, max_layers=2))
def test_networks_are_what_is_compiled_of_their_programs(network: Network) -> None:
    found = extract(network, max_rules=50, max_atoms=6)
    assume(found.complete)
    back = compile_program(found.program, signature=SINGLE)
    assert equivalent(network, back).equivalent is True


@given(signatures_and_networks, st.data())
def test_networks_come_back_from_their_layered_programs(network: Network, draws: st.DataObject) -> None:
    extraction = concepts_of_network(network)
    heads = [(name, nodes[0]) for name, nodes in zip(network.features, extraction.heads, strict=True)]
    program = layered_program(extraction.concepts, heads, network.signature, {}).program
    back = compile_program(program, signature=network.signature)
    data = draws.draw(datasets(network.signature))
    assert class_report(back).is_monotonic_max_sum
    assert predicted(back, data) == predicted(network, data)


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
