"""The fewest elements for which a monotone property holds, with a proof that fewer do not suffice.

A set of elements without the property leaves out one that is needed: its complement, if the set is as large as can be,
is a set that everything with the property must meet. So the smallest hitting sets of such complements bound from below
how many elements are needed; one that has the property is a smallest set, and one that has not, grown as far as it
goes, gives a new complement. Nothing is asked of the property but to be monotone, and it is asked in batches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from isolog.correspondence.hitting import Mask, smallest_hitting_sets

Holds: TypeAlias = Callable[[Sequence[Mask]], Sequence[bool]]
BATCH = 32
_DOUBLINGS = 8


@dataclass(frozen=True, slots=True)
class Smallest:
    """A set with the property, none of whose elements can be left out; `proven` says that no other has fewer."""

    chosen: Mask
    proven: bool


def minimal_set(holds: Holds, order: Sequence[int]) -> Mask | None:
    """A set with the property that has it no longer without any one of its elements; None if even all have it not.

    Elements that come first are preferred. The shortest beginning of the order that has the property ends with an
    element that it needs; this one goes to the front, and so on, until the needed ones alone are enough.
    """
    kept: Mask = 0
    rest = list(order)
    while not holds([kept])[0]:
        length = _shortest(holds, kept, rest)
        if length is None:
            return None
        kept |= 1 << rest[length - 1]
        rest = rest[: length - 1]
    return kept


def smallest_set(holds: Holds, order: Sequence[int], seconds: float) -> Smallest | None:
    """A smallest set with the property, or when the time is over the smallest one found."""
    end = time.monotonic() + seconds
    best = minimal_set(holds, order)
    if best is None:
        return None
    complements: list[Mask] = []
    while True:
        candidates = list(islice(smallest_hitting_sets(complements, best.bit_count() - 1), BATCH))
        if not candidates:
            return Smallest(best, True)
        answers = holds(candidates)
        reached = next((each for each, answer in zip(candidates, answers, strict=True) if answer), None)
        if reached is not None:
            return Smallest(reached, True)
        for each in candidates[: max(1, BATCH // 8)]:
            if time.monotonic() > end:
                return Smallest(best, False)
            complements.append(_complement(holds, each, order))


def _complement(holds: Holds, without: Mask, order: Sequence[int]) -> Mask:
    """What is left out by a largest set that has all of the given one, and not the property."""
    missing: Mask = 0
    grown, rest = without, [element for element in order if not without >> element & 1]
    while rest:
        length = _shortest(holds, grown, rest)
        if length is None:
            return missing
        grown = _with(grown, rest[: length - 1])
        missing |= 1 << rest[length - 1]
        rest = rest[length:]
    return missing


def _shortest(holds: Holds, base: Mask, rest: Sequence[int]) -> int | None:
    """How many elements of the rest, from the first on, must join the base for the property; None if all are too few.

    Lengths are doubled until one is enough, and what lies between is narrowed down, by a batch of questions at a time.
    """
    low, high = 0, len(rest) + 1
    while high - low > 1:
        if high > len(rest):
            lengths = [min(low + (1 << n), len(rest)) for n in range(_DOUBLINGS)]
        else:
            lengths = list(range(low + 1, high, max(1, (high - low) // BATCH)))
        lengths = sorted(set(lengths))
        for length, answer in zip(lengths, holds([_with(base, rest[:n]) for n in lengths]), strict=True):
            if answer:
                high = length
                break
            low = length
    return high if high <= len(rest) else None


def _with(base: Mask, more: Sequence[int]) -> Mask:
    for element in more:
        base |= 1 << element
    return base
