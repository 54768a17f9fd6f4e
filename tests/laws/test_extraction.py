"""The concepts of a network hold at a vertex iff the network derives the output there."""

import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.concepts.dag import Concepts
from isolog.concepts.evaluate import evaluate
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.regression import Regression
from isolog.encodings.canonical import encode
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Neighbourhood, Sort, Sorts
from isolog.networks.exact import apply
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures


@given(st.data())
def test_extraction_is_exact(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    network = data.draw(networks(signature, max_layers=4, activations=ACTIVATIONS))
    extraction = concepts_of_network(network)
    for _ in range(3):
        graph = encode(data.draw(datasets(signature)), signature)
        derived = apply(network, graph)
        found = evaluate(extraction.concepts, [head[0] for head in extraction.heads], graph)
        for output, head in enumerate(extraction.heads):
            assert (found[head[0]] == derived[:, output]).all()


@given(st.data())
def test_counters_are_exact_at_every_layer(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    network = data.draw(networks(signature, max_layers=3, activations=ACTIVATIONS))
    sorts = data.draw(sort_systems(len(signature.unary), len(signature.binary)))
    graph, of = data.draw(sorted_graphs(sorts, len(signature.unary)))
    regression = Regression(Grid(network, sorts), Concepts(), small=-1)
    last, derived = len(network.layers), apply(network, graph)
    heads = {
        (output, sort): regression.concept(Unit(last, output, sort), threshold)
        for output, threshold in enumerate(network.thresholds)
        for sort in set(of)
    }
    found = evaluate(regression.concepts, heads.values(), graph)
    for (output, sort), head in heads.items():
        here = [vertex for vertex, its in enumerate(of) if its == sort]
        assert (found[head][here] == derived[here, output]).all()


@st.composite
def sorted_graphs(draw: st.DrawFn, sorts: Sorts, features: int) -> tuple[ColouredGraph, list[int]]:
    """A graph of these sorts, and the sort of each vertex."""
    of = draw(st.lists(st.integers(0, len(sorts) - 1), min_size=1, max_size=7))
    labels = np.zeros((len(of), features), bool)
    colours: list[Adjacency] = []
    for vertex, sort in enumerate(of):
        allowed = sorted(sorts[sort].features)
        labels[vertex, draw(st.lists(st.sampled_from(allowed), unique=True)) if allowed else []] = True
    for colour in range(len(sorts[0].neighbours)):
        edges: list[tuple[int, int]] = []
        for vertex, sort in enumerate(of):
            around = sorts[sort].neighbours[colour]
            if around is not None:
                possible = [other for other, theirs in enumerate(of) if theirs == around.sort]
                least, most = around.at_least, min(around.at_most, len(possible))
                assume(least <= len(possible))
                chosen = st.lists(st.sampled_from(possible or [0]), min_size=least, max_size=int(most), unique=True)
                edges += [(vertex, other) for other in draw(chosen)]
        ends = np.array(edges, np.int64).reshape(-1, 2)
        colours.append(Adjacency.from_edges(ends[:, 0], ends[:, 1], len(of)))
    return ColouredGraph(labels, tuple(colours)), of


@st.composite
def sort_systems(draw: st.DrawFn, features: int, colours: int) -> Sorts:
    """Two sorts with some features each; functional colours, total functions, free and absent ones."""
    kinds = [(0, 1), (1, 1), (0, math.inf), (0, 2)]
    around = st.none() | st.builds(
        lambda sort, bounds: Neighbourhood(sort, *bounds), st.integers(0, 1), st.sampled_from(kinds)
    )
    some = st.frozensets(st.integers(0, features - 1))
    return tuple(Sort(name, draw(some), tuple(draw(around) for _ in range(colours))) for name in ("f", "g"))


@given(st.data())
def test_extraction_with_sorts_is_exact_on_graphs_of_these_sorts(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    network = data.draw(networks(signature, activations=ACTIVATIONS))
    sorts = data.draw(sort_systems(len(signature.unary), len(signature.binary)))
    extraction = concepts_of_network(network, sorts)
    graph, of = data.draw(sorted_graphs(sorts, len(signature.unary)))
    derived = apply(network, graph)
    found = evaluate(extraction.concepts, [node for head in extraction.heads for node in head], graph)
    for output, head in enumerate(extraction.heads):
        for vertex, sort in enumerate(of):
            assert found[head[sort]][vertex] == derived[vertex, output]
