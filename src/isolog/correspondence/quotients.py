"""Capture of tree-like rules (Lemma 1 for Def. 9): one evaluation of the body, or branch and bound over merges.

Let a match send the body into a dataset. Layer by layer the values at the images are at least the body's own if for
each colour and feature only the best group of children is counted (`bounding.py`): the members of one group are
distinct in every match, and values only grow with the values they are made of. So a bound that reaches the threshold
proves capture. Members of different groups may coincide, and where a layer with k ≥ 2 adds up neighbours the bound
can be too low. There two groups are joined in every way, by merging some members of one with some of the other; a
merged child has the labels and the groups of both. Every match of the body is a match of one of the joined bodies, so
the network captures the rule iff it captures the rules with these bodies. A body is *settled* when nothing is left to
join. Then the bound is the value on the body's own dataset, and below the threshold that dataset is a counterexample.
A merge can raise the value as well as lower it, so nothing but the bound prunes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from isolog.correspondence.relevance import Relevant, is_settled
from isolog.correspondence.tree_batches import TreeBatches
from isolog.datalog.printer import print_rule
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import Group, TreeFormula, TreeRule, group, tree_formula
from isolog.errors import Finding, LimitError

_BATCH = 64


def failing_quotients(batches: TreeBatches, rules: Sequence[TreeRule], limit: int) -> list[TreeFormula | None]:
    """Per rule a settled quotient of the body at whose root the head is missed; None iff the network captures it.

    At most `limit` quotients are evaluated for one rule.
    """
    bounded = batches.bounded(rules)
    return [
        None if sure else _failing_quotient(batches, rule, limit) for rule, sure in zip(rules, bounded, strict=True)
    ]


def _failing_quotient(batches: TreeBatches, rule: TreeRule, limit: int) -> TreeFormula | None:
    """The same for one rule whose body is not bounded."""
    if is_settled(rule.body, batches.relevant):
        return rule.body
    pending, seen = [joined_bodies(rule.body, batches.relevant)], {rule.body}
    left = limit
    while batch := [TreeRule(rule.head, body) for body in islice(_unseen(pending, seen), min(left, _BATCH))]:
        left -= len(batch)
        for quotient, sure in zip(batch, batches.bounded(batch), strict=True):
            if not sure and is_settled(quotient.body, batches.relevant):
                return quotient.body
            if not sure:
                pending.append(joined_bodies(quotient.body, batches.relevant))
    if next(_unseen(pending, seen), None) is not None:
        message = f"undecided after {limit:,} ways to merge variables: `{print_rule(to_rule(rule))}`"
        raise LimitError(Finding("E431", message, hint="raise `limit`, or state which variables differ"))
    return None


def _unseen(pending: list[Iterator[TreeFormula]], seen: set[TreeFormula]) -> Iterator[TreeFormula]:
    """The bodies that the iterators give and that were not met before, the latest iterator first."""
    while pending:
        body = next(pending[-1], None)
        if body is None:
            pending.pop()
        elif body not in seen:
            seen.add(body)
            yield body


def joined_bodies(body: TreeFormula, relevant: Relevant) -> Iterator[TreeFormula]:
    """The bodies in which two groups of one relevant place are joined, in every way; the body is not settled.

    Parents come before their children, because a merge gives the merged child more groups to join.
    """
    by_colour = Counter(siblings.colour for siblings in body.groups)
    for place, siblings in enumerate(body.groups):
        if siblings.colour in relevant[0] and by_colour[siblings.colour] > 1:
            others = [*body.groups[:place], *body.groups[place + 2 :]]
            return (tree_formula(body.labels, [*others, both]) for both in joins(siblings, body.groups[place + 1]))
    place, child = next(
        (place, child)
        for place, siblings in enumerate(body.groups)
        for child in siblings.children
        if not is_settled(child, relevant[1:])
    )
    elsewhere, siblings = [*body.groups[:place], *body.groups[place + 1 :]], body.groups[place]
    others = list(siblings.children)
    others.remove(child)
    finer = joined_bodies(child, relevant[1:])
    return (tree_formula(body.labels, [*elsewhere, group(siblings.colour, *others, new)]) for new in finer)


def joins(one: Group, other: Group) -> Iterator[Group]:
    """The groups in which some members of one are merged with some of the other, one to one, and all stay apart.

    >>> from isolog.datalog.treelike import TOP
    >>> [len(both.children) for both in joins(group("E", TOP, TOP), group("E", TOP))]
    [3, 2]
    """
    for children in _joined(Counter(one.children), sorted(Counter(other.children).items())):
        yield group(one.colour, *children)


def _joined(free: Counter[TreeFormula], rest: Sequence[tuple[TreeFormula, int]]) -> Iterator[list[TreeFormula]]:
    """The members `free` for a merge, with the rest merged into them in every way; equal members are not told apart."""
    if not rest:
        yield list(free.elements())
        return
    (child, times), *later = rest
    for partners in _selections(sorted(free.items()), times):
        merged = [tree_formula(child.labels + p.labels, child.groups + p.groups) for p in partners.elements()]
        alone = [child] * (times - len(merged))
        for others in _joined(free - partners, later):
            yield [*merged, *alone, *others]


def _selections(members: Sequence[tuple[TreeFormula, int]], most: int) -> Iterator[Counter[TreeFormula]]:
    """The multisets of at most so many of the members, the smallest part of the first member first."""
    if not members:
        yield Counter()
        return
    (member, times), *later = members
    for chosen in range(min(times, most) + 1):
        for others in _selections(later, most - chosen):
            yield Counter({member: chosen}) + others
