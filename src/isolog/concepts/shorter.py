"""What merging siblings makes of a body that is too long: the shorter bodies that stand for it where length counts.

Each tree that has no more atoms than allowed, and in which the body holds, makes the body's siblings coincide in some
way; so one of these bodies holds in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from isolog.concepts.bodies import Bodies, Body

MOST_TRIED = 5_000


def shorter(bodies: Bodies, body: Body, sort: int, most_atoms: int) -> list[Body] | None:
    """Bodies that imply the given one and have at most so many atoms, the smallest first.

    Every tree of that size in which the body holds has one of them. None if there are too many ways to merge.
    """
    found: list[Body] = []
    waiting, seen = [body], {body}
    while waiting:
        merged = waiting.pop()
        if bodies.atoms(merged) <= most_atoms:
            found.append(merged)
            continue
        for new in _merged_once(bodies, merged, sort):
            if new not in seen and bodies.least_atoms(new) <= most_atoms:
                seen.add(new)
                waiting.append(new)
        if len(seen) > MOST_TRIED:
            return None
    return sorted(found, key=lambda each: (bodies.atoms(each), each))


def _merged_once(bodies: Bodies, body: Body, sort: int) -> Iterator[Body]:
    """The bodies in which two siblings of different groups coincide, or siblings in a child do.

    Two groups of several members each become one, in which all the others are distinct, as there they must be.
    """
    groups = bodies.groups[body]
    for place, (colour, children) in enumerate(groups):
        around = bodies.sorts[sort].neighbours[colour]
        assert around is not None, "a body has neighbours only where the sort allows some"
        others = groups[:place] + groups[place + 1 :]
        for second, (theirs, members) in enumerate(others[place:], place):
            if theirs == colour:
                rest = others[:second] + others[second + 1 :]
                size = len(children) + len(members)
                for both in bodies.ways(children, members, around.sort):
                    if len(both) < size:
                        yield bodies.with_groups(body, [*rest, (colour, both)])
        for child in dict.fromkeys(children):
            siblings = list(children)
            siblings.remove(child)
            for new in _merged_once(bodies, child, around.sort):
                yield bodies.with_groups(body, [*others, (colour, tuple(sorted((*siblings, new))))])
