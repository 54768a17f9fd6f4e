"""Tree-like bodies (Def. 9) as numbers, made for searching: conjunction, implication and a bound on condensed size.

A body maps into another (`tree_implication.py`) only if its imprint is a subset; the imprint of a conjunction has all
of both; and no tree in which the body holds has fewer atoms than its imprint. So most tests are one mask operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from isolog.concepts.imprints import Imprint, Imprints
from isolog.datalog.matching import has_matching
from isolog.datalog.treelike import Group, TreeFormula, group, tree_formula
from isolog.graphs.sorts import Sorts

Body: TypeAlias = int
Siblings: TypeAlias = tuple[int, tuple[Body, ...]]
"""A colour, and bodies of pairwise distinct neighbours in increasing order."""

TRUE: Body = 0
MOST_JOINED = 6


class Bodies:
    """The bodies met so far, each once. Where a sort has at most one neighbour of a colour, that is one child."""

    def __init__(self, sorts: Sorts) -> None:
        self.sorts = sorts
        self.tests = 0
        self.labels: list[int] = []
        self.groups: list[tuple[Siblings, ...]] = []
        self.imprints: list[Imprint] = []
        self.making = Imprints()
        self._numbers: dict[tuple[int, tuple[Siblings, ...]], Body] = {}
        self._implied: dict[tuple[Body, Body], bool] = {}
        self._intern(0, ())

    def label(self, feature: int) -> Body:
        """U_i(x)."""
        return self._intern(1 << feature, ())

    def some(self, colour: int, children: Iterable[Body]) -> Body:
        """Pairwise distinct neighbours of a colour with these bodies."""
        return self._intern(0, ((colour, tuple(sorted(children))),))

    def both(self, one: Body, other: Body, sort: int) -> Body:
        """The conjunction at a vertex of the sort, without groups that others imply, groups joined where they can."""
        if self.implies(one, other):
            return one
        if self.implies(other, one):
            return other
        by_colour: dict[int, list[tuple[Body, ...]]] = {}
        for colour, children in (*self.groups[one], *self.groups[other]):
            by_colour.setdefault(colour, []).append(children)
        groups = [
            (colour, children)
            for colour, members in sorted(by_colour.items())
            for children in self._condensed(members, colour, sort)
        ]
        return self._intern(self.labels[one] | self.labels[other], tuple(groups))

    def least_atoms(self, body: Body) -> int:
        """No tree in which the body holds has fewer atoms."""
        return self.imprints[body].bit_count()

    def atoms(self, body: Body) -> int:
        """The number of body atoms as it is written."""
        below = sum(1 + self.atoms(child) for _, children in self.groups[body] for child in children)
        return self.labels[body].bit_count() + below

    def implies(self, special: Body, general: Body) -> bool:
        """Whether the general body maps into the special one, every group into one group."""
        if special == general:
            return True
        if self.imprints[general] & ~self.imprints[special]:
            return False
        found = self._implied.get((special, general))
        if found is None:
            self.tests += 1
            offered = self.groups[special]
            found = self._implied[special, general] = all(
                any(colour == theirs and self.covers(members, wanted) for theirs, members in offered)
                for colour, wanted in self.groups[general]
            )
        return found

    def covers(self, members: Sequence[Body], wanted: Sequence[Body]) -> bool:
        """Whether distinct members imply the bodies wanted, one each."""
        if len(wanted) == 1:
            return any(self.implies(member, wanted[0]) for member in members)
        return has_matching([[n for n, m in enumerate(members) if self.implies(m, one)] for one in wanted])

    def tree(self, body: Body, features: Sequence[str], colours: Sequence[str]) -> TreeFormula:
        """The body with the names of its predicates."""
        labels = [name for number, name in enumerate(features) if self.labels[body] >> number & 1]
        groups: list[Group] = [
            group(colours[colour], *(self.tree(child, features, colours) for child in children))
            for colour, children in self.groups[body]
        ]
        return tree_formula(labels, groups)

    def of(self, labels: int, groups: Iterable[Siblings]) -> Body:
        """The body with these labels, as a mask, and groups."""
        return self._intern(labels, tuple(sorted(groups)))

    def with_groups(self, body: Body, groups: Iterable[Siblings]) -> Body:
        """The body with other groups."""
        return self.of(self.labels[body], groups)

    def ways(self, one: tuple[Body, ...], other: tuple[Body, ...], sort: int) -> Iterator[tuple[Body, ...]]:
        """The groups in which some members of one are merged with some of the other, one to one, and all stay apart."""
        if not other:
            yield tuple(sorted(one))
            return
        first, *rest = other
        for alone in self.ways(one, tuple(rest), sort):
            yield tuple(sorted((*alone, first)))
        for place, member in enumerate(one):
            free = one[:place] + one[place + 1 :]
            for others in self.ways(free, tuple(rest), sort):
                yield tuple(sorted((*others, self.both(member, first, sort))))

    def may_merge(self, body: Body) -> bool:
        """Whether two groups somewhere in the body have one colour, so that their members may coincide."""
        groups = self.groups[body]
        if len({colour for colour, _ in groups}) < len(groups):
            return True
        return any(self.may_merge(child) for _, children in groups for child in children)

    def _condensed(self, members: list[tuple[Body, ...]], colour: int, sort: int) -> list[tuple[Body, ...]]:
        """The groups of one colour without what the others imply."""
        around = self.sorts[sort].neighbours[colour]
        if around is not None and around.at_most == 1:
            child = TRUE
            for (each,) in members:
                child = self.both(child, each, around.sort)
            return [(child,)]
        assert around is not None, "a body has neighbours only where the sort allows some"
        kept: list[tuple[Body, ...]] = []
        waiting = members[::-1]
        while waiting:
            new = waiting.pop()
            if any(self.covers(old, new) for old in kept):
                continue
            kept = [old for old in kept if not self.covers(new, old)]
            joined = next(
                ((old, both) for old in kept if (both := self._joined(old, new, around.sort)) is not None), None
            )
            if joined is None:
                kept.append(new)
            else:
                kept.remove(joined[0])
                waiting.append(joined[1])
        return sorted(kept)

    def _joined(self, one: tuple[Body, ...], other: tuple[Body, ...], sort: int) -> tuple[Body, ...] | None:
        """One group that says the same as these two, if there is one among the ways to merge their members.

        That is a way which maps into all others; each match of both groups is a match of one of the ways.
        """
        if len(one) == len(other) == 1 or len(one) + len(other) > MOST_JOINED:
            return None
        ways = sorted(set(self.ways(one, other, sort)), key=lambda way: (len(way), way))
        return next((way for way in ways if all(self.covers(each, way) for each in ways)), None)

    def _intern(self, labels: int, groups: tuple[Siblings, ...]) -> Body:
        body = self._numbers.setdefault((labels, groups), len(self.labels))
        if body == len(self.labels):
            self.labels.append(labels)
            self.groups.append(groups)
            imprint = self.making.of_labels(labels)
            for colour, children in groups:
                imprint |= self.making.of_group(colour, [self.imprints[child] for child in children])
            self.imprints.append(imprint)
        return body
