"""Alg. 1, Def. 8: the capacity of a network, the number of neighbours beyond which nothing new is derived.

Two things differ from the printed algorithm. A layer whose least bias is already enough has capacity 0, where line 8
would be negative; and the early return sets the capacities of that layer and of *all* layers below it to 0.

With one threshold per output, α_L is the largest: an output that both networks of Thm. 2 lift above α_L is derived by
both whatever its own threshold, and every other output has the same value in both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from isolog.correspondence.values import END, START, ValueSets
from isolog.errors import LimitError
from isolog.networks.activation import Activation
from isolog.networks.network import Aggregation, Layer, MaxKSum, Network


@dataclass(frozen=True, slots=True)
class LayerCapacity:
    """C_l, and α_l, β_l, w_l, x_l, b_l of Alg. 1 as far as the algorithm came: None is what it did not reach.

    Without `exact`, finding x_l took too many steps: `least_value` is a lower bound of it, `capacity` an upper bound.
    """

    capacity: int
    aggregation: Aggregation
    exact: bool = True
    alpha: Fraction | None = None
    beta: int | None = None
    least_weight: Fraction | None = None
    least_value: Fraction | None = None
    least_bias: Fraction | None = None


@dataclass(frozen=True, slots=True)
class CapacityReport:
    """The capacity of every layer, from the first to the last, and of the network."""

    layers: tuple[LayerCapacity, ...]
    capacity: int

    @property
    def exact(self) -> bool:
        """Whether every capacity is the one of Alg. 1; an upper bound serves Thm. 2 just as well."""
        return all(layer.exact for layer in self.layers)


def capacity(network: Network, steps: int = 1_000_000) -> CapacityReport:
    """The capacities of a monotonic max-sum network; past the budget of steps, upper bounds of them.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import SUM
    >>> layer = Layer.from_fractions([[0]], [[[Fraction(1, 4)]]], [0], SUM)
    >>> capacity(Network.canonical(Signature.of(["U"], ["E"]), [layer, layer])).capacity
    16
    """
    sets = ValueSets(network, steps)
    least_values = [_least_value(sets, below, units) for below, units in enumerate(network.dimensions[:-1])]
    alpha = max(network.thresholds, default=Fraction(0))
    layers = [LayerCapacity(0, layer.aggregation) for layer in network.layers]
    for index, layer in reversed(list(enumerate(network.layers))):
        least_value, is_exact = least_values[index]
        reached = replace(layers[index], alpha=alpha, least_weight=_least_weight(layer), least_value=least_value)
        if reached.least_weight is None or least_value is None:
            layers[index] = reached
            break
        beta, least_bias = _least_natural(layer.activation, alpha), min(layer.exact_bias())
        alpha = (beta - least_bias) / reached.least_weight
        enough = max(0, math.ceil(alpha / least_value))
        limit = int(min(_bound(layer), enough))
        # Any x_l gives at least 1 where it gives more than 0, so up to 1 a bound of x_l is as good as x_l.
        layers[index] = replace(reached, capacity=limit, exact=is_exact or limit <= 1, beta=beta, least_bias=least_bias)
    return CapacityReport(tuple(layers), max(layer.capacity for layer in layers))


def _least_value(sets: ValueSets, layer: int, units: int) -> tuple[Fraction | None, bool]:
    """The least positive number in ⋃_i X_{l,i}, and whether it is exact or a lower bound; None if there is none."""
    found = [_least_positive(sets, layer, unit) for unit in range(1, units + 1) if sets.largest(layer, unit) != 0]
    least, is_bound = min(found, default=(None, False))
    return least, not is_bound


def _least_positive(sets: ValueSets, layer: int, unit: int) -> tuple[Fraction, bool]:
    """The least positive element of X_{l,i}, of which there is one; or one step of the grid, marked as a bound."""
    try:
        start = sets.next(layer, unit, START)
        value = start if start is END or start > 0 else sets.next(layer, unit, 0)
    except LimitError:
        return Fraction(1, sets.grid(layer)), True
    assert value is not END
    return value, False


def _least_weight(layer: Layer) -> Fraction | None:
    """w_l: the least entry of the matrices that is not zero."""
    matrices = [layer.exact_rows(matrix) for matrix in (layer.A, *layer.B)]
    return min((weight for rows in matrices for row in rows for _, weight in row), default=None)


def _least_natural(activation: Activation, alpha: Fraction) -> int:
    """β_l: the least natural number, counting from 1, with σ(β) ≥ α."""
    least = activation.least_argument(alpha)
    return 1 if least is None else max(1, math.ceil(least))


def _bound(layer: Layer) -> int | float:
    assert isinstance(layer.aggregation, MaxKSum)
    return layer.aggregation.k
