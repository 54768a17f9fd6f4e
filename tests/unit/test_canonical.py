"""Def. 1-3: encoding and decoding, and what is lost in between."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.encodings.canonical import decode, decode_graph, encode, is_regular
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.graphs.graph import Adjacency, ColouredGraph
from support.strategies import datasets, small_signatures

SIGNATURE = Signature.of(["A", "B"], ["r", "s"])


def test_the_definition_on_a_small_dataset() -> None:
    dataset = Dataset.from_facts([Atom("r", ("a", "b")), Atom("r", ("a", "c")), Atom("B", ("c",))])
    graph = encode(dataset, SIGNATURE)
    assert graph.vertices == 3
    assert graph.features.tolist() == [[False, False], [False, False], [False, True]]
    assert [graph.colours[0].neighbours(v).tolist() for v in range(3)] == [[1, 2], [], []]
    assert graph.colours[1].degrees.sum() == 0


def test_decoding_labels_gives_unary_facts_only() -> None:
    dataset = Dataset.from_facts([Atom("r", ("a", "b"))])
    labels = np.array([[True, False], [False, True]])
    assert set(decode(labels, dataset, SIGNATURE)) == {Atom("A", ("a",)), Atom("B", ("b",))}


@given(st.data())
def test_encoding_loses_nothing(draw: st.DataObject) -> None:
    signature = draw.draw(small_signatures)
    dataset = draw.draw(datasets(signature))
    graph = encode(dataset, signature)
    assert decode_graph(graph, dataset, signature) == dataset
    assert is_regular(graph)


@pytest.mark.parametrize(("feature", "edge", "regular"), [(0, 0, False), (1, 0, True), (0, 1, True)])
def test_regular_means_that_every_vertex_is_mentioned(feature: int, edge: int, regular: bool) -> None:
    ends = np.zeros(edge, np.int64)
    graph = ColouredGraph(np.full((1, 1), feature, bool), (Adjacency.from_edges(ends, ends, 1),))
    assert is_regular(graph) == regular


def test_a_mere_target_of_an_edge_is_mentioned() -> None:
    graph = ColouredGraph(np.zeros((2, 1), bool), (Adjacency.from_edges(np.array([0]), np.array([1]), 2),))
    assert is_regular(graph)
