"""Flat programs: what a complete one says is what the network says, no rule is superfluous, none is missed."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from isolog.concepts.flat import flat_rules
from isolog.concepts.flat_rules import Budget, FlatRules, Head
from isolog.correspondence.capture import captures_tree_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.lemma1 import failing_instance
from isolog.correspondence.program_of_network import program_of_network
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.tree_implication import implies_any
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeClass, TreeFormula, TreeRule
from isolog.networks.network import MAX, SUM, MaxKSum, Network
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures
from support.tiny_networks import MOST_RULES, likely_networks, tiny_networks
from support.trees import derived, predicted

AGGREGATIONS = (SUM, SUM, MaxKSum(2), MAX)
small_networks = small_signatures.flatmap(
    lambda s: st.one_of(likely_networks(s, AGGREGATIONS), networks(s, 2, 2, activations=ACTIVATIONS))
)
some_rules = Budget(max_rules=40, max_atoms=12, seconds=2)


def flat(network: Network, budget: Budget) -> FlatRules:
    """The flat program of a network."""
    found = concepts_of_network(network)
    heads = [Head(name, nodes[0]) for name, nodes in zip(network.features, found.heads, strict=True)]
    return flat_rules(found.concepts, heads, found.sorts, (network.features, network.colours), budget)


def bodies(rules: Sequence[TreeRule], head: str) -> list[TreeFormula]:
    """The bodies of the rules with this head."""
    return [rule.body for rule in rules if rule.head == head]


@given(tiny_networks())
def test_a_complete_program_and_the_one_by_the_letter_imply_each_other(network: Network) -> None:
    letter = program_of_network(network, most_rules=MOST_RULES)
    found = flat(network, Budget(max_atoms=30, max_rules=300))
    for rule in found.rules:
        assert implies_any(rule.body, bodies(letter.rules, rule.head)), rule
    if found.complete and network.colours:
        for rule in letter.reduced_rules:
            assert implies_any(rule.body, bodies(found.rules, rule.head)), rule


@given(small_networks)
def test_every_rule_is_captured_and_none_is_implied_by_those_before_it(network: Network) -> None:
    found = flat(network, some_rules)
    assert all(captures_tree_rules(network, found.rules))
    for place, rule in enumerate(found.rules):
        assert not implies_any(rule.body, bodies(found.rules[:place], rule.head))


@given(tiny_networks())
def test_every_rule_is_captured_by_the_letter(network: Network) -> None:
    for rule in flat(network, some_rules).rules:
        if rule.body.variables <= 8:
            assert failing_instance(network, to_rule(rule, counts=False)) is None


@given(small_networks, st.integers(0, 4))
def test_complete_up_to_so_many_atoms(network: Network, atoms: int) -> None:
    found = flat(network, Budget(max_atoms=atoms))
    assert all(rule.body.atoms <= atoms for rule in found.rules)
    assert found.complete or found.complete_up_to_atoms == atoms
    trees = TreeClass(network.features, network.colours, depth=atoms, fan_out=max(atoms, 1))
    small = []
    for body in tree_formulas(trees):
        if body.atoms > atoms:
            break
        small += [TreeRule(head, body) for head in network.features]
    for rule, captured in zip(small, captures_tree_rules(network, small), strict=True):
        assert captured == implies_any(rule.body, bodies(found.rules, rule.head)), rule


@given(st.data(), small_networks)
def test_a_complete_program_derives_what_the_network_derives(data: st.DataObject, network: Network) -> None:
    found = flat(network, some_rules)
    facts = data.draw(datasets(network.signature))
    if found.complete:
        assert derived(found.rules, facts) == predicted(network, facts)
    else:
        assert derived(found.rules, facts) <= predicted(network, facts)
