"""Neighbours of one colour under demands `≥n c.φ` and limits, `≥m c.ψ` refuted: which trees, and how many of each.

A neighbour satisfies some of the parts φ that are demanded and pays with some of the ψ that are limited. Demands that
cost nothing are met apart from all others. For the rest, all sets of demands that one neighbour may satisfy are
gone through, each with its least costs; then it is a search over what is still needed and what room is left.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

from isolog.concepts.dag import Node
from isolog.correspondence.forest import Forest, Vertex

Goals: TypeAlias = frozenset[Node]


class Core(NamedTuple):
    """Concepts that no tree satisfies, as far as wanted, without one that is unwanted."""

    wanted: Goals
    unwanted: Goals


Answer: TypeAlias = Vertex | Core
Asking: TypeAlias = Generator[tuple[Goals, Goals], Answer, Answer]
Counts: TypeAlias = tuple[int, ...]


class Kind(NamedTuple):
    """A neighbour: its tree, and the limited parts that it satisfies."""

    tree: Vertex
    costs: Goals


@dataclass(frozen=True, slots=True)
class Neighbours:
    """`needed[φ]` is how many neighbours must satisfy φ, `room[ψ]` how many may satisfy ψ at most."""

    forest: Forest
    needed: Mapping[Node, int]
    room: Mapping[Node, int]

    def solve(self) -> Generator[tuple[Goals, Goals], Answer, list[tuple[Vertex, int]] | Core]:
        """The trees with their numbers of copies, or parts of the demands and limits that cannot be met together."""
        chosen: list[tuple[Vertex, int]] = []
        blocking: Goals = frozenset()
        kinds: dict[Goals, list[Kind]] = {}
        for part, number in self.needed.items():
            alone = frozenset([part])
            found, blocked = yield from self._kinds(alone)
            if not found:
                return Core(alone, blocked)
            if not found[0].costs:
                chosen.append((found[0].tree, number))
            else:
                kinds[alone], blocking = found, blocking | blocked
        costly = sorted({part for parts in kinds for part in parts})
        for size in range(2, len(costly) + 1):
            for parts in map(frozenset, combinations(costly, size)):
                if all(parts - {part} in kinds for part in parts):
                    found, blocked = yield from self._kinds(parts)
                    blocking |= blocked
                    if found:
                        kinds[parts] = found
        placed = self._place(costly, [kind for found in kinds.values() for kind in found])
        return Core(frozenset(costly), blocking) if placed is None else chosen + placed

    def _kinds(self, parts: Goals) -> Generator[tuple[Goals, Goals], Answer, tuple[list[Kind], Goals]]:
        """The neighbours that satisfy the parts at least cost, and the limits that make them cost that.

        Where a limited part is in the way it may be satisfied, if there is room; each such part is tried in turn.
        """
        limited = frozenset(self.room)
        found: list[Kind] = []
        blocking: Goals = frozenset()
        pending: list[Goals] = [frozenset()]
        seen: set[Goals] = set()
        for costs in pending:
            if costs in seen or any(kind.costs <= costs for kind in found):
                continue
            seen.add(costs)
            answer = yield parts, limited - costs
            if isinstance(answer, Core):
                blocking |= answer.unwanted
                pending += [costs | {part} for part in sorted(answer.unwanted) if self.room[part] > 0]
            else:
                found.append(Kind(answer, frozenset(part for part in costs if self.forest.holds(part, answer))))
        return found, blocking

    def _place(self, costly: list[Node], kinds: list[Kind]) -> list[tuple[Vertex, int]] | None:
        """Neighbours of these kinds that meet the demands within the limits, if there are any."""
        limits = sorted(self.room)
        gains = [tuple(int(self.forest.holds(part, kind.tree)) for part in costly) for kind in kinds]
        costs = [tuple(int(part in kind.costs) for part in limits) for kind in kinds]
        start = tuple(self.needed[part] for part in costly), tuple(self.room[part] for part in limits)
        steps: dict[tuple[Counts, Counts], tuple[tuple[Counts, Counts], int] | None] = {start: None}
        pending = [start]
        while pending:
            state = pending.pop()
            needed, room = state
            if not any(needed):
                return self._copies(kinds, steps, state)
            first = next(place for place, number in enumerate(needed) if number)
            for place, (gain, cost) in enumerate(zip(gains, costs, strict=True)):
                left = tuple(have - use for have, use in zip(room, cost, strict=True))
                if gain[first] and min(left, default=0) >= 0:
                    after = tuple(max(number - got, 0) for number, got in zip(needed, gain, strict=True)), left
                    if after not in steps:
                        steps[after] = state, place
                        pending.append(after)
        return None

    def _copies(
        self,
        kinds: list[Kind],
        steps: Mapping[tuple[Counts, Counts], tuple[tuple[Counts, Counts], int] | None],
        state: tuple[Counts, Counts],
    ) -> list[tuple[Vertex, int]]:
        copies: dict[Vertex, int] = {}
        while (step := steps[state]) is not None:
            state, place = step
            copies[kinds[place].tree] = copies.get(kinds[place].tree, 0) + 1
        return list(copies.items())
