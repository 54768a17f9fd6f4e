"""Trees to try concepts on: every vertex is a tree, with all that hangs below it, and trees share subtrees.

What a concept says of a vertex depends only on what hangs below it. Which trees satisfy a concept is a bit mask,
computed when it is asked for and extended as trees are added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import TypeAlias

from isolog.concepts.dag import AND, BOTTOM, COUNT, LABEL, OR, TOP, Concepts, Node

Vertex: TypeAlias = int
Children: TypeAlias = tuple[tuple[int, Vertex, int], ...]
"""Per child its colour, its tree, and how many copies of it there are."""

Mask: TypeAlias = int

MANY = 32
"""So many neighbours or more are alike in random trees."""


class Forest:
    """The trees so far; children have smaller numbers than parents.

    >>> store = Concepts()
    >>> two = store.at_least(2, 0, store.label(1))
    >>> forest = Forest(store)
    >>> leaf = forest.plant({1}, ())
    >>> forest.find([two], []), forest.plant(set(), [(0, leaf, 2)]), forest.find([two], [])
    (None, 1, 1)
    """

    def __init__(self, concepts: Concepts) -> None:
        self.concepts = concepts
        self.labels: list[frozenset[int]] = []
        self.children: list[Children] = []
        self._numbers: dict[tuple[frozenset[int], Children], Vertex] = {}
        self._having: dict[int, Mask] = {}
        self._where: dict[Node, tuple[int, Mask]] = {}

    def plant(self, labels: Iterable[int], children: Iterable[tuple[int, Vertex, int]]) -> Vertex:
        """The tree with these labels at its root and these children."""
        key = frozenset(labels), tuple(sorted(children))
        vertex = self._numbers.setdefault(key, len(self.labels))
        if vertex == len(self.labels):
            self.labels.append(key[0])
            self.children.append(key[1])
            for label in key[0]:
                self._having[label] = self._having.get(label, 0) | 1 << vertex
        return vertex

    def holds(self, node: Node, vertex: Vertex) -> bool:
        """Whether the tree satisfies the concept."""
        return bool(self.where(node) >> vertex & 1)

    def find(self, wanted: Iterable[Node], unwanted: Iterable[Node]) -> Vertex | None:
        """A tree that satisfies all of the one and none of the other, if the forest has one."""
        left = (1 << len(self.labels)) - 1
        for node in wanted:
            if left:
                left &= self.where(node)
        for node in unwanted:
            if left:
                left &= ~self.where(node)
        return (left & -left).bit_length() - 1 if left else None

    def where(self, node: Node) -> Mask:
        """The trees that satisfy the concept."""
        count = len(self.labels)
        waiting = [node]
        while waiting:
            known = self._where.get(waiting[-1], (0, 0))
            if known[0] == count and waiting[-1] in self._where:
                waiting.pop()
                continue
            missing = [part for part in self.concepts.parts(waiting[-1]) if self._where.get(part, (-1, 0))[0] < count]
            if missing:
                waiting += missing
            else:
                here = waiting.pop()
                self._where[here] = count, self._extended(here, *known)
        return self._where[node][1]

    def _extended(self, node: Node, done: int, mask: Mask) -> Mask:
        """The mask of a node that is known for the first `done` trees, its parts for all."""
        store, count = self.concepts, len(self.labels)
        kind, left, right = store.kinds[node], store.left[node], store.right[node]
        if kind == LABEL:
            return self._having.get(left, 0)
        if kind == AND:
            return self._where[left][1] & self._where[right][1]
        if kind == OR:
            return self._where[left][1] | self._where[right][1]
        if kind == COUNT:
            at_least, colour = store.quantities[right]
            inner = self._where[left][1]
            for vertex in range(done, count):
                found = sum(n for c, child, n in self.children[vertex] if c == colour and inner >> child & 1)
                mask |= (found >= at_least) << vertex
            return mask
        return (1 << count) - 1 if node == TOP else 0

    def sprout(self, nodes: Iterable[Node], random: Random) -> Vertex:
        """A random tree that satisfies all of the concepts, none of which is ⊥, with little that it could do without.

        Counted neighbours sometimes serve several concepts at once.
        """
        labels: set[int] = set()
        below: dict[int, list[list[Node]]] = {}
        grown: Counter[tuple[int, Vertex]] = Counter()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            kind = self.concepts.kinds[node]
            assert node != BOTTOM, "nothing satisfies ⊥"
            if kind == LABEL:
                labels.add(self.concepts.left[node])
            elif kind == AND:
                waiting += self.concepts.parts(node)
            elif kind == OR:
                waiting.append(random.choice(self.concepts.parts(node)))
            elif kind == COUNT:
                number, colour = self.concepts.quantity(node)
                if number >= MANY:
                    grown[colour, self.sprout(self.concepts.parts(node), random)] += number
                    continue
                children = below.setdefault(colour, [])
                shared = random.sample(children, random.randint(0, min(number, len(children))))
                fresh: list[list[Node]] = [[] for _ in range(number - len(shared))]
                children += fresh
                for child in (*shared, *fresh):
                    child += self.concepts.parts(node)
        grown.update((colour, self.sprout(child, random)) for colour, every in below.items() for child in every)
        return self.plant(labels, ((colour, vertex, copies) for (colour, vertex), copies in grown.items()))
