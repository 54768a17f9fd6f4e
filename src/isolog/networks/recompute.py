"""Eq. (2) in integer arithmetic at single vertices and units: what float64 leaves in doubt is settled here."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks.aggregation import aggregate
from isolog.networks.exact_array import ExactArray
from isolog.networks.network import Network
from isolog.networks.scales import LayerScale, scales

Numerators = NDArray[Any]
"""Python integers, over a denominator of `scales.py`; fractions above a layer that takes means."""

Numbers = NDArray[np.integer]


class ExactLabelling:
    """The labellings that a network induces on a graph, of which only what is asked for is computed, and only once."""

    def __init__(self, network: Network, graph: ColouredGraph) -> None:
        self.network, self.graph = network, graph
        self.scales = scales(network)
        self._known = [np.zeros((graph.vertices, units), bool) for units in network.dimensions[1:]]
        self._values: list[Numerators] = [np.empty(known.shape, object) for known in self._known]
        self._numerators: dict[int, list[Numerators]] = {}

    def arguments(self, layer: int, unit: int, vertices: Numbers) -> list[Fraction]:
        """What σ is applied to in a layer (counted from 1) at a unit (counted from 0), per vertex."""
        numerators = self._arguments(layer, np.array([unit]), vertices)[:, 0]
        return [Fraction(z) / self.scales[layer - 1].argument for z in numerators]

    def reaches(self, output: int, vertices: Numbers) -> NDArray[np.bool_]:
        """Whether the output reaches its threshold, per vertex."""
        activation, threshold = self.network.layers[-1].activation, self.network.thresholds[output]
        arguments = self.arguments(len(self.network.layers), output, vertices)
        return np.array([activation(z) >= threshold for z in arguments], bool)

    def _labels(self, layer: int, units: Numbers, vertices: Numbers) -> Numerators:
        """Vertex × unit, for distinct vertices; layer 0 is the graph's features."""
        chosen = np.ix_(vertices, units)
        if layer == 0:
            return self.graph.features[chosen].astype(np.int64).astype(object)
        known, values = self._known[layer - 1], self._values[layer - 1]
        new = np.ix_(vertices[~known[chosen].all(axis=1)], units)
        values[new] = _activate(self.scales[layer - 1], self._arguments(layer, units, new[0][:, 0]))
        known[new] = True
        return values[chosen]

    def _arguments(self, layer: int, units: Numbers, vertices: Numbers) -> Numerators:
        scale, (*matrices, bias) = self.scales[layer - 1], self._weights(layer)
        rows, inputs = [np.zeros((len(units), 0), object)], [np.zeros((len(vertices), 0), object)]
        for matrix, adjacency in zip(matrices, (None, *self.graph.colours), strict=True):
            entries = matrix[units]
            read = np.flatnonzero(entries.any(axis=0))
            if len(read):
                rows.append(entries[:, read])
                inputs.append(self._inputs(layer, adjacency, read, vertices))
        return _weighted(np.hstack(rows), np.hstack(inputs)) + bias[units] * (scale.argument // scale.weights)

    def _weights(self, layer: int) -> list[Numerators]:
        """A, the B of each colour and b, over the common denominator."""
        if layer not in self._numerators:
            weights, scale = self.network.layers[layer - 1], self.scales[layer - 1].weights
            arrays = (weights.A, *weights.B, weights.b)
            self._numerators[layer] = [ExactArray(x, weights.scale).over(scale).astype(object) for x in arrays]
        return self._numerators[layer]

    def _inputs(self, layer: int, adjacency: Adjacency | None, read: Numbers, vertices: Numbers) -> Numerators:
        """Vertex × feature of the layer below: the vertex's own values, or the aggregates in one colour."""
        if adjacency is None:
            return self._labels(layer - 1, read, vertices)
        reached, local = _restrict(adjacency, vertices)
        return aggregate(self.network.layers[layer - 1].aggregation, local, self._labels(layer - 1, read, reached))


def _weighted(rows: Numerators, inputs: Numerators) -> Numerators:
    """Vertex × unit: `inputs @ rows.T`, once for vertices with the same inputs."""
    distinct: dict[tuple[Any, ...], int] = {}
    places = [distinct.setdefault(tuple(row), len(distinct)) for row in inputs]
    values = np.array([*distinct], object).reshape(len(distinct), rows.shape[1])
    result = np.zeros((len(distinct), len(rows)), object)
    for unit, row in enumerate(rows):
        some = np.flatnonzero(row)
        result[:, unit] = values[:, some] @ row[some]
    return result[places]


def _activate(scale: LayerScale, arguments: Numerators) -> Numerators:
    values = np.empty(arguments.shape, object)
    for place, z in np.ndenumerate(arguments):
        piece = bisect_right(scale.breaks, z)
        values[place] = scale.slopes[piece] * z + scale.offsets[piece]
    return values


def _restrict(adjacency: Adjacency, vertices: Numbers) -> tuple[Numbers, Adjacency]:
    """The neighbours of the vertices, and the edges from the vertices to them with both renumbered from 0."""
    first, last = adjacency.starts[vertices], adjacency.starts[vertices + 1]
    starts = np.concatenate([[0], np.cumsum(last - first)])
    edges = np.repeat(first - starts[:-1], last - first) + np.arange(starts[-1])
    reached, targets = np.unique(adjacency.targets[edges], return_inverse=True)
    return reached, Adjacency(starts, targets.astype(np.int32))
