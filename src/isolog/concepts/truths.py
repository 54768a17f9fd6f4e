"""Whether concepts hold where bodies do: the capture test, on concepts."""

from __future__ import annotations

from isolog.concepts.bodies import Bodies, Body
from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.concepts.together import in_every_case

MOST_KEPT = 1_000_000
MOST_MERGED = 200


class Truths:
    """Remembers which concepts hold at the roots of which bodies."""

    def __init__(self, concepts: Concepts, bodies: Bodies) -> None:
        self.concepts = concepts
        self.bodies = bodies
        self._known: dict[tuple[Body, Node], bool] = {}

    def implies(self, body: Body, node: Node, sort: int) -> bool:
        """Whether the concept holds wherever the body does; a no may also be for want of looking further."""
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        return in_every_case(self.bodies, body, sort, lambda merged: self._holds(merged, node), MOST_MERGED)

    def _holds(self, body: Body, node: Node) -> bool:
        """Whether the concept holds at the root on account of members of single groups, which are surely distinct."""
        found = self._known.get((body, node))
        if found is None:
            found = self._known[body, node] = self._find(body, node)
        return found

    def _find(self, body: Body, node: Node) -> bool:
        concepts, labels = self.concepts, self.bodies.labels[body]
        known: dict[Node, bool] = {}
        waiting = [node]
        while waiting:
            this = waiting[-1]
            kind, left = concepts.kinds[this], concepts.left[this]
            if kind in (AND, OR):
                first, goes_on = known.get(left), kind == AND
                answer = known.get(concepts.right[this]) if first == goes_on else first
                if answer is None:
                    waiting.append(left if first is None else concepts.right[this])
                    continue
            elif kind == COUNT:
                answer = self._counts(body, this)
            else:
                answer = bool(labels >> left & 1) if kind == LABEL else this == TOP
            known[this] = answer
            waiting.pop()
        return known[node]

    def _counts(self, body: Body, node: Node) -> bool:
        (number, wanted), part = self.concepts.quantity(node), self.concepts.left[node]
        return any(
            sum(self._holds(child, part) for child in children) >= number
            for colour, children in self.bodies.groups[body]
            if colour == wanted and len(children) >= number
        )
