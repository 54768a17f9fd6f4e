"""Concepts φ ::= ⊤ | ⊥ | U_i | φ ∧ ψ | φ ∨ ψ | ≥n c.φ, hash-consed: equal concepts are one node.

A node is a number; its parts have smaller numbers, so counting up visits parts before wholes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from itertools import compress
from typing import NamedTuple, TypeAlias

Node: TypeAlias = int


# What a node is. Plain integers: nodes are made by the million, and members of an enum compare slowly.
TOP_KIND, BOTTOM_KIND, LABEL, AND, OR, COUNT = range(6)


class Quantity(NamedTuple):
    """The `≥n c` of a counting node; colours are numbered as in the graph."""

    at_least: int
    colour: int


MANY = 100
"""More parts are not compared with each other, two by two."""

TOP: Node = 0
BOTTOM: Node = 1


class Concepts:
    """The nodes, in arrays. `left[n]` is a label's feature, or the first part; `right[n]` the second part of ∧ and ∨.

    For a counting node `left[n]` is the concept counted and `right[n]` indexes `quantities`.

    >>> store = Concepts()
    >>> store.both(store.label(0), store.either(store.label(0), store.label(1))) == store.label(0)
    True
    """

    def __init__(self) -> None:
        self.kinds = array("b", (TOP_KIND, BOTTOM_KIND))
        self.left = array("i", (0, 0))
        self.right = array("i", (0, 0))
        self.quantities: list[Quantity] = []
        self._quantity_numbers: dict[Quantity, int] = {}
        self._nodes: dict[int, Node] = {}

    def __len__(self) -> int:
        return len(self.kinds)

    def label(self, feature: int) -> Node:
        """U_i, features numbered from 0."""
        return self._node(LABEL, feature, 0)

    def at_least(self, number: int, colour: int, part: Node) -> Node:
        """≥n c.φ: at least so many distinct neighbours of the colour satisfy the part."""
        if number <= 0:
            return TOP
        if part == BOTTOM:
            return BOTTOM
        quantity = Quantity(number, colour)
        index = self._quantity_numbers.setdefault(quantity, len(self.quantities))
        if index == len(self.quantities):
            self.quantities.append(quantity)
        return self._node(COUNT, part, index)

    def both(self, one: Node, other: Node) -> Node:
        """φ ∧ ψ, without what one part implies of the other."""
        if self.obviously_implies(one, other):
            return one
        if self.obviously_implies(other, one):
            return other
        return self._node(AND, min(one, other), max(one, other))

    def either(self, one: Node, other: Node) -> Node:
        """φ ∨ ψ, without what implies the other part."""
        if self.obviously_implies(one, other):
            return other
        if self.obviously_implies(other, one):
            return one
        return self._node(OR, min(one, other), max(one, other))

    def all_of(self, parts: Iterable[Node]) -> Node:
        """The conjunction of the parts, ⊤ for none, without parts that others imply."""
        whole = TOP
        for part in self._least(parts, lambda one, other: self.obviously_implies(other, one)):
            whole = self.both(whole, part)
        return whole

    def any_of(self, parts: Iterable[Node]) -> Node:
        """The disjunction of the parts, ⊥ for none, without parts that imply others."""
        whole = BOTTOM
        for part in self._least(parts, self.obviously_implies):
            whole = self.either(whole, part)
        return whole

    def obviously_implies(self, one: Node, other: Node) -> bool:
        """A cheap sufficient test of `one ⇒ other`: equal nodes, a part of ∧, a whole of ∨, a chain of counts."""
        while one not in (other, BOTTOM) and other != TOP:
            kind, wanted = self.kinds[one], self.kinds[other]
            if kind == AND and other in (self.left[one], self.right[one]):
                return True
            if wanted == OR and one in (self.left[other], self.right[other]):
                return True
            if not kind == wanted == COUNT:
                return False
            more, less = self.quantities[self.right[one]], self.quantities[self.right[other]]
            if more.colour != less.colour or more.at_least < less.at_least:
                return False
            one, other = self.left[one], self.left[other]
        return True

    def quantity(self, node: Node) -> Quantity:
        """The `≥n c` of a counting node."""
        return self.quantities[self.right[node]]

    def parts(self, node: Node) -> tuple[Node, ...]:
        """The nodes that a node is made of."""
        kind = self.kinds[node]
        if kind in (AND, OR):
            return (self.left[node], self.right[node])
        return (self.left[node],) if kind == COUNT else ()

    def reachable(self, heads: Iterable[Node]) -> list[Node]:
        """The nodes that the heads are made of, themselves included, parts before wholes."""
        seen = bytearray(len(self))
        waiting = list(heads)
        for node in waiting:
            seen[node] = 1
        while waiting:
            for part in self.parts(waiting.pop()):
                if not seen[part]:
                    seen[part] = 1
                    waiting.append(part)
        return list(compress(range(len(seen)), seen))

    def _least(self, parts: Iterable[Node], is_superfluous: Callable[[Node, Node], bool]) -> list[Node]:
        """The parts, each once, without those that are superfluous beside another one; all if they are very many."""
        different = list(dict.fromkeys(parts))
        if len(different) > MANY:
            return different
        return [one for one in different if not any(one != other and is_superfluous(one, other) for other in different)]

    def _node(self, kind: int, left: int, right: int) -> Node:
        key = (left << 34) | (right << 3) | kind
        node = self._nodes.setdefault(key, len(self.kinds))
        if node == len(self.kinds):
            self.kinds.append(kind)
            self.left.append(left)
            self.right.append(right)
        return node
