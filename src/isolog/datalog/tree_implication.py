"""When one tree-like rule makes another superfluous, and programs of tree-like rules without superfluous ones.

A formula implies another if every match of it gives one of the other at the same term.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product

from isolog.datalog.matching import has_matching
from isolog.datalog.treelike import Group, TreeFormula, TreeRule, group, tree_formula

_Member = tuple[int, TreeFormula]


def maps_into(general: TreeFormula, special: TreeFormula) -> bool:
    """Whether a homomorphism maps root to root and every group injectively into one group.

    Then `special` implies `general`, and if `general` has no inequalities only then. Into several groups would
    not do: their members may coincide.

    >>> some_a, a = tree_formula([], [group("E", tree_formula(["A"]))]), tree_formula(["A"])
    >>> maps_into(some_a, tree_formula(["B"], [group("E", a, a)]))
    True
    """
    return set(general.labels) <= set(special.labels) and all(
        any(_fits(wanted, offered) for offered in special.groups) for wanted in general.groups
    )


def implies_any(formula: TreeFormula, others: Sequence[TreeFormula]) -> bool:
    """Whether every match of the formula gives, at the same term, a match of one of the others; exact.

    A tree-like formula sees of a match only which siblings coincide: so one of the others, not always the same,
    must hold however siblings are merged. The number of ways grows with the Bell numbers of the fan-out; they are
    tried only where homomorphisms do not decide.
    """
    if any(maps_into(other, formula) for other in others):
        return True
    counting = any(other.inequalities for other in others)
    return counting and all(any(maps_into(other, tree) for other in others) for tree in sibling_quotients(formula))


def sibling_quotients(formula: TreeFormula) -> Iterator[TreeFormula]:
    """The formulas that arise when some same-colour siblings are merged and all the others kept apart.

    Members of one group are never merged; the children of merged siblings become siblings.
    """
    by_colour = [list(groups) for _, groups in groupby(formula.groups, key=lambda each: each.colour)]
    for groups in product(*map(_merged_groups, by_colour)):
        yield tree_formula(formula.labels, groups)


def reduced(rules: Iterable[TreeRule]) -> tuple[TreeRule, ...]:
    """An equivalent part of the program in which no rule is implied by the others together, the smallest first.

    Of rules that imply each other the smallest stays.
    """
    kept: list[TreeRule] = []
    for rule in sorted(rules, key=lambda rule: (rule.body.atoms, rule.body.inequalities, rule)):
        if not any(maps_into(other.body, rule.body) for other in kept if other.head == rule.head):
            kept.append(rule)
    for rule in reversed(kept.copy()):
        others = [other.body for other in kept if other.head == rule.head and other != rule]
        if implies_any(rule.body, others):
            kept.remove(rule)
    return tuple(kept)


def _fits(wanted: Group, offered: Group) -> bool:
    """Whether the members of one group map into distinct members of the other."""
    if wanted.colour != offered.colour or len(wanted.children) > len(offered.children):
        return False
    places = range(len(offered.children))
    choices = [[n for n in places if maps_into(member, offered.children[n])] for member in wanted.children]
    return has_matching(choices)


def _merged_groups(groups: Sequence[Group]) -> list[Group]:
    """The groups of distinct children that the children of one colour can become."""
    members = [(number, child) for number, each in enumerate(groups) for child in each.children]
    merged: dict[Group, None] = {}
    for blocks in _partitions(members):
        united = [
            tree_formula(
                (label for _, child in block for label in child.labels),
                (inner for _, child in block for inner in child.groups),
            )
            for block in blocks
        ]
        merged.update((group(groups[0].colour, *trees), None) for trees in product(*map(sibling_quotients, united)))
    return list(merged)


def _partitions(members: Sequence[_Member]) -> Iterator[list[list[_Member]]]:
    """The partitions of the members into blocks without two members of one group."""
    if not members:
        yield []
        return
    *others, last = members
    for blocks in _partitions(others):
        for n, block in enumerate(blocks):
            if all(number != last[0] for number, _ in block):
                yield [*blocks[:n], [*block, last], *blocks[n + 1 :]]
        yield [*blocks, [last]]
