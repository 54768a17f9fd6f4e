"""Eq. (2) word by word, in exact arithmetic: what applying a network means, for every network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isolog.graphs.graph import ColouredGraph
from isolog.networks.network import Aggregation, Layer, MaxKSum, Mean, Network

Labelling = list[list[Fraction]]


def aggregate(aggregation: Aggregation, values: Sequence[Fraction]) -> Fraction:
    """Def. 5 and the mean; the empty multiset gives 0 for every aggregation.

    >>> aggregate(MaxKSum(3), [Fraction(n) for n in (0, 1, 1, 2, 2, 5)])
    Fraction(9, 1)
    """
    match aggregation:
        case MaxKSum(k):
            largest = sorted(values, reverse=True)
            return sum(largest if k == math.inf else largest[: int(k)], Fraction(0))
        case Mean():
            return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


def trace(network: Network, graph: ColouredGraph) -> list[Labelling]:
    """The labellings λ_0, …, λ_L that the network induces on the graph: `trace(N, G)[l][v][i]`."""
    labellings = [[[Fraction(int(value)) for value in row] for row in graph.features]]
    for layer in network.layers:
        labellings.append(_propagate(layer, graph, labellings[-1]))
    return labellings


def apply(network: Network, graph: ColouredGraph) -> NDArray[np.bool_]:
    """Which outputs reach their threshold, per vertex."""
    final = trace(network, graph)[-1]
    reached = [[value >= t for value, t in zip(row, network.thresholds, strict=True)] for row in final]
    return np.array(reached, bool).reshape(graph.vertices, len(network.thresholds))


def _propagate(layer: Layer, graph: ColouredGraph, below: Labelling) -> Labelling:
    own = layer.exact_rows(layer.A)
    others = [layer.exact_rows(matrix) for matrix in layer.B]
    bias = layer.exact_bias()
    labelling: Labelling = []
    for vertex in range(graph.vertices):
        aggregates = [
            [
                aggregate(layer.aggregation, [below[u][j] for u in adjacency.neighbours(vertex)])
                for j in range(layer.inputs)
            ]
            for adjacency in graph.colours
        ]
        row: list[Fraction] = []
        for i in range(layer.units):
            z = sum((weight * below[vertex][j] for j, weight in own[i]), bias[i])
            for matrix, values in zip(others, aggregates, strict=True):
                z += sum(weight * values[j] for j, weight in matrix[i])
            row.append(layer.activation(z))
        labelling.append(row)
    return labelling
