"""Flat programs from concepts: the minimal tree-like rules, the smallest first, as many as a budget allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import Bodies, Body
from isolog.concepts.counting import derivations
from isolog.concepts.dag import Concepts
from isolog.concepts.extents import ENDLESS
from isolog.concepts.flat_rules import Budget, FlatRules, Head, OutOfTime
from isolog.concepts.shorter import shorter
from isolog.concepts.streams import Streams
from isolog.concepts.together import implied_together
from isolog.datalog.treelike import TreeRule
from isolog.graphs.sorts import Sorts

_NO_LIMIT = Budget()
Watch = Callable[[int, int], None]


def flat_rules(
    concepts: Concepts,
    heads: Sequence[Head],
    sorts: Sorts,
    names: tuple[Sequence[str], Sequence[str]],
    budget: Budget = _NO_LIMIT,
    watch: Watch = lambda atoms, rules: None,
) -> FlatRules:
    """The minimal rules of the heads; `names` are those of the features and of the colours.

    The watch is told the present number of atoms, and how many rules there are so far.

    >>> from isolog.graphs.sorts import one_sort
    >>> store = Concepts()
    >>> either = store.either(store.label(0), store.at_least(2, 0, store.label(1)))
    >>> found = flat_rules(store, [Head("A", either)], one_sort(2, 1), (["A", "B"], ["r"]))
    >>> [rule.body.atoms for rule in found.rules], found.complete
    ([1, 4], True)
    """
    number = sum(derivations(concepts, [head.concept for head in heads]))
    search = _Search(Streams(concepts, Bodies(sorts), budget.clock()), heads, names)
    try:
        complete_up_to = search.run(budget, watch)
    except OutOfTime:
        complete_up_to = search.level - 1
    complete = complete_up_to is None
    up_to = None if complete or complete_up_to < 0 else complete_up_to
    return FlatRules(tuple(sorted(search.rules(), key=_order)), complete, up_to, number, search.bodies.tests)


def _order(rule: TreeRule) -> tuple[int, int, TreeRule]:
    return rule.body.atoms, rule.body.inequalities, rule


class _Search:
    """The bodies found so far, head by head."""

    def __init__(self, streams: Streams, heads: Sequence[Head], names: tuple[Sequence[str], Sequence[str]]) -> None:
        self.streams = streams
        self.bodies = streams.bodies
        self.heads = heads
        self.names = names
        self.level = 0
        self.found: list[list[Body]] = [[] for _ in heads]
        self.kept = [Antichain(self.bodies) for _ in heads]
        self.size = 0
        self.waiting: dict[tuple[int, int], list[Body]] = {}
        self.is_shortened = self.has_gaps = False

    def run(self, budget: Budget, watch: Watch) -> int | None:
        """Fills `found`; returns the number of atoms up to which it is complete, None if it is altogether."""
        last = max((self.streams.most[head.concept] for head in self.heads), default=0)
        for self.level in count():
            if self.level > last and not self.waiting:
                return budget.max_atoms if self.is_shortened else None if last < ENDLESS else last
            if budget.max_atoms is not None and self.level > budget.max_atoms:
                return budget.max_atoms
            for number, body in self._level(budget.max_atoms):
                self._take(number, body)
                watch(self.level, self.size)
                if budget.max_rules is not None and self.size > budget.max_rules:
                    self.kept[number].remove(self.found[number].pop())
                    return self.level - 1
            if self.has_gaps:
                return self.level - 1
        raise AssertionError("levels are counted without end")

    def rules(self) -> list[TreeRule]:
        """The rules without those that the others imply."""
        features, colours = self.names
        return [
            TreeRule(head.name, self.bodies.tree(body, features, colours))
            for number, head in enumerate(self.heads)
            for body in self._minimal(number)
        ]

    def _level(self, most_atoms: int | None) -> Iterator[tuple[int, Body]]:
        """The bodies of this level, head by head; shorter ones stand for those with too many atoms."""
        for number, head in enumerate(self.heads):
            for body in self.streams.level(head.concept, head.sort, self.level):
                if most_atoms is None or self.bodies.atoms(body) <= most_atoms:
                    yield number, body
                else:
                    self._shorten(number, body, most_atoms)
            for body in self.waiting.pop((number, self.level), ()):
                yield number, body

    def _shorten(self, number: int, body: Body, most_atoms: int) -> None:
        self.is_shortened = True
        instead = shorter(self.bodies, body, self.heads[number].sort, most_atoms)
        self.has_gaps |= instead is None
        for each in instead or ():
            self.waiting.setdefault((number, self.bodies.atoms(each)), []).append(each)

    def _take(self, number: int, body: Body) -> None:
        if not implied_together(self.kept[number], body, self.heads[number].sort):
            self.kept[number].add(body)
            self.found[number].append(body)
            self.size += 1

    def _minimal(self, number: int) -> list[Body]:
        """What was found without what something more general that came later, or several together, imply."""
        kept, sort = self.kept[number], self.heads[number].sort
        minimal: list[Body] = []
        for body in reversed(self.found[number]):
            if implied_together(kept, body, sort, other_than=body):
                kept.remove(body)
            else:
                minimal.append(body)
        return minimal
