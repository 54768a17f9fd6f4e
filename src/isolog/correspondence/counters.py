"""A linear inequality over concepts as a circuit of ∧ and ∨, for sums that have too many values for a diagram.

Weights are split into binary digits. For each digit the concepts that have it are counted in unary, every second
count is carried to the next digit, and the sum reaches a multiple of the last digit's place iff the last digit's
count does. A constant that is added first makes the wanted sum such a multiple (the watchdog of Bailleux, Boufkhad
and Roussel, SAT 2009). So the size grows with the number of digits, not with the number of sums.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import gcd
from typing import TypeAlias

from isolog.concepts.dag import BOTTOM, TOP, Concepts, Node

Gains: TypeAlias = Sequence[tuple[int, Node]]
"""What concepts add that imply each other: each one implies those before it."""

Counts: TypeAlias = list[Node]
"""`counts[n]` says that at least n + 1 of some concepts hold."""


def sum_reaches(concepts: Concepts, chains: Iterable[Gains], wanted: int) -> Node:
    """The concept that holds where the gains of the concepts that hold add up to what is wanted.

    >>> store = Concepts()
    >>> one, two, three = (store.label(number) for number in range(3))
    >>> node = sum_reaches(store, [[(1, one)], [(2, two)], [(4, three)]], 4)
    >>> node == three
    True
    """
    if wanted <= 0:
        return TOP
    clipped = [_clipped(chain, wanted) for chain in chains]
    if sum(gain for chain in clipped for gain, _ in chain) < wanted:
        return BOTTOM
    digits = _Digits.of(clipped, wanted)
    counts: Counts = []
    for digit in range(digits.last + 1):
        counts = count_all(concepts, [counts[1::2], *digits.having(clipped, digit)])
        if digits.constant >> digit & 1:
            counts = [TOP, *counts]
    return counts[digits.multiple - 1]


def counters_size(chains: Iterable[Sequence[int]], wanted: int) -> int:
    """At most how many ∧ and ∨ it takes, from the gains alone."""
    clipped = [_clipped([(gain, TOP) for gain in chain], wanted) for chain in chains]
    if wanted <= 0 or sum(gain for chain in clipped for gain, _ in chain) < wanted:
        return 0
    digits = _Digits.of(clipped, wanted)
    size = total = 0
    for digit in range(digits.last + 1):
        lengths = [length for part in digits.having(clipped, digit) if (length := len(part))]
        lengths += [total // 2] if total > 1 else []
        heapq.heapify(lengths)
        total = sum(lengths) + (digits.constant >> digit & 1)
        while len(lengths) > 1:
            one, other = heapq.heappop(lengths), heapq.heappop(lengths)
            size += _merge_size(one, other)
            heapq.heappush(lengths, one + other)
    return size


@dataclass(frozen=True, slots=True)
class _Digits:
    """The sum reaches what is wanted iff, with the constant, it reaches `multiple` times 2^last, all over `unit`."""

    unit: int
    last: int
    multiple: int
    constant: int

    @classmethod
    def of(cls, chains: Iterable[Gains], wanted: int) -> _Digits:
        """The digits of the gains, and the constant, for clipped chains that can reach what is wanted."""
        gains = [gain for chain in chains for gain, _ in chain]
        unit = gcd(*gains)
        last = (max(gains) // unit).bit_length() - 1
        multiple = -(-wanted // (unit << last))
        return cls(unit, last, multiple, (multiple << last) + wanted // -unit)

    def having(self, chains: Iterable[Gains], digit: int) -> list[Counts]:
        """Of each chain the concepts whose gains have the digit."""
        return [[node for gain, node in chain if gain // self.unit >> digit & 1] for chain in chains]


def count_all(concepts: Concepts, parts: Iterable[Counts]) -> Counts:
    """How many hold of all that the parts count, the shortest parts merged first."""
    places = count()
    waiting = [(len(part), next(places), part) for part in parts if part]
    heapq.heapify(waiting)
    while len(waiting) > 1:
        merged = merge(concepts, heapq.heappop(waiting)[2], heapq.heappop(waiting)[2])
        heapq.heappush(waiting, (len(merged), next(places), merged))
    return waiting[0][2] if waiting else []


def merge(concepts: Concepts, one: Counts, other: Counts) -> Counts:
    """The counts of what two parts count: all sums of two counts, or Batcher's odd-even merge where that is smaller."""
    if not one or not other:
        return one or other
    if _all_sums(len(one), len(other)) <= _odd_even(len(one), len(other)):
        return _merge_by_sums(concepts, one, other)
    odd = merge(concepts, one[0::2], other[0::2])
    even = merge(concepts, one[1::2], other[1::2])
    merged = odd[:1]
    for place in range(len(even)):
        pair = odd[place + 1 : place + 2] + even[place : place + 1]
        merged += [concepts.either(*pair), concepts.both(*pair)] if len(pair) == 2 else pair
    return merged + odd[len(even) + 1 :]


def _merge_by_sums(concepts: Concepts, one: Counts, other: Counts) -> Counts:
    merged = [BOTTOM] * (len(one) + len(other))
    for i, left in enumerate([TOP, *one]):
        for j, right in enumerate([TOP, *other]):
            if i + j:
                merged[i + j - 1] = concepts.either(merged[i + j - 1], concepts.both(left, right))
    return merged


@lru_cache(maxsize=1 << 18)
def _merge_size(one: int, other: int) -> int:
    return min(_all_sums(one, other), _odd_even(one, other)) if one and other else 0


def _all_sums(one: int, other: int) -> int:
    """One ∧ for each two counts, and one ∨ for each but the first way to a sum."""
    return 2 * one * other


@lru_cache(maxsize=1 << 18)
def _odd_even(one: int, other: int) -> int:
    if one == other == 1:
        return 2
    odd = _merge_size(one - one // 2, other - other // 2)
    return odd + _merge_size(one // 2, other // 2) + 2 * ((one + other - 1) // 2)


def _clipped(chain: Gains, wanted: int) -> Gains:
    """The gains of a chain without what goes beyond the wanted sum."""
    clipped: list[tuple[int, Node]] = []
    for gain, node in chain:
        if wanted > 0:
            clipped.append((min(gain, wanted), node))
        wanted -= gain
    return clipped
