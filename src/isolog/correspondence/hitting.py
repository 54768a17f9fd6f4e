"""Smallest hitting sets: the fewest elements of which each of some sets has one, by branch and bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

Mask: TypeAlias = int
"""A set of numbers, as the bits of an integer."""


def smallest_hitting_sets(sets: Sequence[Mask], most: int) -> Iterator[Mask]:
    """The smallest sets that meet all of the given ones, if they have at most so many elements.

    The elements of a set that is not met yet are tried in turn, each without those tried before it, so no hitting set
    comes twice. Sets that share no element need one each, which bounds from below.

    >>> sorted(smallest_hitting_sets([0b011, 0b110], 3)), sorted(smallest_hitting_sets([0b01, 0b10], 1))
    ([2], [])
    """
    wanted = _minimal(sets)
    for size in range(_disjoint(wanted), most + 1):
        found = False
        for chosen in _of_size(wanted, 0, 0, size):
            found = True
            yield chosen
        if found:
            return


def elements(mask: Mask) -> Iterator[int]:
    """The numbers in the set, in increasing order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _of_size(sets: Sequence[Mask], chosen: Mask, barred: Mask, left: int) -> Iterator[Mask]:
    open_sets = [each & ~barred for each in sets if not each & chosen]
    if not open_sets:
        yield chosen
        return
    if not all(open_sets) or _disjoint(open_sets) > left:
        return
    smallest = min(open_sets, key=lambda each: each.bit_count())
    for element in elements(smallest):
        yield from _of_size(open_sets, chosen | 1 << element, barred, left - 1)
        barred |= 1 << element


def _disjoint(sets: Sequence[Mask]) -> int:
    """How many of the sets share no element, taken greedily, the smallest first."""
    taken, count = 0, 0
    for each in sorted(sets, key=lambda each: each.bit_count()):
        if not each & taken:
            taken |= each
            count += 1
    return count


def _minimal(sets: Sequence[Mask]) -> list[Mask]:
    kept: list[Mask] = []
    for each in sorted(set(sets), key=lambda each: (each.bit_count(), each)):
        if not any(other & ~each == 0 for other in kept):
            kept.append(each)
    return kept
