"""Eq. (2) in float64, with a proof of how far each value can be from the exact one.

Per layer there are vectors `magnitude` and `error` (one number per unit), and per vertex two numbers, `size` and
`doubt`, such that the value computed at vertex v and unit i is at most `magnitude[i] · size[v]` in absolute value and
differs from the exact one by at most `error[i] · doubt[v]`. At layer 0 all is exact: magnitude 1, error 0, size 1,
doubt 0. From one layer to the next:

* The max-k-sum or mean of numbers that are at most `m · size[u]` is at most `m` times that of the sizes; and when each
  number changes by at most `e · doubt[u]`, it changes by at most `e` times that of the doubts. So sizes and doubts are
  aggregated like values, and those of v become the largest of its own and of the aggregates of all colours.
* One operation gives `(a ∘ b)(1 + δ)` with |δ| ≤ u = 2^-53. A term of an argument of σ passes at most N operations: the
  rounding of its weight, the additions (and division) in its aggregate, one multiplication, and no more additions than
  there are terms. In whatever order, and fused or not, they change the argument by at most γ_N = N·u / (1 − N·u) times
  the sum of the absolute values of its terms, which is at most `(absolute @ magnitude + |bias|) · size[v]`.
* The errors from below change it by at most `(absolute @ error) · doubt[v]`.
* σ multiplies both by at most its steepest slope; its multiplication and its addition, and the rounding of slope and
  offset, are four more operations. The linear piece is chosen without error.
* Nothing rounds where all results are multiples of 2^-bits and at most 2^(53 - bits) (`prepared.py`). A vertex whose
  terms are that small keeps the doubt that it has from below; the doubt of any other is at least its size. So a doubt
  of 0 says that a value *is* the exact one.

The bounds are themselves computed in float64, upwards: the factor UP is more than what sums of up to 2^31 nonnegative
terms lose, and more than 1 / (1 − N·u); TINY is more than what underflow takes away, even where subnormal numbers are
flushed to zero. Overflow makes bounds infinite or NaN, and all comparisons are written so that these mean doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks.aggregation import aggregate, blocks, largest_count
from isolog.networks.prepared import UNIT, Floats, Neighbours, PreparedLayer, PreparedNetwork

UP = 1 + 2.0**-20
TINY = 2.0**-900
_BLOCK = 2**21


@dataclass(frozen=True, eq=False, slots=True)
class Approximation:
    """A labelling in float64 and its bound: a row per vertex, its values and then its size and its doubt."""

    rows: Floats
    magnitude: Floats
    error: Floats

    @property
    def values(self) -> Floats:
        """Vertex × unit."""
        return self.rows[:, :-2]

    @property
    def bound(self) -> Floats:
        """How far each value can be from the exact one."""
        return UP * self.rows[:, -1:] * self.error


def unlabelled(graph: ColouredGraph) -> Approximation:
    """The Boolean features of the graph, which are exact."""
    vertices, features = graph.features.shape
    rows = np.zeros((vertices, features + 2))
    rows[:, :-2] = graph.features
    rows[:, -2] = 1
    return Approximation(rows, np.ones(features), np.zeros(features))


def propagate(layer: PreparedLayer, graph: ColouredGraph, below: Approximation) -> Approximation:
    """The labelling that the layer makes of the one below."""
    magnitude, error, exact = _bounds(layer, graph, below)
    steepest, highest = np.abs(layer.slopes).max(), np.abs(layer.offsets).max()
    largest = steepest * magnitude.max(initial=0) + highest + TINY
    rows = _arguments(layer, graph, below, np.minimum(exact, layer.exact_value / largest))
    seen = np.full(len(layer.bias), TINY)
    for block in _blocks(rows):
        rows[block, :-2] = values = layer.activate(rows[block, :-2])
        np.maximum(seen, (np.abs(values) / rows[block, -2:-1]).max(axis=0, initial=0), out=seen)
    error = UP * (steepest * error + 4 * UNIT * (steepest * magnitude + highest)) + TINY
    return Approximation(rows, UP * seen, error)


def decide(
    prepared: PreparedNetwork, graph: ColouredGraph, below: Approximation
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], bool]:
    """The labels that the last layer makes of the labelling below, which are in doubt, and whether anything rounded."""
    layer = prepared.layers[-1]
    _, error, exact = _bounds(layer, graph, below)
    rows = _arguments(layer, graph, below, exact)
    labels = np.zeros((graph.vertices, len(layer.bias)), bool)
    doubtful = np.zeros_like(labels)
    for block in _blocks(rows):
        argument, doubt = rows[block, :-2], rows[block, -1:]
        bound = UP * doubt * error + prepared.slack
        for low, high in prepared.accepted:
            labels[block] |= (argument >= low) & (argument <= high)
            sure = (np.abs(argument - low) > bound) & (np.abs(argument - high) > bound)
            doubtful[block] |= ~sure & (doubt > 0)
    return labels, doubtful, bool(rows[:, -1].any())


def _bounds(layer: PreparedLayer, graph: ColouredGraph, below: Approximation) -> tuple[Floats, Floats, float]:
    """Magnitude and error of the arguments of σ, and the size up to which nothing rounds before σ."""
    read = [len(neighbours.features) for neighbours in layer.neighbours]
    added = [largest_count(layer.aggregation, adjacency) for adjacency in graph.colours]
    operations = len(layer.own) + sum(read) + len(read) + max(added, default=0) + 4
    magnitude = UP * (layer.absolute @ below.magnitude + np.abs(layer.bias)) + TINY
    error = UP * (layer.absolute @ below.error + operations * UNIT * UP * magnitude) + TINY
    in_sums = layer.exact_aggregate / below.magnitude.max(initial=TINY)
    return magnitude, error, np.minimum(in_sums, layer.exact_argument / magnitude.max(initial=TINY))


def _arguments(layer: PreparedLayer, graph: ColouredGraph, below: Approximation, exact: float) -> Floats:
    """A row per vertex: the arguments of σ, the new size and doubt. Up to the size `exact` nothing rounds."""
    rows = np.empty((graph.vertices, len(layer.bias) + 2))
    np.matmul(below.values, layer.own, out=rows[:, :-2])
    rows[:, :-2] += layer.bias
    rows[:, -2:] = below.rows[:, -2:]
    for adjacency, neighbours in zip(graph.colours, layer.neighbours, strict=True):
        if len(neighbours.features):
            _add(layer, adjacency, neighbours, below, rows)
    size, doubt = rows[:, -2], rows[:, -1]
    np.maximum(size, doubt, out=doubt, where=~(size <= exact))
    return rows


def _add(
    layer: PreparedLayer, adjacency: Adjacency, neighbours: Neighbours, below: Approximation, rows: Floats
) -> None:
    """Lets the rows of those vertices that have neighbours in one colour depend on them."""
    read, width = below.rows, below.values.shape[1]
    if len(neighbours.features) < width:
        read = read.take([*neighbours.features, width, width + 1], axis=1)
    some = np.flatnonzero(adjacency.degrees)
    edges = Adjacency(np.append(adjacency.starts[some], len(adjacency.targets)), adjacency.targets)
    for block in blocks(edges.starts + np.arange(len(some) + 1), _BLOCK // max(rows.shape[1], read.shape[1])):
        aggregates, changed = aggregate(layer.aggregation, edges, read, block), rows[some[block]]
        changed[:, :-2] += aggregates[:, :-2] @ neighbours.weights
        changed[:, -2:] = np.maximum(changed[:, -2:], UP * aggregates[:, -2:])
        rows[some[block]] = changed


def _blocks(rows: Floats) -> Iterator[slice]:
    return blocks(np.arange(len(rows) + 1), _BLOCK // rows.shape[1])
