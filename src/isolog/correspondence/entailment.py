"""A sufficient test of `one ⇒ other` for concepts, part by part: each pair of nodes is looked at once.

Every part of a disjunction must imply the other, and every part of a conjunction be implied; for conjunctions on the
left and disjunctions on the right one part must do alone, which is where the test may say no to what is true.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias

from isolog.concepts.dag import AND, BOTTOM, COUNT, OR, TOP, Concepts, Node
from isolog.correspondence.forest import Forest

_Pair: TypeAlias = tuple[Node, Node]


class Entailment:
    """What was found out about pairs of nodes. A tree of the forest that speaks against a pair settles it.

    >>> store = Concepts()
    >>> a, b, c = map(store.label, range(3))
    >>> test = Entailment(store, Forest(store))
    >>> special, general = store.at_least(3, 0, store.both(b, store.both(a, c))), store.at_least(2, 0, store.both(a, b))
    >>> test.implies(special, general), test.implies(general, special)
    (True, False)
    """

    def __init__(self, concepts: Concepts, forest: Forest, tick: Callable[[], None] = lambda: None) -> None:
        self.concepts = concepts
        self.tick = tick
        self.forest = forest
        self._found: dict[_Pair, bool] = {}

    def implies(self, one: Node, other: Node) -> bool:
        """Whether the test proves that each tree that satisfies the one satisfies the other."""
        answer = self._known(one, other)
        waiting: list[tuple[_Pair, Generator[_Pair, bool, bool]]] = []
        if answer is None:
            waiting.append(((one, other), self._work(one, other)))
        while waiting:
            self.tick()
            pair, work = waiting[-1]
            try:
                question = work.send(answer)  # pyright: ignore[reportArgumentType]  None starts a generator
            except StopIteration as end:
                waiting.pop()
                answer = self._found[pair] = bool(end.value)
                continue
            answer = self._known(*question)
            if answer is None:
                waiting.append((question, self._work(*question)))
        return bool(answer)

    def _known(self, one: Node, other: Node) -> bool | None:
        if one in (other, BOTTOM) or other == TOP:
            return True
        found = self._found.get((one, other))
        if found is None and self.forest.find((one,), (other,)) is not None:
            found = self._found[one, other] = False
        return found

    def _work(self, one: Node, other: Node) -> Generator[_Pair, bool, bool]:
        store = self.concepts
        kind, wanted = store.kinds[one], store.kinds[other]
        if kind == OR:
            for part in store.parts(one):
                if not (yield part, other):
                    return False
            return True
        if wanted == AND:
            for part in store.parts(other):
                if not (yield one, part):
                    return False
            return True
        if kind == AND:
            for part in store.parts(one):
                if (yield part, other):
                    return True
        if wanted == OR:
            for part in store.parts(other):
                if (yield one, part):
                    return True
        if kind == wanted == COUNT:
            more, less = store.quantity(one), store.quantity(other)
            if more.colour == less.colour and more.at_least >= less.at_least:
                return (yield store.left[one], store.left[other])
        return False
