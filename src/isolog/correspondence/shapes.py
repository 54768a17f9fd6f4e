"""Shapes of tree-like bodies: how many labels each vertex has, but not which.

There are few shapes of a size and many bodies of a shape; so bodies are searched shape by shape. What an output
cannot see is left out, and so is what the sorts promise anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.part_network import PartNetwork
from isolog.correspondence.reach import Path, Reach
from isolog.graphs.sorts import Neighbourhood, Sorts

Place: TypeAlias = tuple[int, Path, int]
"""A sort, the path to a vertex of the sort, and a colour."""


@dataclass(frozen=True, slots=True, order=True)
class Siblings:
    """Pairwise distinct children by one colour, in order."""

    colour: int
    children: tuple[Shape, ...]

    @property
    def atoms(self) -> int:
        """The number of atoms of the children, and of the edges to them."""
        return sum(1 + child.atoms for child in self.children)


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """A vertex with so many labels and these groups of children, in order."""

    labels: int = 0
    groups: tuple[Siblings, ...] = ()

    @property
    def atoms(self) -> int:
        """The number of atoms of each body of the shape."""
        return self.labels + sum(group.atoms for group in self.groups)


BARE = Shape()


class Shapes:
    """The shapes that matter to one output; `relevant[p]` are the colours that are counted at distance p."""

    def __init__(self, part: PartNetwork, reach: Reach, sorts: Sorts, relevant: Sequence[frozenset[int]]) -> None:
        self._part, self._reach, self._sorts, self._relevant = part, reach, sorts, relevant
        self._kept_groups = cache(self._groups)
        self._kept_shapes = cache(self._shapes)

    def of_size(self, sort: int, atoms: int) -> Sequence[Shape]:
        """The shapes with so many atoms, for a root of the sort."""
        return self._kept_shapes(sort, (), atoms)

    def labels(self, sort: int, path: Path) -> NDArray[np.intp]:
        """Which of the part's features are seen on vertices of a sort, where the path leads to."""
        seen = self._reach.units(path)[0][self._part.features]
        allowed = [feature in self._sorts[sort].features for feature in self._part.features.tolist()]
        return np.flatnonzero(seen & np.array(allowed, bool))

    def _shapes(self, sort: int, path: Path, atoms: int) -> Sequence[Shape]:
        most = min(atoms, len(self.labels(sort, path)))
        return [
            Shape(labels, groups) for labels in range(most + 1) for groups in self._sets(sort, path, atoms - labels, 0)
        ]

    def _sets(self, sort: int, path: Path, atoms: int, colour: int) -> Iterator[tuple[Siblings, ...]]:
        """The sets of groups with so many atoms, by this colour and the later ones."""
        around = self._sorts[sort].neighbours
        if colour == len(around) or len(path) == len(self._relevant):
            if atoms == 0:
                yield ()
            return
        here = around[colour]
        for share in range(atoms + 1 if here is not None else 1):
            place = sort, path, colour
            chosen = list(self._multisets(place, share, 0 if here is None else here.at_most))
            for others in self._sets(sort, path, atoms - share, colour + 1) if chosen else ():
                for groups in chosen:
                    yield (*groups, *others)

    def _multisets(
        self, place: Place, atoms: int, room: int | float, start: tuple[int, int] = (1, 0)
    ) -> Iterator[tuple[Siblings, ...]]:
        """The multisets of groups at a place with so many atoms and at most `room` children in all, in order."""
        if atoms == 0:
            yield ()
        for size in range(start[0], atoms + 1):
            groups = self._kept_groups(place, size)
            for index in range(start[1] if size == start[0] else 0, len(groups)):
                left = room - len(groups[index].children)
                if left >= 0:
                    for others in self._multisets(place, atoms - size, left, (size, index)):
                        yield (groups[index], *others)

    def _groups(self, place: Place, atoms: int) -> Sequence[Siblings]:
        """The groups at a place with so many atoms; more than one child only where children are counted."""
        sort, path, colour = place
        around = self._sorts[sort].neighbours[colour]
        assert around is not None
        below = (around.sort, (*path, colour))
        if not any(units.any() for units in self._reach.units(below[1])):
            return []
        most = atoms if colour in self._relevant[len(path)] else 1
        groups = [
            Siblings(colour, children)
            for size in range(1, int(min(most, around.at_most, atoms)) + 1)
            for children in self._families(*below, size, atoms - size, (0, 0))
        ]
        return [group for group in groups if not self._says_nothing(group, around, below[1])]

    def _families(
        self, sort: int, path: Path, size: int, atoms: int, start: tuple[int, int]
    ) -> Iterator[tuple[Shape, ...]]:
        """The multisets of so many shapes with so many atoms, in order."""
        if size == 0:
            if atoms == 0:
                yield ()
            return
        for share in range(start[0], atoms // size + 1):
            shapes = self._kept_shapes(sort, path, share)
            for index in range(start[1] if share == start[0] else 0, len(shapes)):
                for others in self._families(sort, path, size - 1, atoms - share, (share, index)):
                    yield (shapes[index], *others)

    def _says_nothing(self, group: Siblings, around: Neighbourhood, path: Path) -> bool:
        """Whether the sorts promise the group, or it has a child without atoms that adds nothing to any value."""
        bare = group.children[0] == BARE
        if bare and group.children[-1] == BARE and len(group.children) <= around.at_least:
            return True
        units = self._reach.units(path)[1:]
        return bare and not any(
            (units[level][layer.units] & ~layer.silent[around.sort]).any()
            for level, layer in zip(range(len(units)), self._part.layers)
        )
