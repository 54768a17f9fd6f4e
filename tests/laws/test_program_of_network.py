"""P_N by the letter equals the network, its reduced form too, and max networks need no inequalities (Thm. 3 and 5)."""

from hypothesis import given
from hypothesis import strategies as st

from isolog.correspondence.lemma1 import failing_instance
from isolog.correspondence.program_of_network import program_of_network, theorem_class
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.tree_implication import implies_any
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeRule
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.networks.network import MAX, Network
from support.strategies import datasets
from support.tiny_networks import MOST_RULES, tiny_networks
from support.trees import derived, predicted


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
