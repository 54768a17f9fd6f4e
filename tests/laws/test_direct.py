"""The direct search finds what brute force finds, with sorts and without, and what the search in concepts finds."""

import math
from collections.abc import Sequence
from itertools import takewhile

from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.concepts.flat import Head, flat_rules
from isolog.concepts.flat_rules import Budget, FlatRules
from isolog.correspondence.capture import captures_tree_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.direct import Output, direct_rules
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.tree_implication import implies_any
from isolog.datalog.treelike import TreeClass, TreeFormula, TreeRule
from isolog.facts.signature import Signature
from isolog.graphs.sorts import Neighbourhood, Sort, Sorts
from isolog.networks.network import MAX, SUM, MaxKSum, Network
from support.sorted_trees import SortedTrees
from support.strategies import ACTIVATIONS, AGGREGATIONS, networks

SIGNATURES = [Signature.of(["A"], ["r"]), Signature.of(["A", "B"], ["r"]), Signature.of(["A"], ["r", "s"])]
WIDE = Signature.of(["A", "B", "C", "D"], ["r"])
MOST_RULES = 250
BOUNDS = [(0, math.inf), (0, 1), (1, 1), (1, math.inf), (0, 2), (2, math.inf), (2, 2)]


@st.composite
def small_networks(draw: st.DrawFn) -> Network:
    """Up to three layers, most of them adding up, whatever the activation."""
    signature = draw(st.sampled_from(SIGNATURES))
    return draw(networks(signature, 3, 2, [SUM, SUM, MaxKSum(2), MAX, *AGGREGATIONS], ACTIVATIONS))


@st.composite
def sort_systems(draw: st.DrawFn, network: Network, bounds: Sequence[tuple[int, float]] = BOUNDS) -> Sorts:
    """Two sorts; some colours are functional, total or absent."""
    around = st.none() | st.builds(
        lambda sort, least_and_most: Neighbourhood(sort, *least_and_most), st.integers(0, 1), st.sampled_from(bounds)
    )
    some = st.frozensets(st.integers(0, len(network.features) - 1))
    return tuple(Sort(name, draw(some), tuple(draw(around) for _ in network.colours)) for name in ("f", "g"))


def small_bodies(network: Network, atoms: int) -> list[TreeFormula]:
    """The bodies with at most so many atoms."""
    trees = TreeClass(network.features, network.colours, len(network.layers), atoms)
    return list(takewhile(lambda formula: formula.atoms <= atoms, tree_formulas(trees)))


def bodies_of(found: FlatRules, head: str) -> list[TreeFormula]:
    """The bodies with this head."""
    return [rule.body for rule in found.rules if rule.head == head]


@given(small_networks(), st.integers(0, 4))
def test_it_finds_the_minimal_ones_of_all_captured_rules(network: Network, atoms: int) -> None:
    bodies = small_bodies(network, atoms)
    assume(len(bodies) <= MOST_RULES)
    found = direct_rules(network, budget=Budget(max_atoms=atoms))
    assert found.complete or found.complete_up_to_atoms == atoms
    for head in network.features:
        rules = bodies_of(found, head)
        captured = captures_tree_rules(network, [TreeRule(head, body) for body in bodies])
        for body, holds in zip(bodies, captured, strict=True):
            assert holds == implies_any(body, rules)
        for rule in rules:
            assert not implies_any(rule, [other for other in rules if other != rule])
            assert captures_tree_rules(network, [TreeRule(head, rule)]) == [True]


@st.composite
def wide_networks(draw: st.DrawFn) -> Network:
    """One or two layers over four labels."""
    chosen = st.sampled_from([MAX, MAX, SUM, MaxKSum(2)])
    return draw(networks(WIDE, 2, 2, [draw(chosen)], ACTIVATIONS))


@given(wide_networks(), st.integers(2, 3))
def test_with_more_labels_it_leaves_none_out(network: Network, atoms: int) -> None:
    bodies = [body for body in small_bodies(network, atoms) if body.depth <= 1]
    found = direct_rules(network, heads=[Output(0), Output(1)], budget=Budget(max_atoms=atoms))
    for head in network.features[:2]:
        rules = bodies_of(found, head)
        captured = captures_tree_rules(network, [TreeRule(head, body) for body in bodies])
        assert captured == [implies_any(body, rules) for body in bodies]


@given(st.data(), small_networks(), st.integers(0, 4))
def test_with_sorts_it_finds_what_holds_on_their_graphs(data: st.DataObject, network: Network, atoms: int) -> None:
    sorts = data.draw(sort_systems(network))
    trees = SortedTrees(network, sorts)
    for sort in range(len(sorts)):
        bodies = trees.bodies(sort, atoms)
        assume(len(bodies) <= MOST_RULES)
        heads = [Output(index, sort) for index in range(len(network.features))]
        found = direct_rules(network, sorts, heads, Budget(max_atoms=atoms))
        assert found.complete or found.complete_up_to_atoms == atoms
        captured = [trees.captured(body, sort) for body in bodies]
        for index, head in enumerate(network.features):
            rules = bodies_of(found, head)
            for body, holds in zip(bodies, captured, strict=True):
                assert holds[index] == trees.implied(body, rules, sort)
            for rule in rules:
                assert trees.captured(rule, sort)[index]
                assert not trees.implied(rule, [other for other in rules if other != rule], sort)


@given(st.data(), small_networks(), st.integers(0, 4))
def test_it_agrees_with_the_search_through_concepts(data: st.DataObject, network: Network, atoms: int) -> None:
    sorts = data.draw(sort_systems(network, BOUNDS[:3]))
    extraction = concepts_of_network(network, sorts)
    names = network.features, network.colours
    budget = Budget(max_atoms=atoms)
    heads = [(i, s) for i in range(len(network.features)) for s in range(2)]
    for index, sort in heads:
        concept = Head(network.features[index], extraction.heads[index][sort], sort)
        expected = flat_rules(extraction.concepts, [concept], sorts, names, budget)
        found = direct_rules(network, sorts, [Output(index, sort)], budget)
        assert found.rules == expected.rules
