"""Common denominators of a network's values, layer by layer, so that eq. (2) is integer arithmetic.

With these scales an argument of σ is an integer over `argument` and a value of σ an integer over `value`
(the mean alone leaves the integers: it divides by the number of neighbours).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from isolog.networks.activation import Activation
from isolog.networks.exact_array import ExactArray
from isolog.networks.network import Layer, Network


@dataclass(frozen=True, slots=True)
class LayerScale:
    """The denominators at one layer, and its activation between them.

    The value's numerator is `slopes[k] · z + offsets[k]`, `z` the argument's numerator and `k` the number of
    `breaks` that are at most `z`.
    """

    weights: int
    argument: int
    value: int
    breaks: tuple[Fraction, ...]
    slopes: tuple[int, ...]
    offsets: tuple[int, ...]


def scales(network: Network) -> tuple[LayerScale, ...]:
    """The least denominators that suffice whatever the graph.

    >>> from isolog.facts.signature import Signature
    >>> halves = Layer.from_fractions([[Fraction(1, 2)]], [], [1])
    >>> [scale.value for scale in scales(Network.canonical(Signature.of(["A"]), [halves, halves]))]
    [2, 4]
    """
    found: list[LayerScale] = []
    for layer in network.layers:
        found.append(_scale(layer, found[-1].value if found else 1))
    return tuple(found)


def _scale(layer: Layer, below: int) -> LayerScale:
    weights = math.lcm(*(ExactArray(array, layer.scale).denominator for array in (layer.A, *layer.B, layer.b)))
    argument = weights * below
    breaks, slopes, offsets = _lines(layer.activation)
    value = math.lcm(*((slope / argument).denominator for slope in slopes), *(c.denominator for c in offsets))
    return LayerScale(
        weights,
        argument,
        value,
        tuple(x * argument for x in breaks),
        tuple(int(slope * value / argument) for slope in slopes),
        tuple(int(c * value) for c in offsets),
    )


def _lines(activation: Activation) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """`σ(z) = slopes[k] · z + offsets[k]`, `k` the number of breaks that are at most `z`."""
    points = activation.points
    rising = [(next_y - y) / (next_x - x) for (x, y), (next_x, next_y) in pairwise(points)]
    slopes = [Fraction(0), *rising, activation.slope]
    offsets = [points[0][1], *(y - slope * x for (x, y), slope in zip(points, slopes[1:], strict=True))]
    return [x for x, _ in points], slopes, offsets
