"""Why ReLU is not enough: two datasets that no network with convex activations tells apart the right way.

A convex increasing function of nonnegative combinations is supermodular in facts about one vertex: u(A,B) + u(∅) is at
least u(A) + u(B). Take distinct neighbours y1, y2 of x on which a rule needs A and B. If a network derives the head at
x, it still does after y2's A and B have both moved to y1: for every feature the larger of the two values and their sum
only grow, so every max, every sum and every convex function of them does, too. Where the rule does not fire on the
second dataset, no such network is equivalent to it.

The two neighbours may carry trees. They are laid over each other: facts at matching places are exchanged, and in each
place the children in one colour may differ in one place only, for a maximum over two that differ is not supermodular.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Generic, TypeAlias, TypeVar

from isolog.correspondence.chains import broken_chains
from isolog.correspondence.counterexample import spread, tree_facts
from isolog.correspondence.lemma1 import readable_names
from isolog.datalog.tree_implication import maps_into
from isolog.datalog.treelike import Group, TreeFormula, TreeRule, group, tree_formula
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom

_TRIED = 10_000


@dataclass(frozen=True, slots=True)
class Inseparable:
    """Networks with convex activations that derive the fact on `derived` derive it on `not_derived`, too."""

    fact: Atom
    derived: Dataset
    not_derived: Dataset


Side = TypeVar("Side")
_Children: TypeAlias = tuple[TreeFormula, ...]


@dataclass(frozen=True, slots=True)
class _Sides(Generic[Side]):
    """Two siblings, or their children, and what becomes of them: the first has all facts, the other the common ones."""

    one: Side
    other: Side
    united: Side
    common: Side


def inseparable(rule: TreeRule, rules: Sequence[TreeRule]) -> Inseparable | None:
    """Two such datasets for a rule of a program, if there are some among those tried: the program derives the head at
    `a` on the first and not on the second.

    >>> a, b = tree_formula(["A"]), tree_formula(["B"])
    >>> rule = TreeRule("U", tree_formula([], [group("E", a, b)]))
    >>> found = inseparable(rule, [rule])
    >>> sorted(fact.name for fact in found.not_derived), len(found.derived)
    (['A', 'B', 'E', 'E'], 4)
    """
    bodies = [other.body for other in rules if other.head == rule.head]
    for before, after in islice(_exchanges(spread(rule.body)), _TRIED):
        if not any(maps_into(body, after) for body in bodies) and any(maps_into(body, before) for body in bodies):
            return Inseparable(Atom(rule.head, ("a",)), _dataset(before), _dataset(after))
    return None


def _exchanges(tree: TreeFormula) -> Iterator[tuple[TreeFormula, TreeFormula]]:
    """Trees that have all of the tree, before and after an exchange between two siblings, at the root or below."""
    for place, siblings in enumerate(tree.groups):
        elsewhere = (*tree.groups[:place], *tree.groups[place + 1 :])
        for number, child in enumerate(siblings.children):
            others = (*siblings.children[:number], *siblings.children[number + 1 :])
            for before, after in _exchanges(child):
                yield (
                    _with(tree, elsewhere, group(siblings.colour, *others, before)),
                    _with(tree, elsewhere, group(siblings.colour, *others, after)),
                )
        for broken in broken_chains(TreeFormula((), (siblings,))):
            if broken.siblings != siblings:
                continue
            others = list(siblings.children)
            others.remove(broken.one)
            others.remove(broken.other)
            for laid in _overlays(broken.one, broken.other):
                yield (
                    _with(tree, elsewhere, group(siblings.colour, *others, laid.one, laid.other)),
                    _with(tree, elsewhere, group(siblings.colour, *others, laid.united, laid.common)),
                )


def _with(tree: TreeFormula, elsewhere: Iterable[Group], siblings: Group) -> TreeFormula:
    return tree_formula(tree.labels, [*elsewhere, siblings])


def _overlays(one: TreeFormula, other: TreeFormula) -> Iterator[_Sides[TreeFormula]]:
    """The ways to lay one tree over the other."""
    colours = sorted({each.colour for each in (*one.groups, *other.groups)})
    layings = [list(_layings(_children(one, colour), _children(other, colour))) for colour in colours]
    for chosen in product(*layings):
        yield _Sides(
            _tree(one.labels, colours, [side.one for side in chosen]),
            _tree(other.labels, colours, [side.other for side in chosen]),
            _tree({*one.labels, *other.labels}, colours, [side.united for side in chosen]),
            _tree({*one.labels} & {*other.labels}, colours, [side.common for side in chosen]),
        )


def _tree(labels: Iterable[str], colours: Iterable[str], children: Iterable[_Children]) -> TreeFormula:
    return tree_formula(labels, [group(colour, *each) for colour, each in zip(colours, children)])


def _layings(one: _Children, other: _Children) -> Iterator[_Sides[_Children]]:
    """Per side the children in one colour: all on one side if the other has none, else one pair laid over each other
    and all the rest on both sides."""
    if not one or not other:
        yield _Sides(one, other, one or other, ())
        return
    for place, mine in enumerate(one):
        for number, theirs in enumerate(other):
            rest = (*one[:place], *one[place + 1 :], *other[:number], *other[number + 1 :])
            for laid in _overlays(mine, theirs):
                yield _Sides((laid.one, *rest), (laid.other, *rest), (laid.united, *rest), (laid.common, *rest))


def _children(tree: TreeFormula, colour: str) -> _Children:
    return tuple(child for each in tree.groups if each.colour == colour for child in each.children)


def _dataset(tree: TreeFormula) -> Dataset:
    names = readable_names()
    return Dataset.from_facts(tree_facts(tree, next(names), names))
