"""All (d,f)-tree-like formulas (Def. 9), each exactly once up to variable renaming, the smallest first.

A formula is a set of labels and a multiset of groups, a group is a colour and a multiset of formulas one level
down; so the formulas of one size are put together from smaller ones, which are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TypeVar

from isolog.datalog.treelike import Group, TreeClass, TreeFormula, group, tree_formula

Part = TypeVar("Part")


def tree_formulas(trees: TreeClass) -> Iterator[TreeFormula]:
    """The formulas of the class in increasing number of atoms; those of one size are made when they are asked for.

    >>> [formula.atoms for formula in tree_formulas(TreeClass(("U",), ("E",), depth=1, fan_out=1))]
    [0, 1, 1, 2, 2, 3]
    """
    enumeration = _Enumeration(trees)
    for atoms in range(enumeration.most_atoms(trees.depth) + 1):
        yield from enumeration.formulas(trees.depth, atoms)


class _Enumeration:
    """The formulas and groups of a class by size and by `levels`, how much deeper they may go."""

    def __init__(self, trees: TreeClass) -> None:
        self.trees = trees
        self.kept_members = cache(self._members)
        self.kept_groups = cache(self._groups)

    def most_atoms(self, levels: int) -> int:
        """The number of atoms of the largest (levels,f)-tree-like formula."""
        slots = self.trees.fan_out * levels if self.trees.colours else 0
        return len(self.trees.unary) + (slots * (1 + self.most_atoms(levels - 1)) if slots else 0)

    def formulas(self, levels: int, atoms: int) -> Iterator[TreeFormula]:
        """The (levels,f)-tree-like formulas with so many atoms."""

        def groups(size: int, atoms: int) -> Sequence[Group]:
            return self.kept_groups(levels, size, atoms)

        for named in range(min(atoms, len(self.trees.unary)) + 1):
            for size in range(min(self.trees.fan_out * levels, atoms - named) + 1):
                for chosen in _multisets(groups, size, atoms - named):
                    for labels in combinations(self.trees.unary, named):
                        yield tree_formula(labels, chosen)

    def _groups(self, levels: int, size: int, atoms: int) -> Sequence[Group]:
        """The groups of so many children and atoms that a (levels,f)-tree-like formula can have at its root."""
        if size > 1 and not self.trees.inequalities:
            return ()

        def members(share: int, atoms: int) -> Sequence[TreeFormula]:
            return self.kept_members(levels - 1, atoms - 1) if share == 1 else ()

        sets = list(_multisets(members, size, atoms))
        return [group(colour, *children) for colour in self.trees.colours for children in sets]

    def _members(self, levels: int, atoms: int) -> Sequence[TreeFormula]:
        return list(self.formulas(levels, atoms))


def _multisets(
    parts: Callable[[int, int], Sequence[Part]], size: int, atoms: int, below: tuple[int, int] | None = None
) -> Iterator[tuple[Part, ...]]:
    """The multisets of parts with this total size and number of atoms.

    `parts(s, a)` are the parts of size s with a ≥ s atoms; only those with (s, a) less than `below` are used.
    """
    if size == 0 and atoms == 0:
        yield ()
    for share in range(1, size + 1):
        for weight in range(share, atoms - size + share + 1):
            if below is not None and (share, weight) >= below:
                return
            kinds = parts(share, weight)
            for times in range(1, size // share + 1 if kinds else 1):
                rest = _multisets(parts, size - times * share, atoms - times * weight, (share, weight))
                for others in rest:
                    for chosen in combinations_with_replacement(kinds, times):
                        yield (*chosen, *others)
