"""Flat programs from concepts: the minimal tree-like rules, the smallest first, as many as a budget allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import Bodies, Body
from isolog.concepts.counting import derivations
from isolog.concepts.dag import Concepts, Node
from isolog.concepts.extents import ENDLESS
from isolog.concepts.flat_rules import Budget, FlatRules, OutOfTime
from isolog.concepts.streams import Streams
from isolog.concepts.together import implied_together
from isolog.datalog.treelike import TreeRule
from isolog.graphs.sorts import Sorts

_NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True)
class Head:
    """A predicate, and the concept of the vertices of a sort for which it is derived."""

    name: str
    concept: Node
    sort: int = 0


def flat_rules(
    concepts: Concepts,
    heads: Sequence[Head],
    sorts: Sorts,
    names: tuple[Sequence[str], Sequence[str]],
    budget: Budget = _NO_LIMIT,
) -> FlatRules:
    """The minimal rules of the heads; `names` are those of the features and of the colours.

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
        complete_up_to = search.run(budget)
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

    def run(self, budget: Budget) -> int | None:
        """Fills `found`; returns the number of atoms up to which it is complete, None if it is altogether."""
        last = max((self.streams.most[head.concept] for head in self.heads), default=0)
        for self.level in count():
            if self.level > last:
                return None if last < ENDLESS else last
            if budget.max_atoms is not None and self.level > budget.max_atoms:
                return budget.max_atoms
            for number, head in enumerate(self.heads):
                for body in self.streams.level(head.concept, head.sort, self.level):
                    self._take(number, body)
                    if budget.max_rules is not None and sum(map(len, self.found)) > budget.max_rules:
                        self.found[number].pop()
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

    def _take(self, number: int, body: Body) -> None:
        if not implied_together(self.kept[number], body, self.heads[number].sort):
            self.kept[number].add(body)
            self.found[number].append(body)

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
