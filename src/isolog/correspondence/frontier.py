"""The frontier of Alg. 2 for independent terms: sets of natural numbers and their sums, listed in increasing order.

Alg. 2 keeps triples and expands the least. A triple matters through its value alone, and the value is a sum of terms
that are chosen independently: so a frontier holds *pairs* of terms, and equal sums become one element.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count


class OutOfSteps(Exception):
    """The steps are used up; every set that shares them stays as far as it came."""


@dataclass(slots=True)
class Steps:
    """How much work was done, and how much may be; the limit is never passed, also when somebody asks again."""

    limit: int
    taken: int = 0

    def take(self, number: int = 1) -> None:
        """Counts the steps before they are done."""
        if self.taken + number > self.limit:
            self.taken = self.limit
            raise OutOfSteps
        self.taken += number


class LazySet:
    """A set of natural numbers, known from the least element up to where somebody asked."""

    def __init__(self, elements: Iterator[int], steps: Steps, known: Sequence[int] = ()) -> None:
        self.known = list(known)
        self.steps = steps
        self._elements = elements

    def at(self, index: int) -> int | None:
        """The element with this index, None beyond the last one."""
        while len(self.known) <= index:
            self.steps.take()
            element = next(self._elements, None)
            if element is None:
                return None
            self.known.append(element)
        return self.known[index]

    def __iter__(self) -> Iterator[int]:
        for index in count():
            element = self.at(index)
            if element is None:
                return
            yield element


def single(element: int, steps: Steps) -> LazySet:
    """The set with one element."""
    return LazySet(iter(()), steps, [element])


def scaled(values: LazySet, factor: int) -> LazySet:
    """Every element times a positive factor."""
    return LazySet((factor * value for value in values), values.steps)


def plus(a: LazySet, b: LazySet) -> LazySet:
    """All sums of an element of `a` and one of `b`.

    >>> steps = Steps(100)
    >>> list(plus(single(1, steps), LazySet(iter([0, 2]), steps)))
    [1, 3]
    """
    return LazySet(_sums(a, b), a.steps)


def total(terms: Sequence[LazySet], steps: Steps) -> LazySet:
    """All sums of one element of each term."""
    match len(terms):
        case 0:
            return single(0, steps)
        case 1:
            return terms[0]
        case number:
            return plus(total(terms[: number // 2], steps), total(terms[number // 2 :], steps))


def at_most(k: int, values: LazySet) -> LazySet:
    """All sums of at most `k` elements, repetitions allowed.

    >>> list(at_most(3, single(2, Steps(100))))
    [0, 2, 4, 6]
    """
    return single(0, values.steps) if k == 0 else _times(k, LazySet(_with_zero(values), values.steps))


def plus_any_number(start: LazySet, summands: Sequence[LazySet]) -> LazySet:
    """All sums of an element of `start` and any number of summands, repetitions allowed.

    >>> steps = Steps(100)
    >>> sums = plus_any_number(single(1, steps), [single(3, steps), single(5, steps)])
    >>> [sums.at(n) for n in range(6)]
    [1, 4, 6, 7, 9, 10]
    """
    generators = LazySet(_positive(heapq.merge(*summands)), start.steps)
    return LazySet(_closure(start, generators), start.steps)


def _sums(a: LazySet, b: LazySet) -> Iterator[int]:
    frontier: list[tuple[int, int, int]] = []

    def add(i: int, j: int) -> None:
        x, y = a.at(i), b.at(j)
        if x is not None and y is not None:
            heapq.heappush(frontier, (x + y, i, j))

    add(0, 0)
    while frontier:
        z, expanded = frontier[0][0], list[tuple[int, int]]()
        while frontier and frontier[0][0] == z:
            a.steps.take()
            _, i, j = heapq.heappop(frontier)
            expanded.append((i, j))
        yield z
        for i, j in expanded:
            add(i, j + 1)
            if j == 0:
                add(i + 1, 0)


def _closure(start: LazySet, generators: LazySet) -> Iterator[int]:
    """An entry is an element plus a generator, or, marked by -1, an element of `start`."""
    frontier: list[tuple[int, int, int]] = []

    def add(element: int, index: int) -> None:
        summand = start.at(index) if element < 0 else generators.at(index)
        if summand is not None:
            heapq.heappush(frontier, (max(element, 0) + summand, element, index))

    add(-1, 0)
    while frontier:
        z, expanded = frontier[0][0], list[tuple[int, int]]()
        while frontier and frontier[0][0] == z:
            generators.steps.take()
            _, element, index = heapq.heappop(frontier)
            expanded.append((element, index))
        yield z
        add(z, 0)
        for element, index in expanded:
            add(element, index + 1)


def _times(k: int, values: LazySet) -> LazySet:
    if k == 1:
        return values
    half = _times(k // 2, values)
    twice = plus(half, half)
    return plus(twice, values) if k % 2 else twice


def _with_zero(values: LazySet) -> Iterator[int]:
    yield 0
    yield from _positive(iter(values))


def _positive(values: Iterator[int]) -> Iterator[int]:
    last = 0
    for value in values:
        if value > last:
            yield value
            last = value
