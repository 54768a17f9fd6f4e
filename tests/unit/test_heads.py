"""Extraction within a bound: what is finished is kept, and depth is no matter."""

from fractions import Fraction

import numpy as np
import pytest

from isolog.concepts.counting import derivations
from isolog.concepts.evaluate import evaluate
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.heads import Budget, UnfinishedError, extract_heads
from isolog.encodings.canonical import encode
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import one_sort
from isolog.networks.apply import labels
from isolog.networks.exact import apply
from isolog.networks.network import MAX, SUM, Aggregation, Layer, Network

FEATURES = 24


def one_easy_head() -> Network:
    """Two outputs: the first is the last feature, the second a sum of all features with weights of their own."""
    weights = [[0] * (FEATURES - 1) + [1], [2**place % 997 + place for place in range(FEATURES)]]
    rows = [*weights, *[[0] * FEATURES] * (FEATURES - 2)]
    signature = Signature.of([f"U{place:02}" for place in range(FEATURES)], ["r"])
    thresholds = [Fraction(1), Fraction(sum(weights[1]) // 2), *[Fraction(1)] * (FEATURES - 2)]
    layer = Layer.from_fractions(rows, [[[0] * FEATURES] * FEATURES], [0] * FEATURES)
    return Network.canonical(signature, [layer], thresholds)


def test_a_bound_keeps_what_is_finished() -> None:
    network, told = one_easy_head(), list[tuple[int, int]]()
    sorts = one_sort(FEATURES, 1)
    with pytest.raises(UnfinishedError) as raised:
        extract_heads(network, sorts, budget=Budget(100, progress=lambda heads, nodes: told.append((heads, nodes))))
    finished = raised.value.finished
    assert finished.nodes[0, 0] == finished.concepts.label(FEATURES - 1)
    assert len(finished.nodes) == FEATURES - 1 and (1, 0) not in finished.nodes
    assert str(raised.value).startswith("E421 more than 100 concepts: 23 of 24 heads are finished, with ")
    assert "not `U01`\n  hint: round the weights" in str(raised.value)
    assert [heads for heads, _ in told] == list(range(1, FEATURES)) and told[-1][1] <= 100


def test_only_the_wanted_heads_are_made() -> None:
    found = extract_heads(one_easy_head(), one_sort(FEATURES, 1), [(0, 0)], Budget(100))
    assert list(found.nodes) == [(0, 0)]


def deep(layers: int, aggregation: Aggregation) -> Network:
    """Is there a walk of so many steps to a vertex with the feature, all along vertices with the feature?"""
    layer = Layer.from_fractions([[1]], [[[1]]], [-1], aggregation)
    return Network.canonical(Signature.of(["U"], ["r"]), [layer] * layers)


@pytest.mark.parametrize("aggregation", [MAX, SUM])
def test_a_deep_network_needs_no_deep_stack(aggregation: Aggregation) -> None:
    network = deep(1200 if aggregation == MAX else 8, aggregation)
    extraction = concepts_of_network(network)
    chain = [Atom("U", (f"c{n:02}",)) for n in range(9)] + [Atom("r", (f"c{n:02}", f"c{n + 1:02}")) for n in range(8)]
    graph = encode(Dataset.from_facts([*chain, Atom("r", ("c08", "c08"))]), network.signature)
    found = evaluate(extraction.concepts, extraction.heads[0], graph)
    assert derivations(extraction.concepts, extraction.heads[0])[0] > 0
    assert np.array_equal(found[extraction.heads[0][0]], apply(network, graph)[:, 0])


def test_compact_concepts_are_smaller_and_mean_the_same() -> None:
    network = one_easy_head()
    diagrams, compact = concepts_of_network(network), concepts_of_network(network, budget=Budget(compact=True))
    assert 3 * len(compact.concepts) < len(diagrams.concepts)
    chosen = np.random.default_rng(0).random((500, FEATURES)) < 0.5
    graph = ColouredGraph(chosen, (Adjacency.from_edges(np.empty(0, int), np.empty(0, int), 500),))
    expected = labels(network, graph)[:, 1]
    assert 100 < expected.sum() < 400
    for extraction in (diagrams, compact):
        (head,) = extraction.heads[1]
        assert np.array_equal(evaluate(extraction.concepts, [head], graph)[head], expected)
