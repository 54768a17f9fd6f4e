"""Networks on a grid: weights and biases rounded to multiples of 2^-bits, all of them down or all of them up.

In a monotonic max-sum network every value grows with every weight and bias, for labels, aggregates and values of
activations are nonnegative and activations monotone. So rounding down derives no more and rounding up no less.
Activations are the same functions before and after, and a value reaches a threshold iff it reaches the threshold
rounded up to the grid of the values: neither needs rounding, which could only widen the gap. For the same reason the
biases of a last layer with ReLU are not rounded, but what they are off the grid is moved into the thresholds.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from isolog.networks.activation import RELU
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Layer, Network, Weights

Direction: TypeAlias = Literal["down", "up"]

_EXACT_IN_FLOATS = float(1 << 53)


def rounded(network: Network, bits: int, direction: Direction) -> Network:
    """N⁻ or N⁺: what it derives is a part of what the network derives, or has all of that, on every dataset.

    >>> from isolog.facts.signature import Signature
    >>> layer = Layer(np.array([[0.3]]), (), np.array([-0.3]))
    >>> network = Network.canonical(Signature.of(["A"]), [layer])
    >>> [int(rounded(network, 1, direction).layers[0].A[0, 0]) for direction in ("down", "up")]
    [0, 1]
    """
    require_monotonic(network)
    layers = [_rounded(layer, bits, direction) for layer in network.layers]
    last = network.layers[-1]
    if last.activation != RELU or any(threshold <= 0 for threshold in network.thresholds):
        return replace(network, layers=tuple(layers))
    above = _to_grid(last.b, last.scale, bits, "up")
    lifts = (Fraction(int(new), 1 << bits) - old for new, old in zip(above, last.exact_bias(), strict=True))
    thresholds = tuple(t + lift for t, lift in zip(network.thresholds, lifts, strict=True))
    return replace(network, layers=(*layers[:-1], replace(layers[-1], b=above)), thresholds=thresholds)


def same_on_grid(network: Network, bits: int) -> bool:
    """Whether rounding to multiples of 2^-bits changes nothing, so that the network is its own bracket."""
    low, high = (rounded(network, bits, direction) for direction in ("down", "up"))
    return all(
        np.array_equal(ours, theirs)
        for one, other in zip(low.layers, high.layers, strict=True)
        for ours, theirs in zip((one.A, *one.B, one.b), (other.A, *other.B, other.b), strict=True)
    )


def _rounded(layer: Layer, bits: int, direction: Direction) -> Layer:
    own, *others = (_to_grid(matrix, layer.scale, bits, direction) for matrix in (layer.A, *layer.B))
    bias = _to_grid(layer.b, layer.scale, bits, direction)
    return replace(layer, A=own, B=tuple(others), b=bias, scale=1 << bits)


def _to_grid(numbers: Weights, scale: int, bits: int, direction: Direction) -> Weights:
    """The numbers in steps of 2^-bits; a float times a power of two is exact unless it overflows."""
    nearest = math.floor if direction == "down" else math.ceil
    if numbers.dtype.kind == "f":
        with np.errstate(over="ignore"):
            steps = np.ldexp(numbers, bits)
        if (np.abs(steps) <= _EXACT_IN_FLOATS).all():
            return (np.floor(steps) if direction == "down" else np.ceil(steps)).astype(np.int64)
        whole = [nearest(Fraction(float(number)) * (1 << bits)) for number in numbers.flat]
    else:
        whole = [nearest(Fraction(int(number) << bits, scale)) for number in numbers.flat]
    fits = all(abs(number) < 1 << 63 for number in whole)
    return np.array(whole, np.int64 if fits else object).reshape(numbers.shape)
