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
    def children(self) -> tuple[TreeFormula, ...]:
        """The formulas of the root's children, group by group."""
        return tuple(child for group in self.groups for child in group.children)

    @property
    def atoms(self) -> int:
        """The number of body atoms; inequalities do not count."""
        return len(self.labels) + sum(1 + child.atoms for child in self.children)

    @property
    def variables(self) -> int:
        """The number of variables, the root included."""
        return 1 + sum(child.variables for child in self.children)

    @property
    def inequalities(self) -> int:
        """The number of inequalities."""
        own = sum(len(group.children) * (len(group.children) - 1) // 2 for group in self.groups)
        return own + sum(child.inequalities for child in self.children)

    @property
    def depth(self) -> int:
        """The greatest depth of a variable."""
        return max((1 + child.depth for child in self.children), default=0)

    @property
    def fan_out(self) -> int:
        """The number of children of the root."""
        return sum(len(group.children) for group in self.groups)


@dataclass(frozen=True, slots=True, order=True)
class TreeRule:
    """`body → head(x)` for the root `x` of the body."""

    head: str
    body: TreeFormula


@dataclass(frozen=True, slots=True)
class TreeClass:
    """All (d,f)-tree-like formulas over these unary predicates and colours: `depth` is d, `fan_out` is f."""

    unary: tuple[str, ...]
    colours: tuple[str, ...]
    depth: int
    fan_out: int
    inequalities: bool = True


TOP = TreeFormula()


def tree_formula(labels: Iterable[str] = (), groups: Iterable[Group] = ()) -> TreeFormula:
    """The formula whose root has these labels and groups, in normal form; a group without children says nothing.

    >>> tree_formula(["B", "A"]) == tree_formula(["A", "B", "A"], [group("E")])
    True
    """
    return TreeFormula(tuple(sorted(set(labels))), tuple(sorted(group for group in groups if group.children)))


def group(colour: str, *children: TreeFormula) -> Group:
    """The group of these children, pairwise distinct, in normal form."""
    return Group(colour, tuple(sorted(children)))


def is_d_f_tree_like(formula: TreeFormula, d: int, f: int) -> bool:
    """Whether every variable has a depth i ≤ d and a fan-out of at most f·(d−i).

    >>> is_d_f_tree_like(tree_formula(["A"], [group("E", TOP, TOP)]), d=1, f=1)
    False
    """
    return d >= 0 and formula.fan_out <= f * d and all(is_d_f_tree_like(child, d - 1, f) for child in formula.children)


def least_fan_out(formula: TreeFormula, d: int) -> int:
    """The least f for which the formula, of depth at most d, is (d,f)-tree-like."""
    below = (least_fan_out(child, d - 1) for child in formula.children)
    return max((-(-formula.fan_out // d), *below)) if formula.groups else 0
