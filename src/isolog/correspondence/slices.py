"""The part of a network that one output reads: the same output, from fewer units and features."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks.network import Layer, Network, Weights


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """A network in which `output` alone is derived; its features are those that it reads, and its own.

    `features` are their numbers in the whole network, `read` says which of them matter, and `colours` along which
    colours some layer reads.
    """

    network: Network
    output: int
    features: NDArray[np.intp]
    read: NDArray[np.bool_]
    colours: NDArray[np.bool_]

    def graph(self, graph: ColouredGraph) -> ColouredGraph:
        """The graph as the slice reads it."""
        none = Adjacency(np.zeros(graph.vertices + 1, np.int64), np.empty(0, np.int32))
        colours = tuple(each if read else none for each, read in zip(graph.colours, self.colours, strict=True))
        return ColouredGraph(np.ascontiguousarray(graph.features[:, self.features]), colours)


def network_slice(network: Network, output: int) -> Slice:
    """What the output reads.

    >>> from isolog.networks.network import Layer
    >>> layer = Layer.from_fractions([[0, 1], [1, 0]], [[[0, 0], [1, 1]]], [0, 0])
    >>> part = network_slice(Network.canonical(Signature.of(["A", "B"], ["r"]), [layer]), 0)
    >>> part.features.tolist(), part.read.tolist(), part.colours.tolist(), part.network.dimensions
    ([0, 1], [False, True], [False], (2, 2))
    """
    seen = [np.array([output])]
    for layer in reversed(network.layers):
        rows = [matrix[seen[0]] for matrix in (layer.A, *layer.B)]
        seen.insert(0, np.flatnonzero(np.any([(matrix != 0).any(axis=0) for matrix in rows], axis=0)))
    features = np.union1d(seen[0], [output])
    kept = [features, *seen[1:-1], features]
    layers = [_part(layer, below, here) for layer, below, here in zip(network.layers, kept, kept[1:], strict=False)]
    place = int(np.searchsorted(features, output))
    layers[-1] = _alone(layers[-1], place)
    colours = [any(bool((layer.B[c] != 0).any()) for layer in layers) for c in range(len(network.colours))]
    names = tuple(network.features[j] for j in features)
    thresholds = tuple(network.thresholds[j] if j == output else Fraction(1) for j in features)
    sliced = Network(Signature.of(names), names, network.colours, tuple(layers), thresholds)
    return Slice(sliced, place, features, np.isin(features, seen[0]), np.array(colours, bool))


def _part(layer: Layer, below: NDArray[np.intp], here: NDArray[np.intp]) -> Layer:
    own, *others = [matrix[np.ix_(here, below)] for matrix in (layer.A, *layer.B)]
    return replace(layer, A=own, B=tuple(others), b=layer.b[here])


def _alone(layer: Layer, output: int) -> Layer:
    """The layer in which every unit but the output reads nothing and has no bias."""
    others = np.arange(layer.units) != output

    def silenced(entries: Weights) -> Weights:
        entries = entries.copy()
        entries[others] = 0
        return entries

    return replace(layer, A=silenced(layer.A), B=tuple(map(silenced, layer.B)), b=silenced(layer.b))
