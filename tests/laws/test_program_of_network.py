"""P_N by the letter equals the network, its reduced form too, and max networks need no inequalities (Thm. 3 and 5)."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.correspondence.lemma1 import failing_instance
from isolog.correspondence.program_of_network import program_of_network, theorem_class
from isolog.datalog.count_trees import has_more_formulas
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.tree_implication import implies_any
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeRule
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Network
from support.strategies import ACTIVATIONS, CLIPPED, datasets, networks
from support.trees import derived, predicted

MOST_RULES = 500
SIGNATURES = [
    *[Signature.of(["A"], ["r"])] * 3,
    *[Signature.of(["A", "B"], ["r"])] * 2,
    *[Signature.of(["A"], ["r", "s"])] * 2,
    Signature.of(["A", "B"], []),
]
_weights = st.sampled_from([0, 1, 1, 1, 2])
_biases = st.sampled_from([-1, -1, 0, 0, 0])


@st.composite
def likely_networks(draw: st.DrawFn, signature: Signature, aggregations: Sequence[Aggregation]) -> Network:
    """One layer, or two with a single unit between, of which the program is seldom empty or `true`."""
    outputs = len(signature.unary)
    layers: list[Layer] = []
    for below, units in draw(st.sampled_from([[(outputs, outputs)], [(outputs, 1), (1, outputs)]])):
        rows = st.lists(st.lists(_weights, min_size=below, max_size=below), min_size=units, max_size=units)
        bias = draw(st.lists(_biases, min_size=units, max_size=units))
        chosen = draw(st.sampled_from(aggregations)), draw(st.sampled_from([RELU, RELU, CLIPPED]))
        layers.append(Layer.from_fractions(draw(rows), [draw(rows) for _ in signature.binary], bias, *chosen))
    thresholds = draw(st.lists(st.sampled_from([1, 1, 1, 2]).map(Fraction), min_size=outputs, max_size=outputs))
    return Network.canonical(signature, layers, thresholds)


@st.composite
def tiny_networks(draw: st.DrawFn, aggregations: Sequence[Aggregation] = (SUM, MAX, MaxKSum(2), MaxKSum(0))) -> Network:
    """A network with at most so many rules to test."""
    signature = draw(st.sampled_from(SIGNATURES))
    likely = likely_networks(signature, aggregations[:3])
    anything = networks(signature, 2, 1, aggregations, ACTIVATIONS, integral=True)
    network = draw(st.one_of(likely, likely, anything))
    assume(not has_more_formulas(theorem_class(network), MOST_RULES, len(signature.unary)))
    return network


def with_data(networks: st.SearchStrategy[Network]) -> st.SearchStrategy[tuple[Network, Dataset]]:
    """The networks, each with a dataset over its signature."""
    return networks.flatmap(lambda n: st.tuples(st.just(n), datasets(n.signature, constants=4, facts=10)))


@given(with_data(tiny_networks()))
def test_the_program_equals_the_network(case: tuple[Network, Dataset]) -> None:
    network, data = case
    made = program_of_network(network, most_rules=MOST_RULES)
    assert made.is_complete
    expected = predicted(network, data)
    assert run(made.program, data) == expected
    assert run(made.reduced_program, data) == expected


@given(st.data(), tiny_networks())
def test_it_holds_the_captured_rules_and_no_others(data: st.DataObject, network: Network) -> None:
    made = program_of_network(network, most_rules=MOST_RULES)
    body = data.draw(st.sampled_from(list(tree_formulas(made.trees))))
    rule = TreeRule(data.draw(st.sampled_from(network.features)), body)
    assert (rule in made.rules) == (failing_instance(network, to_rule(rule, counts=False)) is None)


@given(tiny_networks())
def test_the_reduced_program_is_a_part_without_superfluous_rules(network: Network) -> None:
    made = program_of_network(network, most_rules=MOST_RULES)
    kept = list(made.reduced_rules)
    assert set(kept) <= set(made.rules)
    for rule in kept:
        assert not implies_any(rule.body, [other.body for other in kept if other.head == rule.head and other != rule])
    for rule in made.rules:
        assert implies_any(rule.body, [other.body for other in kept if other.head == rule.head])


@given(with_data(tiny_networks([MAX])))
def test_max_networks_need_no_inequalities(case: tuple[Network, Dataset]) -> None:
    network, data = case
    made = program_of_network(network, most_rules=MOST_RULES)
    assert not any(rule.body.inequalities for rule in made.rules)
    assert not made.trees.inequalities and made.is_complete
    assert derived(made.reduced_rules, data) == predicted(network, data)


@given(with_data(tiny_networks()), st.integers(0, 1), st.integers(0, 1))
def test_within_smaller_bounds_the_program_is_sound(case: tuple[Network, Dataset], depth: int, fan_out: int) -> None:
    network, data = case
    made = program_of_network(network, depth=depth, fan_out=fan_out)
    theorem = theorem_class(network)
    assert made.is_complete == (depth >= theorem.depth and fan_out >= theorem.fan_out)
    assert derived(made.rules, data) <= predicted(network, data)
