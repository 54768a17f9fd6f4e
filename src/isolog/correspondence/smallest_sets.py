"""The fewest elements for which a monotone property holds, with a proof that fewer do not suffice.

A set of elements without the property leaves out one that is needed: its complement, if the set is as large as can be,
is a set that everything with the property must meet. So the smallest hitting sets of such complements bound from below
how many elements are needed; one that has the property is a smallest set, and one that has not, grown as far as it
goes, gives a new complement. Nothing is asked of the property but to be monotone.

The searches are generators: they yield sets and are sent whether these have the property, so that many searches can
have their questions answered together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias, TypeVar

from isolog.correspondence.hitting import Mask, smallest_hitting_sets

Result = TypeVar("Result")
Search: TypeAlias = Generator[Sequence[Mask], Sequence[bool], Result]
Holds: TypeAlias = Callable[[Sequence[Mask]], Sequence[bool]]
BATCH = 32
_DOUBLINGS = 8
_GROWN = 4


@dataclass(frozen=True, slots=True)
class Smallest:
    """A set with the property, none of whose elements can be left out; `proven` says that no other has fewer."""

    chosen: Mask
    proven: bool


def answered(search: Search[Result], holds: Holds) -> Result:
    """The result of a search whose questions one property answers.

    >>> answered(smallest_set(range(3), 1.0), lambda sets: [each & 0b110 == 0b110 for each in sets])
    Smallest(chosen=6, proven=True)
    """
    answers: Sequence[bool] | None = None
    while True:
        try:
            questions = next(search) if answers is None else search.send(answers)
        except StopIteration as end:
            return end.value
        answers = holds(questions)


def minimal_set(order: Sequence[int]) -> Search[Mask | None]:
    """A set with the property that has it no longer without any one of its elements; None if even all have it not.

    Elements that come first are preferred. The shortest beginning of the order that has the property ends with an
    element that it needs; this one goes to the front, and so on, until the needed ones alone are enough.
    """
    kept: Mask = 0
    rest = list(order)
    while True:
        length = yield from _shortest(kept, rest)
        if length is None:
            return None
        if length == 0:
            return kept
        kept |= 1 << rest[length - 1]
        rest = rest[: length - 1]


def smallest_set(
    order: Sequence[int], seconds: float, now: Callable[[], float] = time.monotonic
) -> Search[Smallest | None]:
    """A smallest set with the property, or when the time is over the smallest one found."""
    end = now() + seconds
    best = yield from minimal_set(order)
    if best is None or best.bit_count() < 2:
        return None if best is None else Smallest(best, True)
    complements: list[Mask] = []
    while True:
        candidates = list(islice(smallest_hitting_sets(complements, best.bit_count() - 1), BATCH))
        if not candidates:
            return Smallest(best, True)
        answers = (yield candidates) if complements else [False]
        reached = next((each for each, answer in zip(candidates, answers, strict=True) if answer), None)
        if reached is not None:
            return Smallest(reached, True)
        for each in candidates[:_GROWN]:
            if now() > end:
                return Smallest(best, False)
            complements.append((yield from _complement(each, order)))


def _complement(without: Mask, order: Sequence[int]) -> Search[Mask]:
    """What is left out by a largest set that has all of the given one, and not the property."""
    missing: Mask = 0
    grown, rest = without, [element for element in order if not without >> element & 1]
    while rest:
        length = yield from _shortest(grown, rest, at_least=1)
        if length is None:
            return missing
        grown = _with(grown, rest[: length - 1])
        missing |= 1 << rest[length - 1]
        rest = rest[length:]
    return missing


def _shortest(base: Mask, rest: Sequence[int], at_least: int = 0) -> Search[int | None]:
    """How many elements of the rest, from the first on, must join the base for the property; None if all are too few.

    Lengths are doubled until one is enough, and what lies between is narrowed down, by a batch of questions at a time.
    """
    low, high = at_least - 1, len(rest) + 1
    while high - low > 1:
        if high > len(rest):
            lengths = sorted({min(low + (1 << n), len(rest)) for n in range(_DOUBLINGS)})
        else:
            lengths = list(range(low + 1, high, max(1, (high - low) // BATCH)))
        answers = yield [_with(base, rest[:length]) for length in lengths]
        for length, answer in zip(lengths, answers, strict=True):
            if answer:
                high = length
                break
            low = length
    return high if high <= len(rest) else None


def _with(base: Mask, more: Sequence[int]) -> Mask:
    for element in more:
        base |= 1 << element
    return base
