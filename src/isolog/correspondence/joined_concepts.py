"""Concepts of several stores in one, where equal conjunctions and disjunctions are one node however they are nested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from isolog.concepts.dag import AND, BOTTOM, COUNT, LABEL, OR, TOP, Concepts, Node

MOST_PARTS = 64
"""Larger sets of parts are kept as they are nested: flattening them all would take quadratic space."""

_Key: TypeAlias = tuple[int, frozenset[Node]]


class JoinedConcepts:
    """A store, and which of its nodes stands for a set of conjuncts or disjuncts.

    >>> one = Concepts()
    >>> a, b, c = map(one.label, range(3))
    >>> joined = JoinedConcepts()
    >>> left, right = one.either(one.either(a, b), c), one.either(a, one.either(b, c))
    >>> left == right, len(set(joined.add(one, [left, right], range(3), range(0))))
    (False, 1)
    """

    def __init__(self) -> None:
        self.concepts = Concepts()
        self._parts: dict[Node, _Key] = {}
        self._nodes: dict[_Key, Node] = {}

    def add(
        self, source: Concepts, heads: Sequence[Node], features: Sequence[int], colours: Sequence[int]
    ) -> list[Node]:
        """The nodes that say what the heads say, under these numbers of features and colours."""
        store = self.concepts
        found: dict[Node, Node] = {TOP: TOP, BOTTOM: BOTTOM}
        for node in source.reachable(heads):
            kind, parts = source.kinds[node], [found[part] for part in source.parts(node)]
            if kind in (AND, OR):
                found[node] = self._joined(kind, *parts)
            elif kind == COUNT:
                at_least, colour = source.quantity(node)
                found[node] = store.at_least(at_least, colours[colour], *parts)
            elif kind == LABEL:
                found[node] = store.label(features[source.left[node]])
        return [found[head] for head in heads]

    def _joined(self, kind: int, one: Node, other: Node) -> Node:
        parts = frozenset(part for node in (one, other) for part in self._of_kind(kind, node))
        if len(parts) > MOST_PARTS:
            parts = frozenset((one, other))
        key = kind, parts
        node = self._nodes.get(key)
        if node is None:
            join = self.concepts.both if kind == AND else self.concepts.either
            node = self._nodes[key] = join(one, other)
            self._parts.setdefault(node, key)
        return node

    def _of_kind(self, kind: int, node: Node) -> frozenset[Node]:
        """The conjuncts, or disjuncts, of a node."""
        known = self._parts.get(node)
        return known[1] if known is not None and known[0] == kind else frozenset((node,))
