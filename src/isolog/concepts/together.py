"""When several bodies make another one superfluous together, though none of them does alone.

However siblings of the body that may coincide are merged, one of the others must hold. As in the capture test, two
groups of one colour are joined in every way, and a body that maps onto one of the others is left alone, because all
that merging makes of it does, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import Bodies, Body

MOST_MERGED = 5_000


def implied_together(kept: Antichain, body: Body, sort: int, other_than: Body | None = None) -> bool:
    """Whether each way to merge siblings of the body maps onto one that is kept, other than the given one.

    No more than `MOST_MERGED` ways are looked at; beyond that the answer is no.
    """
    bodies = kept.bodies
    pending, seen, left = [iter([body])], set[Body](), MOST_MERGED
    while pending:
        merged = next(pending[-1], None)
        if merged is None:
            pending.pop()
        elif merged not in seen:
            seen.add(merged)
            left -= 1
            if not kept.implied_by(merged, other_than):
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
