"""A network that bounds another from below on tree-like bodies whose siblings may coincide.

For each colour and feature only the best group of children is aggregated: the members of a group are distinct in
every match, the groups may overlap. The bound is what another monotonic network computes on a graph that has a
vertex per group: a layer with k ≥ 2 becomes one that aggregates each group at its vertex, and one that takes the
maximum over the groups. A layer with k ≤ 1 needs no groups.
"""

from __future__ import annotations

import numpy as np

from isolog.correspondence.relevance import adds
from isolog.networks.activation import RELU
from isolog.networks.network import MAX, Layer, Network, Weights


def bounding_network(network: Network) -> Network:
    """The bounding network: its colours are those of the network, and one more for each, from a vertex to its groups.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import SUM
    >>> counting = Layer.from_fractions([[0]], [[[1]]], [-1], SUM)
    >>> bounding_network(Network.canonical(Signature.of(["U"], ["r"]), [counting])).dimensions
    (1, 2, 1)
    """
    layers = [part for layer in network.layers for part in (_in_two(layer) if adds(layer) else [_as_it_is(layer)])]
    colours = (*network.colours, *(f"groups of {colour}" for colour in network.colours))
    return Network(network.signature, network.features, colours, tuple(layers), network.thresholds)


def _as_it_is(layer: Layer) -> Layer:
    ignored = [np.zeros_like(matrix) for matrix in layer.B]
    return Layer(layer.A, (*layer.B, *ignored), layer.b, layer.aggregation, layer.activation, layer.scale)


def _in_two(layer: Layer) -> list[Layer]:
    """A layer with the vertex's own values and, per colour, the aggregates that are read; then the rest of the work."""
    read = [np.flatnonzero(matrix.any(axis=0)) for matrix in layer.B]
    first, *firsts = np.cumsum([layer.inputs, *map(len, read)]).tolist()
    width, places = ([first, *firsts])[-1], [slice(*ends) for ends in zip([first, *firsts], firsts, strict=False)]
    carried, own = np.zeros((width, layer.inputs), np.int64), np.zeros((layer.units, width), layer.A.dtype)
    carried[:first], own[:, :first] = np.eye(first, dtype=np.int64), layer.A
    gathered: list[Weights] = []
    combined: list[Weights] = []
    for matrix, features, place in zip(layer.B, read, places, strict=True):
        gathered.append(np.zeros_like(carried))
        gathered[-1][place, features] = np.eye(len(features), dtype=np.int64)
        combined.append(np.zeros_like(own))
        combined[-1][:, place] = matrix[:, features]
    none, ignored = [np.zeros_like(own)] * len(read), [np.zeros_like(carried)] * len(read)
    bias = np.zeros(width, np.int64)
    return [
        Layer(carried, (*gathered, *ignored), bias, layer.aggregation, RELU),
        Layer(own, (*none, *combined), layer.b, MAX, layer.activation, layer.scale),
    ]
