"""Formulas whose groups of distinct children are chains: what networks with a convex activation can count.

In a chain, of any two children one implies the other. Distinct neighbours for children φ_1, …, φ_n of a chain, the
strongest first, exist iff for each m at least m neighbours satisfy φ_m (Hall's theorem). So a chain is a conjunction
of groups of equal children, which `≥m c.φ_m` says; no disjunction is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from isolog.datalog.tree_implication import maps_into
from isolog.datalog.treelike import Group, TreeFormula, group, tree_formula


@dataclass(frozen=True, slots=True)
class BrokenChain:
    """Two children of one group of which neither implies the other."""

    siblings: Group
    one: TreeFormula
    other: TreeFormula


def chained(formula: TreeFormula) -> TreeFormula | None:
    """An equivalent formula in which the children of each group are equal; None if some group is no chain.

    >>> weak, strong = tree_formula(["A"]), tree_formula(["A", "B"])
    >>> even = chained(tree_formula([], [group("r", weak, strong)]))
    >>> even == tree_formula([], [group("r", weak, weak), group("r", strong)])
    True
    """
    groups: list[Group] = []
    for siblings in without_implied(formula.groups):
        children = [chained(child) for child in siblings.children]
        found = [child for child in children if child is not None]
        if len(found) < len(children) or next(_incomparable(found), None) is not None:
            return None
        groups += _levels(siblings.colour, found)
    return tree_formula(formula.labels, without_implied(groups))


def broken_chains(formula: TreeFormula) -> Iterator[BrokenChain]:
    """What keeps the formula from being made of chains, at the root and below."""
    for siblings in without_implied(formula.groups):
        for one, other in _incomparable(siblings.children):
            yield BrokenChain(siblings, one, other)
        for child in dict.fromkeys(siblings.children):
            yield from broken_chains(child)


def without_implied(groups: Iterable[Group]) -> list[Group]:
    """The groups without those that another one implies; of groups that imply each other the first stays."""
    kept: list[Group] = []
    for siblings in groups:
        if not any(_implies(other, siblings) for other in kept):
            kept = [other for other in kept if not _implies(siblings, other)]
            kept.append(siblings)
    return kept


def _levels(colour: str, children: list[TreeFormula]) -> Iterator[Group]:
    """One group of equal children for each child that does not imply the next one back."""
    strongest_first = sorted(children, key=lambda child: -sum(maps_into(other, child) for other in children))
    for size, child in enumerate(strongest_first, 1):
        if size == len(children) or not maps_into(child, strongest_first[size]):
            yield group(colour, *[child] * size)


def _incomparable(children: Iterable[TreeFormula]) -> Iterator[tuple[TreeFormula, TreeFormula]]:
    different = list(dict.fromkeys(children))
    for place, one in enumerate(different):
        for other in different[:place]:
            if not maps_into(one, other) and not maps_into(other, one):
                yield other, one


def _implies(one: Group, other: Group) -> bool:
    return maps_into(TreeFormula((), (other,)), TreeFormula((), (one,)))
