"""The fast application of a network is the one that eq. (2) defines, for every network, graph and threshold."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isolog.encodings.canonical import encode
from isolog.facts.signature import Signature
from isolog.graphs.graph import ColouredGraph
from isolog.networks import exact
from isolog.networks.activation import RELU, piecewise_linear
from isolog.networks.apply import labels
from isolog.networks.certified import propagate, unlabelled
from isolog.networks.network import Layer, MaxKSum, Mean, Network
from isolog.networks.prepared import prepare
from isolog.networks.recompute import ExactLabelling
from isolog.networks.scales import scales
from support.strategies import ACTIVATIONS, AGGREGATIONS, datasets, networks, small_signatures

ANY_AGGREGATION = (*AGGREGATIONS, MaxKSum(4), Mean())
UP_AND_DOWN = piecewise_linear([(-1, 2), (0, -1), (Fraction(1, 3), 1)], Fraction(-1, 2))
ANY_ACTIVATION = (*ACTIVATIONS, UP_AND_DOWN)

coarse = st.integers(-6, 6).map(lambda n: n / 4)
wide = st.builds(
    lambda sign, mantissa, exponent: sign * math.ldexp(mantissa, exponent),
    st.sampled_from([1, 1, -1]),
    st.sampled_from([1.0, 1.0, 1.5, 0.1, 1 / 3, 1 + 2**-52]),
    st.one_of(st.integers(-140, 6), st.integers(-2, 2)),
)
extreme = st.sampled_from([0.0, 1.0, -1.0, 5e-324, 2.0**-1022, 2.0**-600, 2.0**600, -(2.0**1000), 1.7e308])
thirds = st.integers(-6, 6).map(lambda n: Fraction(n, 3))


@st.composite
def float_networks(draw: st.DrawFn, signature: Signature) -> Network:
    """A network of float64 layers; now and then one of rational numbers, or one far out in the range of float64."""
    outputs = len(signature.unary)
    sizes = [outputs, *draw(st.lists(st.integers(1, 3), max_size=3)), outputs]
    layers: list[Layer] = []
    for below, units in pairwise(sizes):
        entries = draw(st.sampled_from([coarse, wide, wide | st.just(0.0), wide | coarse, thirds, extreme]))
        matrix = st.lists(st.lists(entries, min_size=below, max_size=below), min_size=units, max_size=units)
        own, others = draw(matrix), [draw(matrix) for _ in signature.binary]
        bias = draw(st.lists(entries, min_size=units, max_size=units))
        chosen = draw(st.sampled_from(ANY_AGGREGATION)), draw(st.sampled_from((RELU, *ANY_ACTIVATION)))
        if entries is thirds:
            layers.append(Layer.from_fractions(own, others, bias, *chosen))
        else:
            layers.append(Layer(np.array(own), tuple(map(np.array, others)), np.array(bias), *chosen))
    return Network.canonical(signature, layers)


def at_reachable_values(data: st.DataObject, network: Network, graph: ColouredGraph) -> Network:
    """The network with every threshold exactly where some vertex is."""
    final = exact.trace(network, graph)[-1]
    if not final:
        return network
    vertices = st.integers(0, len(final) - 1)
    return replace(network, thresholds=tuple(final[data.draw(vertices)][i] for i in range(len(final[0]))))


@given(st.data())
def test_rational_networks(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    monotonic = data.draw(st.booleans())
    activations = ACTIVATIONS if monotonic else ANY_ACTIVATION
    network = data.draw(networks(signature, 4, 3, ANY_AGGREGATION, activations, monotonic=monotonic))
    graph = encode(data.draw(datasets(signature)), signature)
    assert (labels(network, graph) == exact.apply(network, graph)).all()
    tight = at_reachable_values(data, network, graph)
    assert (labels(tight, graph) == exact.apply(tight, graph)).all()


@given(st.data())
def test_float_networks_with_thresholds_on_reachable_values(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    graph = encode(data.draw(datasets(signature, facts=14)), signature)
    network = at_reachable_values(data, data.draw(float_networks(signature)), graph)
    assert (labels(network, graph) == exact.apply(network, graph)).all()


@given(st.data())
def test_the_bound_is_a_bound(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    network = data.draw(float_networks(signature))
    graph = encode(data.draw(datasets(signature, facts=14)), signature)
    approximation = unlabelled(graph)
    layers = zip(prepare(network).layers, scales(network), exact.trace(network, graph)[1:], strict=True)
    for layer, scale, labelling in layers:
        with np.errstate(all="ignore"):
            approximation = propagate(layer, graph, approximation)
            bound = approximation.bound
        odd = scale.value // (scale.value & -scale.value)
        for place, value in np.ndenumerate(approximation.values):
            if math.isfinite(bound[place]):
                assert abs(Fraction(value) - labelling[place[0]][place[1]] * odd) <= Fraction(bound[place])


@given(st.data())
def test_a_vertex_without_doubt_has_the_exact_values(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    network = data.draw(networks(signature, 4, 3, activations=ANY_ACTIVATION, monotonic=False))
    graph = encode(data.draw(datasets(signature)), signature)
    approximation = unlabelled(graph)
    layers = zip(prepare(network).layers, scales(network), exact.trace(network, graph)[1:], strict=True)
    for layer, scale, labelling in layers:
        approximation = propagate(layer, graph, approximation)
        odd = scale.value // (scale.value & -scale.value)
        assert not approximation.bound.any()
        assert [[Fraction(value) / odd for value in row] for row in approximation.values] == labelling


@given(st.data())
def test_recomputed_arguments_are_those_of_the_activation(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    network = data.draw(float_networks(signature))
    graph = encode(data.draw(datasets(signature)), signature)
    labelling = ExactLabelling(network, graph)
    asked = data.draw(st.lists(st.sampled_from(range(graph.vertices)), unique=True)) if graph.vertices else []
    for level, layer in enumerate(network.layers, 1):
        values = exact.trace(network, graph)[level]
        for unit in range(layer.units):
            found = labelling.arguments(level, unit, np.array(asked, np.int64))
            assert [layer.activation(z) for z in found] == [values[vertex][unit] for vertex in asked]
