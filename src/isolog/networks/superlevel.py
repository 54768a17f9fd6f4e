"""Where an activation reaches a threshold: the arguments for which the last layer derives a fact."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from isolog.networks.activation import Activation

Interval: TypeAlias = tuple[Fraction | None, Fraction | None]
"""A closed interval; None is unbounded on that side."""


def superlevel(activation: Activation, threshold: Fraction) -> list[Interval]:
    """The disjoint closed intervals, from left to right, that make up `{z : σ(z) ≥ threshold}`.

    >>> from isolog.networks.activation import RELU
    >>> superlevel(RELU, Fraction(1)), superlevel(RELU, Fraction(0))
    ([(Fraction(1, 1), None)], [(None, None)])
    """
    intervals: list[Interval] = []
    for low, high in _pieces(activation, threshold):
        if intervals and intervals[-1][1] == low:
            low = intervals.pop()[0]
        intervals.append((low, high))
    return intervals


def _pieces(activation: Activation, t: Fraction) -> Iterator[Interval]:
    """The parts of the set within each linear piece; they meet where σ bends."""
    (first, value), (last, end) = activation.points[0], activation.points[-1]
    if value >= t:
        yield None, first
    for (x, y), (next_x, next_y) in pairwise(activation.points):
        if max(y, next_y) >= t:
            crossing = x + (t - y) * (next_x - x) / (next_y - y) if min(y, next_y) < t else None
            yield (x if y >= t else crossing), (next_x if next_y >= t else crossing)
    slope = activation.slope
    if end >= t:
        yield last, (None if slope >= 0 else last + (t - end) / slope)
    elif slope > 0:
        yield last + (t - end) / slope, None
