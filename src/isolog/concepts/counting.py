"""How many derivations concepts have: one pass over the graph."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from isolog.concepts.dag import AND, BOTTOM, COUNT, OR, Concepts, Node


def derivations(concepts: Concepts, heads: Iterable[Node]) -> list[int]:
    """Per head in how many ways ∨ can be pushed outwards: the bodies of its flat program before any is dropped.

    A choice of n neighbours out of d ways to be one is a multiset.

    >>> store = Concepts()
    >>> either = store.either(store.label(0), store.label(1))
    >>> derivations(store, [store.at_least(2, 0, either)])
    [3]
    """
    wanted = list(heads)
    number: dict[Node, int] = {}
    for node in concepts.reachable(wanted):
        kind, ways = concepts.kinds[node], [number[part] for part in concepts.parts(node)]
        if kind == AND:
            number[node] = ways[0] * ways[1]
        elif kind == OR:
            number[node] = ways[0] + ways[1]
        elif kind == COUNT:
            at_least = concepts.quantity(node).at_least
            number[node] = comb(ways[0] + at_least - 1, at_least)
        else:
            number[node] = int(node != BOTTOM)
    return [number[node] for node in wanted]
