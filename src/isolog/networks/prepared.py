"""A network made ready for float64: rounded weights, and what is known of the rounding before any graph is seen.

Values are held times the odd part of their exact denominator (`scales.py`). The rest of the denominator is a power
of two, so whatever is computed is a multiple of some `2^-bits`, and float64 computes it without rounding as long as
it is at most `2^(53 - bits)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isolog.networks.exact_array import nearest_float
from isolog.networks.network import Aggregation, Layer, Mean, Network, Weights
from isolog.networks.scales import LayerScale, scales
from isolog.networks.superlevel import superlevel

Floats = NDArray[np.float64]

UNIT = 2.0**-53
"""u: one operation of float64 has a relative error of at most u."""

FLOOR = 2.0**-960
"""Added to absolute weights, so that the bounds hold even where subnormal numbers are flushed to zero."""

_FINEST = 1000
"""More fractional bits than this may run into subnormal numbers."""


@dataclass(frozen=True, eq=False, slots=True)
class Neighbours:
    """What a layer reads from the neighbours in one colour: some features, and their weights (feature × unit)."""

    features: NDArray[np.intp]
    weights: Floats


@dataclass(frozen=True, eq=False, slots=True)
class PreparedLayer:
    """One layer in float64, with the scales of `scales.py`.

    `own` is feature × unit, `absolute` is unit × feature: the sum of the absolute values of all matrices.
    Aggregates, arguments of σ and its values are computed without rounding up to the absolute values `exact_…`, which
    are negative where nothing is promised.
    """

    own: Floats
    neighbours: tuple[Neighbours, ...]
    bias: Floats
    absolute: Floats
    aggregation: Aggregation
    breaks: Floats
    slopes: Floats
    offsets: Floats
    exact_aggregate: float
    exact_argument: float
    exact_value: float

    def activate(self, argument: Floats) -> Floats:
        """σ, choosing the linear piece without error."""
        if np.array_equal(self.slopes, [0, 1]) and not self.offsets.any():
            return np.maximum(argument, 0.0)
        piece = np.searchsorted(self.breaks, argument, "right")
        return self.slopes[piece] * argument + self.offsets[piece]


@dataclass(frozen=True, eq=False, slots=True)
class PreparedNetwork:
    """A network with its layers in float64; preparing it once pays when it is applied to many graphs.

    `accepted` holds closed intervals `(low, high)`, each an array with one number per output: an argument of the last
    activation derives the fact iff it lies in one of them. The ends are rounded inwards, which no float64 number can
    notice, and are less than `slack` from the exact ones.
    """

    network: Network
    layers: tuple[PreparedLayer, ...]
    accepted: tuple[tuple[Floats, Floats], ...]
    slack: Floats


def prepare(network: Network) -> PreparedNetwork:
    """The network ready to be applied; any network can be.

    >>> from isolog.facts.signature import Signature
    >>> thirds = Layer.from_fractions([[Fraction(1, 3)]], [], [1])
    >>> prepare(Network.canonical(Signature.of(["A"]), [thirds])).layers[0].own
    array([[1.]])
    """
    layers: list[PreparedLayer] = []
    below, argument, averaged = 1, 1, False
    for layer, scale in zip(network.layers, scales(network), strict=True):
        averaged |= isinstance(layer.aggregation, Mean)
        layers.append(_prepare(layer, scale, below, averaged))
        below, argument = scale.value, scale.argument
    return PreparedNetwork(network, tuple(layers), *_accepted(network, _split(argument)[0]))


def _prepare(layer: Layer, scale: LayerScale, below: int, averaged: bool) -> PreparedLayer:
    """`below` is the denominator of the values below; a mean there or here leaves no multiples of a power of two."""
    odd, _ = _split(scale.weights)
    own = _rounded(layer.A, layer.scale, odd)
    others = [_rounded(matrix, layer.scale, odd) for matrix in layer.B]
    used = [np.flatnonzero(matrix.any(axis=0)) for matrix in layer.B]
    odd_below, lower = _split(below)
    argument, value = _split(scale.argument)[1], _split(scale.value)[1]
    bias = [nearest_float(entry * odd * odd_below) for entry in layer.exact_bias()]
    with np.errstate(over="ignore"):
        absolute = sum((np.abs(other) for other in others), np.abs(own) + FLOOR)
    return PreparedLayer(
        own=np.ascontiguousarray(own.T),
        neighbours=tuple(Neighbours(some, other.T[some]) for some, other in zip(used, others)),
        bias=np.array(bias, float),
        absolute=absolute,
        aggregation=layer.aggregation,
        breaks=np.array([_above(x / 2**argument) for x in scale.breaks]),
        slopes=np.array([nearest_float(Fraction(slope * 2**argument, 2**value)) for slope in scale.slopes]),
        offsets=np.array([nearest_float(Fraction(offset, 2**value)) for offset in scale.offsets]),
        exact_aggregate=-1.0 if averaged else _exact_up_to(lower),
        exact_argument=_exact_up_to(argument),
        exact_value=_exact_up_to(value),
    )


def _accepted(network: Network, odd: int) -> tuple[tuple[tuple[Floats, Floats], ...], Floats]:
    """The fields `accepted` and `slack`; `odd` is what the arguments of the last activation are held times."""
    found = [superlevel(network.layers[-1].activation, threshold) for threshold in network.thresholds]
    most = max(map(len, found), default=0)
    low, high = np.full((most, len(found)), np.inf), np.full((most, len(found)), -np.inf)
    slack = np.zeros(len(found))
    for output, intervals in enumerate(found):
        for place, (first, last) in enumerate(intervals):
            low[place, output] = -np.inf if first is None else _above(first * odd)
            high[place, output] = np.inf if last is None else -_above(-last * odd)
            ends = [abs(nearest_float(end * odd)) for end in (first, last) if end is not None]
            slack[output] = max(slack[output], *(4 * UNIT * end + FLOOR for end in ends), 0.0)
    return tuple(zip(low, high)), slack


def _rounded(entries: Weights, scale: int, odd: int) -> Floats:
    """`entries · odd / scale`, each rounded to the nearest float64."""
    if entries.dtype.kind == "f":
        return entries.astype(np.float64)
    divisor = scale // odd
    if divisor <= 2**53 and entries.dtype != object and not ((entries > 2**53) | (entries < -(2**53))).any():
        return entries / float(divisor)
    flat = [nearest_float(Fraction(int(entry), divisor)) for entry in entries.flat]
    return np.array(flat, float).reshape(entries.shape)


def _above(number: Fraction) -> float:
    """The least float64 that is at least the number."""
    nearest = nearest_float(number)
    return nearest if nearest >= number else math.nextafter(nearest, math.inf)


def _split(number: int) -> tuple[int, int]:
    """The odd part of a positive integer, and how many times it has the factor two."""
    twos = (number & -number).bit_length() - 1
    return number >> twos, twos


def _exact_up_to(bits: int) -> float:
    return 2.0 ** (53 - bits) if bits <= _FINEST else -1.0
