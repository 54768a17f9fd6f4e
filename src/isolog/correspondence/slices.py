"""The part of a network that one output reads: the same output, from fewer units and features."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks.network import Layer, Network


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """A network with one output, the features that it reads, and the colours that some layer of it reads along."""

    network: Network
    features: NDArray[np.intp]
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
    >>> part.features.tolist(), part.colours.tolist(), part.network.dimensions
    ([1], [False], (1, 1))
    """
    wanted = np.array([output])
    layers: list[Layer] = []
    for layer in reversed(network.layers):
        rows = [matrix[wanted] for matrix in (layer.A, *layer.B)]
        below = np.flatnonzero(np.any([(matrix != 0).any(axis=0) for matrix in rows], axis=0))
        own, *others = [matrix[:, below] for matrix in rows]
        layers.insert(0, replace(layer, A=own, B=tuple(others), b=layer.b[wanted]))
        wanted = below
    colours = [any(bool((layer.B[c] != 0).any()) for layer in layers) for c in range(len(network.colours))]
    features = tuple(network.features[j] for j in wanted)
    sliced = Network(Signature.of(features), features, network.colours, tuple(layers), (network.thresholds[output],))
    return Slice(sliced, wanted, np.array(colours, bool))
