"""Activations: continuous piecewise linear functions with rational points, one per layer (Def. 6)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from isolog.errors import Finding, InputError


@dataclass(frozen=True, slots=True)
class Activation:
    """Constant before the first point, linear between points, rising by `slope` after the last."""

    points: tuple[tuple[Fraction, Fraction], ...]
    slope: Fraction

    def __post_init__(self) -> None:
        arguments = [x for x, _ in self.points]
        if not arguments or any(x >= y for x, y in pairwise(arguments)):
            hint = "list each point as [x, y], at least one of them, ordered by x"
            raise InputError(Finding("E310", "the points of an activation must have increasing arguments", hint=hint))

    def __call__(self, z: Fraction) -> Fraction:
        index = bisect_right(self.points, z, key=lambda point: point[0])
        if index == 0:
            return self.points[0][1]
        x, y = self.points[index - 1]
        if index == len(self.points):
            return y + self.slope * (z - x)
        next_x, next_y = self.points[index]
        return y + (next_y - y) * (z - x) / (next_x - x)

    @property
    def is_monotone(self) -> bool:
        """Whether larger arguments never give smaller values."""
        values = [y for _, y in self.points]
        return all(y <= above for y, above in pairwise(values)) and self.slope >= 0

    @property
    def is_unbounded(self) -> bool:
        """Whether values grow beyond every bound."""
        return self.slope > 0

    @property
    def infimum(self) -> Fraction:
        """The least value of a monotone activation: the one before the first point."""
        return self.points[0][1]

    def least_argument(self, value: Fraction) -> Fraction | None:
        """For a monotone unbounded activation: the least `z` with `σ(z) ≥ value`; None when every `z` will do.

        >>> RELU.least_argument(Fraction(3, 2))
        Fraction(3, 2)
        """
        if value <= self.infimum:
            return None
        for (x, y), (next_x, next_y) in pairwise(self.points):
            if y < value <= next_y:
                return x + (value - y) * (next_x - x) / (next_y - y)
        x, y = self.points[-1]
        return x + (value - y) / self.slope

    def __str__(self) -> str:
        return "relu" if self == RELU else "piecewise linear"


def piecewise_linear(points: list[tuple[Fraction | int, Fraction | int]], slope: Fraction | int) -> Activation:
    """The activation through the points, from any exact numbers.

    >>> piecewise_linear([(0, 0), (1, 1)], 0)(Fraction(5))
    Fraction(1, 1)
    """
    return Activation(tuple((Fraction(x), Fraction(y)) for x, y in points), Fraction(slope))


RELU = piecewise_linear([(0, 0)], 1)
