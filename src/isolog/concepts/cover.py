"""Covers: a short list of rules, each of which holds everywhere, from which follows all that concepts say of a graph.

Candidates are minimal bodies that hold somewhere on the graph, from the search for flat programs; what none of them
covers gets a body of its own. Which to take is decided greedily, head by head, and none is kept that others replace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.concepts.bodies import Bodies, Body
from isolog.concepts.cheapest import Cheapest
from isolog.concepts.dag import Concepts
from isolog.concepts.evaluate import evaluate
from isolog.concepts.flat_rules import Budget, Head, OutOfTime
from isolog.concepts.occurrences import Occurrences, Vertices
from isolog.concepts.streams import Streams
from isolog.datalog.treelike import TreeRule
from isolog.graphs.graph import ColouredGraph
from isolog.graphs.sorts import Sorts

MOST_CANDIDATES = 300
MOST_STEPS = 20_000
MOST_ATOMS = 100


@dataclass(frozen=True, eq=False, slots=True)
class Cover:
    """Rules, those that explain most first; `complete` if they derive all that the concepts do on the graph.

    `support` is how many vertices each derives its head for, `new` for how many of them no rule before it does.
    """

    rules: tuple[TreeRule, ...]
    complete: bool
    support: tuple[int, ...]
    new: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class SortedGraph:
    """A graph, the sorts there are, and the sort of each vertex."""

    graph: ColouredGraph
    sorts: Sorts
    of: NDArray[np.integer]

    @classmethod
    def of_one_sort(cls, graph: ColouredGraph, sorts: Sorts) -> SortedGraph:
        """The graph, every vertex of which is of the only sort."""
        return cls(graph, sorts, np.zeros(graph.vertices, np.int8))


def cover(
    concepts: Concepts,
    heads: Sequence[Head],
    around: SortedGraph,
    names: tuple[Sequence[str], Sequence[str]],
    budget: Budget,
) -> Cover:
    """The rules; a budget of rules keeps the first, one of atoms leaves out the longer ones."""
    found = evaluate(concepts, {head.concept for head in heads}, around.graph)
    search = _Covering(concepts, around, budget)
    chosen: list[_Chosen] = []
    complete = True
    for head in heads:
        wanted = found[head.concept] & (around.of == head.sort)
        of_head = search.choose(head, wanted)
        complete &= not (wanted & ~_union(of_head, wanted)).any()
        chosen += of_head
    chosen.sort(key=lambda each: -each.new)
    kept = chosen[: budget.max_rules]
    rules = tuple(TreeRule(each.head.name, search.bodies.tree(each.body, *names)) for each in kept)
    support = tuple(int(np.count_nonzero(each.where)) for each in kept)
    return Cover(rules, complete and len(kept) == len(chosen), support, tuple(each.new for each in kept))


@dataclass(frozen=True, eq=False, slots=True)
class _Chosen:
    """A body, where it holds, and for how many vertices no earlier one of its head does."""

    head: Head
    body: Body
    where: Vertices
    new: int


class _Covering:
    """Candidates for all heads: what is built for one serves the others."""

    def __init__(self, concepts: Concepts, around: SortedGraph, budget: Budget) -> None:
        self.concepts = concepts
        self.around = around
        self.budget = budget
        self.bodies = Bodies(around.sorts)
        self.occurrences = Occurrences(self.bodies, around.graph)
        self._clock = budget.clock()
        self._steps = 0
        self._streams = Streams(concepts, self.bodies, self._step, self._occurs)
        self._cheapest = Cheapest(concepts, self.bodies, around.graph, self._clock)

    def choose(self, head: Head, wanted: Vertices) -> list[_Chosen]:
        """Bodies of the head that cover what is wanted, as far as the budget goes, in the order of their gain."""
        pool = {body: self._where(body, head) for body in self._candidates(head, wanted)}
        picked: list[tuple[Body, Vertices]] = []
        with suppress(OutOfTime):
            for each in self._greedy(head, wanted, pool):
                picked.append(each)  # noqa: PERF402  what was picked stays when time runs out
        return _in_order(head, _without_superfluous(picked))

    def _candidates(self, head: Head, wanted: Vertices) -> Iterator[Body]:
        """The minimal bodies that hold somewhere, up to the level with which everything is covered."""
        left = wanted.copy()
        number, self._steps = 0, MOST_STEPS
        try:
            for level in range(min(self._streams.most[head.concept], MOST_ATOMS) + 1):
                for body in self._streams.level(head.concept, head.sort, level):
                    if not self._is_short(body):
                        continue
                    left &= ~self._where(body, head)
                    number += 1
                    yield body
                    if number == MOST_CANDIDATES:
                        return
                if not left.any():
                    return
        except OutOfTime:
            return

    def _greedy(self, head: Head, wanted: Vertices, pool: dict[Body, Vertices]) -> Iterator[tuple[Body, Vertices]]:
        """Again and again what covers most of what is left, the shortest of those; if nothing does, something new."""
        left = wanted.copy()
        while left.any():
            self._clock()
            gains = ((np.count_nonzero(where & left), -self.bodies.atoms(body), -body) for body, where in pool.items())
            gain, _, negated = max(gains, default=(0, 0, 0))
            body = -negated
            if not gain:
                vertex = int(np.argmax(left))
                body = self._cheapest.body(head.concept, vertex, head.sort)
                if not self._is_short(body):
                    left[vertex] = False
                    continue
                pool[body] = self._where(body, head)
            yield body, pool[body]
            left &= ~pool.pop(body)

    def _is_short(self, body: Body) -> bool:
        return self.budget.max_atoms is None or self.bodies.atoms(body) <= self.budget.max_atoms

    def _where(self, body: Body, head: Head) -> Vertices:
        return self.occurrences.of(body) & (self.around.of == head.sort)

    def _occurs(self, body: Body, sort: int) -> bool:
        return bool((self.occurrences.of(body) & (self.around.of == sort)).any())

    def _step(self) -> None:
        self._clock()
        self._steps -= 1
        if self._steps < 0:
            raise OutOfTime


def _without_superfluous(picked: list[tuple[Body, Vertices]]) -> list[tuple[Body, Vertices]]:
    """The picked bodies without those all of whose vertices others cover, the last ones first."""
    kept: list[tuple[Body, Vertices]] = []
    times = np.zeros(len(picked[0][1]) if picked else 0, np.int32)
    for _, where in picked:
        times += where
    for body, where in reversed(picked):
        if (times[where] > 1).all():
            times -= where
        else:
            kept.append((body, where))
    return kept[::-1]


def _in_order(head: Head, picked: list[tuple[Body, Vertices]]) -> list[_Chosen]:
    """The bodies with what each adds to those before it."""
    chosen: list[_Chosen] = []
    for body, where in picked:
        chosen.append(_Chosen(head, body, where, int(np.count_nonzero(where & ~_union(chosen, where)))))
    return chosen


def _union(chosen: list[_Chosen], like: Vertices) -> Vertices:
    whole = np.zeros_like(like)
    for each in chosen:
        whole |= each.where
    return whole
