"""What holds however siblings of a body are merged, as far as they may coincide: exact, as in the capture test.

Two groups of one colour are joined in every way. A body of which the claim is true is left alone, because merging
keeps what is true of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import Bodies, Body

MOST_MERGED = 5_000


def implied_together(kept: Antichain, body: Body, sort: int, other_than: Body | None = None) -> bool:
    """Whether each way to merge siblings of the body maps onto one that is kept, other than the given one.

    Then the kept ones imply the body together, though perhaps none does alone. No more than `MOST_MERGED` ways are
    looked at; beyond that the answer is no.
    """
    return in_every_case(kept.bodies, body, sort, lambda merged: kept.implied_by(merged, other_than))


def in_every_case(
    bodies: Bodies, body: Body, sort: int, claim: Callable[[Body], bool], most: int = MOST_MERGED
) -> bool:
    """Whether the claim is true of everything that merging siblings makes of the body; no, if that is too much."""
    pending, seen, left = [iter([body])], set[Body](), most
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
