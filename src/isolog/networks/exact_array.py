"""Arrays of exact numbers: integers over a scale, or binary floating point numbers, and both over one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isolog.networks.network import Weights


@dataclass(frozen=True, eq=False, slots=True)
class ExactArray:
    """Integers (int64, or Python integers as objects) that are divided by `scale`, or float64 with scale 1."""

    entries: Weights
    scale: int = 1

    @classmethod
    def from_fractions(cls, numbers: Sequence[Fraction]) -> ExactArray:
        """The vector of these numbers: as float64 if every one of them is such a number."""
        scale = math.lcm(*(number.denominator for number in numbers))
        wide = cls(as_integers(np.array([int(number * scale) for number in numbers], object)), scale)
        floats = wide.as_floats()
        return wide if floats is None else cls(floats)

    @classmethod
    def scaled(cls, entries: Weights, scale: int) -> ExactArray:
        """Integer entries over the scale; floating point entries mean themselves."""
        return cls(entries, 1 if entries.dtype.kind == "f" else scale)

    @property
    def is_float(self) -> bool:
        """Whether the entries are binary floating point numbers."""
        return self.entries.dtype.kind == "f"

    @property
    def denominator(self) -> int:
        """The least common denominator of the numbers.

        >>> ExactArray(np.array([0.75, 0.5, 0.0])).denominator, ExactArray(np.array([2, 4]), 6).denominator
        (4, 3)
        """
        nonzero = self.entries[self.entries != 0]
        if not nonzero.size:
            return 1
        if not self.is_float:
            return self.scale // math.gcd(self.scale, int(np.gcd.reduce(nonzero)))
        mantissas, exponents = np.frexp(nonzero)
        whole = np.abs(mantissas * 2.0**53).astype(np.int64)
        trailing_zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1
        return 2 ** max(0, 53 - int((exponents + trailing_zeros).min()))

    def over(self, scale: int) -> Weights:
        """The integers that these numbers are when divided by `scale`, a multiple of their denominator."""
        wide = np.zeros(self.entries.shape, object)
        for place in zip(*np.nonzero(self.entries), strict=True):
            entry = self.entries[place]
            number, own = float(entry).as_integer_ratio() if self.is_float else (int(entry), self.scale)
            wide[place] = number * scale // own
        return as_integers(wide)

    def as_floats(self) -> Weights | None:
        """The same numbers as float64; None when some of them are no such numbers."""
        if self.is_float:
            return self.entries
        floats = np.zeros(self.entries.shape)
        for place in zip(*np.nonzero(self.entries), strict=True):
            exact = Fraction(int(self.entries[place]), self.scale)
            floats[place] = nearest = nearest_float(exact)
            if math.isinf(nearest) or Fraction(nearest) != exact:
                return None
        return floats


def unite(arrays: Sequence[ExactArray]) -> tuple[list[Weights], int]:
    """The same numbers over one scale: float64 if all are, else integers over a common denominator."""
    scales = {array.scale for array in arrays}
    if len({array.is_float for array in arrays}) == 1 and len(scales) == 1:
        return [array.entries for array in arrays], scales.pop()
    scale = math.lcm(*(array.denominator if array.is_float else array.scale for array in arrays))
    return [array.over(scale) for array in arrays], scale


def as_integers(wide: Weights) -> Weights:
    """Python integers, as int64 if all of them fit."""
    fits = not wide.size or (wide.min() >= -(2**63) and wide.max() < 2**63)
    return wide.astype(np.int64) if fits else wide


def narrowest(array: Weights) -> Weights:
    """The same integers or floats in the smallest signed or binary type that holds every one of them."""
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            single = array.astype(np.float32)
        return single if np.array_equal(single, array) else array
    least, greatest = (int(array.min()), int(array.max())) if array.size else (0, 0)
    types = (np.int8, np.int16, np.int32, np.int64)
    return array.astype(next(t for t in types if np.iinfo(t).min <= least and greatest <= np.iinfo(t).max))


def nearest_float(number: Fraction) -> float:
    """The double nearest to the number, infinite beyond the range of doubles.

    >>> nearest_float(Fraction(-(10**400)))
    -inf
    """
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
