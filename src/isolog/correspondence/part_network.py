"""The part of a monotonic network that one output sees, in float64, with a bound on what rounding does to it.

The bound is that of `certified.py` with sizes that are known before any tree is: layer by layer, `magnitude` bounds
the absolute values and `error` the distance to the exact ones, for every tree in which no more than `most` neighbours
are aggregated at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.reach import Reach
from isolog.graphs.sorts import Sorts
from isolog.networks.certified import TINY, UP
from isolog.networks.network import MaxKSum
from isolog.networks.prepared import UNIT, Floats, PreparedLayer, PreparedNetwork

_GUARD = 16


@dataclass(frozen=True, eq=False, slots=True)
class PartLayer:
    """One layer between the units that are seen; weights are feature × unit, None where all are zero.

    `bare[s]` are its values at a vertex of sort `s` with no labels and no more neighbours than it must have;
    those that are `silent` are 0 exactly.
    """

    units: NDArray[np.intp]
    own: Floats
    around: tuple[Floats | None, ...]
    bias: Floats
    k: int | float
    whole: PreparedLayer
    bare: Floats
    silent: NDArray[np.bool_]
    error: Floats


@dataclass(frozen=True, eq=False, slots=True)
class PartNetwork:
    """The layers that an output sees, and from which argument of the last σ on it is derived.

    `features` are the labels at all that are seen. An argument that is more than `doubt` away from `needed` is on the
    right side of it; a bound on arguments that is more than `slack` below is a proof.
    """

    features: NDArray[np.intp]
    layers: tuple[PartLayer, ...]
    needed: float
    doubt: float
    slack: float


@np.errstate(all="ignore")
def part_network(prepared: PreparedNetwork, reach: Reach, output: int, sorts: Sorts, most: int) -> PartNetwork:
    """The part that the output sees, for trees of these sorts whose vertices have up to `most` children."""
    seen = [np.flatnonzero(units) for units in reach.everywhere()]
    most = max(1, most, *(around.at_least for sort in sorts for around in sort.neighbours if around is not None))
    layers: list[PartLayer] = []
    bare = np.zeros((len(sorts), len(seen[0])))
    magnitude, error = np.ones(len(seen[0])), np.zeros(len(seen[0]))
    for whole, below, here in zip(prepared.layers, seen, seen[1:]):
        assert isinstance(whole.aggregation, MaxKSum)
        k, own, bias = whole.aggregation.k, whole.own[np.ix_(below, here)], whole.bias[here]
        around = tuple(_around(whole, colour, below, here) for colour in range(len(whole.neighbours)))
        absolute, times = whole.absolute[np.ix_(here, below)], max(1, min(k, most))
        operations = (2 + len(around)) * len(whole.own) + len(around) + most + 4
        magnitude = UP * (absolute @ magnitude * times + np.abs(bias)) + TINY
        error = UP * (absolute @ error * times + operations * UNIT * UP * magnitude) + TINY
        arguments = _bare(own, around, bias, k, bare, sorts)
        bare, silent = whole.activate(arguments), (arguments + error < whole.breaks[0]) & (whole.offsets[0] == 0)
        layers.append(PartLayer(here, own, around, bias, k, whole, bare, silent, error))
        steepest, highest = np.abs(whole.slopes).max(), np.abs(whole.offsets).max()
        error = UP * (steepest * error + 4 * UNIT * (steepest * magnitude + highest)) + TINY
        magnitude = UP * (steepest * magnitude + highest) + TINY
    doubt = float(UP * (layers[-1].error[0] + prepared.slack[output]))
    needed = float(prepared.accepted[0][0][output])
    return PartNetwork(seen[0], tuple(layers), needed, doubt, _GUARD * len(layers) * doubt)


def _around(layer: PreparedLayer, colour: int, below: NDArray[np.intp], here: NDArray[np.intp]) -> Floats | None:
    neighbours = layer.neighbours[colour]
    weights = np.zeros((len(layer.own), len(here)))
    weights[neighbours.features] = neighbours.weights[:, here]
    return weights[below] if weights.any() and layer.aggregation != MaxKSum(0) else None


def _bare(
    own: Floats, around: tuple[Floats | None, ...], bias: Floats, k: int | float, below: Floats, sorts: Sorts
) -> Floats:
    """The arguments of σ at the vertices, one of each sort, that have no more than they must have."""
    arguments = below @ own + bias
    for number, sort in enumerate(sorts):
        for neighbours, weights in zip(sort.neighbours, around, strict=True):
            if neighbours is not None and neighbours.at_least and weights is not None:
                arguments[number] += min(k, neighbours.at_least) * (below[neighbours.sort] @ weights)
    return arguments
