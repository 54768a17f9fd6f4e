"""The concepts of a network hold at a vertex iff the network derives the output there."""

from hypothesis import given
from hypothesis import strategies as st

from isolog.concepts.dag import Concepts
from isolog.concepts.evaluate import evaluate
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.regression import Regression
from isolog.encodings.canonical import encode
from isolog.networks.exact import apply
from support.sorted_graphs import sort_systems, sorted_graphs
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
