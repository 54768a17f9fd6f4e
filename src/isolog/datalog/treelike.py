"""Def. 9: tree-like formulas and rules, as trees in which the names of variables do not matter.

A variable has labels (its unary predicates) and groups of children: the members of one group are reached by
the same colour and pairwise distinct, members of different groups may coincide.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """⋀ (E_c(x, y_i) ∧ φ_i) ∧ ⋀_{i<j} y_i ≠ y_j; the children are in increasing order."""

    colour: str
    children: tuple[TreeFormula, ...]


@dataclass(frozen=True, slots=True, order=True)
class TreeFormula:
    """A tree-like formula in normal form: two are equal iff they are equal up to variable renaming.

    Build them with `tree_formula` and `group`, which sort.
    """

    labels: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()

    @property
    def atoms(self) -> int:
        """The number of body atoms; inequalities do not count."""
        return len(self.labels) + sum(1 + child.atoms for group in self.groups for child in group.children)

    @property
    def depth(self) -> int:
        """The greatest depth of a variable."""
        return max((1 + child.depth for group in self.groups for child in group.children), default=0)

    @property
    def fan_out(self) -> int:
        """The number of children of the root."""
        return sum(len(group.children) for group in self.groups)


@dataclass(frozen=True, slots=True, order=True)
class TreeRule:
    """`body → head(x)` for the root `x` of the body."""

    head: str
    body: TreeFormula


TOP = TreeFormula()


def tree_formula(labels: Iterable[str] = (), groups: Iterable[Group] = ()) -> TreeFormula:
    """The formula whose root has these labels and groups, in normal form.

    >>> tree_formula(["B", "A"]) == tree_formula(["A", "B", "A"])
    True
    """
    return TreeFormula(tuple(sorted(set(labels))), tuple(sorted(groups)))


def group(colour: str, *children: TreeFormula) -> Group:
    """The group of these children, pairwise distinct, in normal form."""
    return Group(colour, tuple(sorted(children)))
