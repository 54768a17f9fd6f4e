"""How many derivations concepts have: one pass over the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import comb

from isolog.concepts.dag import AND, BOTTOM, COUNT, OR, Concepts, Node

_LONGEST = 4_000


def derivations(concepts: Concepts, heads: Iterable[Node]) -> list[int]:
    """Per head in how many ways ∨ can be pushed outwards: the bodies of its flat program before any is dropped.

    A choice of n neighbours out of d ways to be one is a multiset.

    >>> store = Concepts()
    >>> either = store.either(store.label(0), store.label(1))
    >>> derivations(store, [store.at_least(2, 0, either)])
    [3]
    """
    wanted = list(heads)
    order = concepts.reachable(wanted)
    uses = Counter(part for node in order for part in concepts.parts(node))
    uses.update(set(wanted))
    number: dict[Node, int] = {}
    for node in order:
        kind, parts = concepts.kinds[node], concepts.parts(node)
        ways = [number[part] for part in parts]
        if kind == AND:
            number[node] = ways[0] * ways[1]
        elif kind == OR:
            number[node] = ways[0] + ways[1]
        elif kind == COUNT:
            at_least = concepts.quantity(node).at_least
            number[node] = comb(ways[0] + at_least - 1, at_least)
        else:
            number[node] = int(node != BOTTOM)
        for part in parts:
            uses[part] -= 1
            if not uses[part]:
                del number[part]
    return [number[node] for node in wanted]


def digits(number: int) -> str:
    """A number in full, however long it is.

    >>> digits(10**9_000) == "1" + 9_000 * "0"
    True
    """
    parts: list[str] = []
    while number >= 10**_LONGEST:
        number, rest = divmod(number, 10**_LONGEST)
        parts.append(str(rest).zfill(_LONGEST))
    return "".join([str(number), *reversed(parts)])


def about(number: int) -> str:
    """A number for people.

    >>> about(12_345), about(3_140_000_000_000_000)
    ('12,345', 'about 3.1·10^15')
    """
    if number < 10**9:
        return f"{number:,}"
    text = digits(number)
    return f"about {text[0]}.{text[1]}·10^{len(text) - 1}"
