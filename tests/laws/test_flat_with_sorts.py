"""Flat rules and covers where an encoding promises sorts: functional colours, total ones, absent ones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isolog.concepts.bodies import Bodies
from isolog.concepts.cover import SortedGraph, cover
from isolog.concepts.evaluate import evaluate
from isolog.concepts.extents import ENDLESS
from isolog.concepts.flat import flat_rules
from isolog.concepts.flat_rules import Budget, Head
from isolog.concepts.streams import Streams
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from isolog.graphs.graph import ColouredGraph
from isolog.graphs.sorts import Sorts
from isolog.networks.network import MAX, SUM, MaxKSum, Network
from support.sorted_graphs import sort_systems, sorted_graphs
from support.strategies import small_signatures
from support.tiny_networks import likely_networks
from support.trees import holds

BUDGET = Budget(max_rules=60, max_atoms=10)


def facts_of(graph: ColouredGraph, network: Network) -> Dataset:
    """The graph as facts about terms named after the numbers of its vertices."""
    labels = [Atom(network.features[i], (str(v),)) for v, i in np.argwhere(graph.features).tolist()]
    edges = [
        Atom(name, (str(v), str(u)))
        for name, colour in zip(network.colours, graph.colours, strict=True)
        for v in range(graph.vertices)
        for u in colour.neighbours(v).tolist()
    ]
    return Dataset.from_facts([*labels, *edges])


@st.composite
def cases(draw: st.DrawFn) -> tuple[Network, Sorts, ColouredGraph, list[int]]:
    """A network, sorts, and a graph of them."""
    signature = draw(small_signatures)
    network = draw(likely_networks(signature, (SUM, MaxKSum(2), MAX)))
    sorts = draw(sort_systems(len(signature.unary), len(signature.binary)))
    return network, sorts, *draw(sorted_graphs(sorts, len(signature.unary)))


@given(cases())
def test_flat_rules_hold_where_the_concepts_do(case: tuple[Network, Sorts, ColouredGraph, list[int]]) -> None:
    network, sorts, graph, of = case
    extraction = concepts_of_network(network, sorts)
    facts, names = facts_of(graph, network), (network.features, network.colours)
    for sort in range(len(sorts)):
        for name, nodes in zip(network.features, extraction.heads, strict=True):
            head = Head(name, nodes[sort], sort)
            found = flat_rules(extraction.concepts, [head], sorts, names, BUDGET)
            where = evaluate(extraction.concepts, [head.concept], graph)[head.concept]
            for vertex in range(graph.vertices):
                if of[vertex] == sort:
                    by_rules = any(holds(rule.body, str(vertex), facts) for rule in found.rules)
                    assert by_rules == where[vertex] if found.complete else by_rules <= where[vertex]


@given(cases())
def test_covers_hold_where_the_concepts_do(case: tuple[Network, Sorts, ColouredGraph, list[int]]) -> None:
    network, sorts, graph, of = case
    extraction = concepts_of_network(network, sorts)
    facts, names = facts_of(graph, network), (network.features, network.colours)
    around = SortedGraph(graph, sorts, np.array(of))
    for sort in range(len(sorts)):
        for name, nodes in zip(network.features, extraction.heads, strict=True):
            found = cover(extraction.concepts, [Head(name, nodes[sort], sort)], around, names, Budget())
            where = evaluate(extraction.concepts, [nodes[sort]], graph)[nodes[sort]]
            assert found.complete
            for vertex in range(graph.vertices):
                if of[vertex] == sort:
                    assert any(holds(rule.body, str(vertex), facts) for rule in found.rules) == where[vertex]


@given(cases())
def test_sizes_lie_within_the_extents(case: tuple[Network, Sorts, ColouredGraph, list[int]]) -> None:
    network, sorts, _, _ = case
    concepts = (extraction := concepts_of_network(network, sorts)).concepts
    bodies = Bodies(sorts)
    streams = Streams(concepts, bodies)
    extents = streams.extents
    for sort in range(len(sorts)):
        for node in {nodes[sort] for nodes in extraction.heads}:
            most = extents.most[node]
            for size in range(min(most, 6) + 1 if extents.least[node] < ENDLESS else 0):
                for body in streams.level(node, sort, size):
                    imprint = bodies.imprints[body]
                    assert bodies.least_atoms(body) == size >= extents.least[node]
                    assert not extents.common[node] & ~imprint
                    assert extents.possible[node] == -1 or not imprint & ~extents.possible[node]
