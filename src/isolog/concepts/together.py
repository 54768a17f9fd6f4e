"""What holds however siblings of a body are merged, as far as they may coincide: exact, as in the capture test.

Two groups of one colour are joined in every way. A body of which the claim is true is left alone, because merging
keeps what is true of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import Bodies, Body
from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP, Concepts, Node

MOST_MERGED = 5_000


def implied_together(kept: Antichain, body: Body, sort: int, other_than: Body | None = None) -> bool:
    """Whether each way to merge siblings of the body maps onto one that is kept, other than the given one.

    Then the kept ones imply the body together, though perhaps none does alone. No more than `MOST_MERGED` ways are
    looked at; beyond that the answer is no.
    """
    return in_every_case(kept.bodies, body, sort, lambda merged: kept.implied_by(merged, other_than))


def implies_concept(concepts: Concepts, node: Node, bodies: Bodies, body: Body, sort: int) -> bool:
    """Whether the concept holds wherever the body does; a no may also be for want of looking further."""
    return in_every_case(bodies, body, sort, lambda merged: _holds(concepts, node, bodies, merged))


def in_every_case(bodies: Bodies, body: Body, sort: int, claim: Callable[[Body], bool]) -> bool:
    """Whether the claim is true of everything that merging siblings makes of the body, or gives out before."""
    pending, seen, left = [iter([body])], set[Body](), MOST_MERGED
    while pending:
        merged = next(pending[-1], None)
        if merged is None:
            pending.pop()
        elif merged not in seen:
            seen.add(merged)
            left -= 1
            if not claim(merged):
                if not left or not bodies.may_merge(merged):
                    return False
                pending.append(joined(bodies, merged, sort))
    return True


def joined(bodies: Bodies, body: Body, sort: int) -> Iterator[Body]:
    """The bodies in which two groups of one colour somewhere in the body are joined, in every way."""
    groups = bodies.groups[body]
    for place, (colour, children) in enumerate(groups):
        around = bodies.sorts[sort].neighbours[colour]
        assert around is not None, "a body has neighbours only where the sort allows some"
        following = next(islice(groups, place + 1, None), None)
        if following is not None and following[0] == colour:
            others = groups[:place] + groups[place + 2 :]
            for both in bodies.ways(children, following[1], around.sort):
                yield bodies.with_groups(body, [*others, (colour, both)])
            return
        for child in children:
            if bodies.may_merge(child):
                siblings = list(children)
                siblings.remove(child)
                others = groups[:place] + groups[place + 1 :]
                for new in joined(bodies, child, around.sort):
                    yield bodies.with_groups(body, [*others, (colour, tuple(sorted((*siblings, new))))])
                return


def _holds(concepts: Concepts, node: Node, bodies: Bodies, body: Body) -> bool:
    """Whether the concept holds at the root on account of members of single groups, which are surely distinct."""
    waiting, known = [node], dict[Node, bool]()
    while waiting:
        this = waiting[-1]
        kind = concepts.kinds[this]
        if kind in (AND, OR):
            one, other = concepts.parts(this)
            undecided = one not in known or (known[one] == (kind == AND) and other not in known)
            if undecided:
                waiting.append(other if one in known else one)
                continue
            known[this] = known[other] if known[one] == (kind == AND) else known[one]
        elif kind == COUNT:
            known[this] = _counts(concepts, this, bodies, body)
        else:
            known[this] = bool(bodies.labels[body] >> concepts.left[this] & 1) if kind == LABEL else this == TOP
        waiting.pop()
    return known[node]


def _counts(concepts: Concepts, node: Node, bodies: Bodies, body: Body) -> bool:
    (number, wanted), part = concepts.quantity(node), concepts.left[node]
    return any(
        sum(_holds(concepts, part, bodies, child) for child in children) >= number
        for colour, children in bodies.groups[body]
        if colour == wanted and len(children) >= number
    )
