"""The cheapest way in which a concept holds at one vertex, as a body that holds there and implies the concept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from isolog.concepts.bodies import TRUE, Bodies, Body
from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.concepts.truths import Truths
from isolog.graphs.graph import ColouredGraph

NEVER = 1 << 60
MOST_COMPARED = 32

_Place = tuple[Node, int]


class Cheapest:
    """Costs are atoms, counted once for every part that needs them; `tick` may raise to end a long search."""

    def __init__(
        self, concepts: Concepts, bodies: Bodies, graph: ColouredGraph, tick: Callable[[], None] = lambda: None
    ) -> None:
        self.concepts = concepts
        self.bodies = bodies
        self.graph = graph
        self._tick = tick
        self._truths = Truths(concepts, bodies)
        self._costs: dict[_Place, int] = {}

    def body(self, node: Node, vertex: int, sort: int) -> Body:
        """A body that holds at the vertex, where the concept does, and of which no atom can be left out."""
        self._costs = {}
        return shortened(self._truths, node, self._body(node, vertex, sort), sort)

    def _body(self, node: Node, vertex: int, sort: int) -> Body:
        assert self._cost(node, vertex) < NEVER, "the concept holds at the vertex"
        concepts, bodies = self.concepts, self.bodies
        body, waiting = TRUE, [node]
        while waiting:
            this = waiting.pop()
            kind = concepts.kinds[this]
            if kind == OR:
                waiting.append(min(concepts.parts(this), key=lambda part: self._cost(part, vertex)))
            elif kind == AND:
                waiting += concepts.parts(this)
            elif kind == LABEL:
                body = bodies.both(body, bodies.label(concepts.left[this]), sort)
            elif kind == COUNT:
                (number, colour), part = concepts.quantity(this), concepts.left[this]
                around = bodies.sorts[sort].neighbours[colour]
                assert around is not None, "concepts of a sort count its own neighbours only"
                known = [(self._costs.get((part, other), NEVER), other) for other in self._neighbours(this, vertex)]
                children = [self._body(part, other, around.sort) for _, other in sorted(known)[:number]]
                body = bodies.both(body, bodies.some(colour, children), sort)
        return body

    def _cost(self, node: Node, vertex: int) -> int:
        waiting: list[_Place] = [(node, vertex)]
        while waiting:
            place = waiting[-1]
            missing = [] if place in self._costs else self._advance(place)
            if missing:
                self._tick()
                waiting += missing
            else:
                waiting.pop()
        return self._costs[node, vertex]

    def _advance(self, place: _Place) -> list[_Place]:
        """What must be known first; if nothing, the cost of the place is known afterwards."""
        node, vertex = place
        concepts, costs = self.concepts, self._costs
        kind = concepts.kinds[node]
        if kind == COUNT:
            return self._count(node, vertex)
        if kind in (AND, OR):
            one, other = ((part, vertex) for part in concepts.parts(node))
            if one not in costs:
                return [one]
            if kind == AND and costs[one] == NEVER:
                costs[place] = NEVER
            elif other not in costs:
                return [other]
            else:
                costs[place] = min(costs[one] + costs[other], NEVER) if kind == AND else min(costs[one], costs[other])
        elif kind == LABEL:
            costs[place] = 1 if self.graph.features[vertex, concepts.left[node]] else NEVER
        else:
            costs[place] = 0 if node == TOP else NEVER
        return []

    def _count(self, node: Node, vertex: int) -> list[_Place]:
        """Once enough neighbours are found, only a few more are looked at for cheaper ones."""
        number, part = self.concepts.quantity(node).at_least, self.concepts.left[node]
        found: list[int] = []
        missing: list[_Place] = []
        for looked_at, other in enumerate(self._neighbours(node, vertex)):
            if len(found) >= number and looked_at >= number + MOST_COMPARED:
                break
            cost = self._costs.get((part, other))
            if cost is None:
                missing.append((part, other))
                if len(missing) == MOST_COMPARED:
                    break
            elif cost < NEVER:
                found.append(1 + cost)
        if not missing:
            enough = len(found) >= number
            self._costs[node, vertex] = sum(sorted(found)[:number]) if enough else NEVER
        return missing

    def _neighbours(self, node: Node, vertex: int) -> list[int]:
        return self.graph.colours[self.concepts.quantity(node).colour].neighbours(vertex).tolist()


def shortened(truths: Truths, node: Node, body: Body, sort: int) -> Body:
    """The body without atoms that it does not need to imply the concept."""
    while True:
        shorter = (less for less in _less(truths.bodies, body) if truths.implies(less, node, sort))
        found = next(shorter, None)
        if found is None:
            return body
        body = found


def _less(bodies: Bodies, body: Body) -> Iterator[Body]:
    """The bodies with one atom less; a neighbour is left out once nothing is said of it."""
    labels, groups = bodies.labels[body], bodies.groups[body]
    for feature in range(labels.bit_length()):
        if labels >> feature & 1:
            yield bodies.of(labels & ~(1 << feature), groups)
    for place, (colour, children) in enumerate(groups):
        others = groups[:place] + groups[place + 1 :]
        for child in dict.fromkeys(children):
            siblings = list(children)
            siblings.remove(child)
            for less in _less(bodies, child):
                yield bodies.of(labels, [*others, (colour, tuple(sorted((*siblings, less))))])
            if child == TRUE:
                yield bodies.of(labels, [*others, (colour, tuple(siblings))] if siblings else others)
