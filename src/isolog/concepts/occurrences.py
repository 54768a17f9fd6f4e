"""Where bodies hold on a graph: one Boolean vector per part of a body, each computed once."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isolog.concepts.bodies import Bodies, Body
from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.concepts.evaluate import has_neighbours
from isolog.concepts.from_rules import concept_of_tree
from isolog.graphs.graph import ColouredGraph

Vertices: TypeAlias = NDArray[np.bool_]


class Occurrences:
    """The vertices of a graph at which bodies hold. Eight vertices take a byte per distinct part of a body."""

    def __init__(self, bodies: Bodies, graph: ColouredGraph) -> None:
        self.bodies = bodies
        self.graph = graph
        self._names = [str(n) for n in range(graph.features.shape[1])], [str(n) for n in range(len(graph.colours))]
        self._numbers = tuple({name: n for n, name in enumerate(names)} for names in self._names)
        self._store = Concepts()
        self._packed: dict[Node, NDArray[np.uint8]] = {}
        self._nodes: dict[Body, Node] = {}

    def of(self, body: Body) -> Vertices:
        """Where the body holds."""
        node = self._nodes.get(body)
        if node is None:
            tree = self.bodies.tree(body, *self._names)
            node = self._nodes[body] = concept_of_tree(self._store, tree, *self._numbers)
        return self._found(node)

    def _found(self, node: Node) -> Vertices:
        packed = self._packed.get(node)
        if packed is None:
            packed = self._packed[node] = np.packbits(self._compute(node))
        return np.unpackbits(packed, count=self.graph.vertices).view(bool)

    def _compute(self, node: Node) -> Vertices:
        store = self._store
        kind, left = store.kinds[node], store.left[node]
        if kind == LABEL:
            return self.graph.features[:, left]
        if kind == COUNT:
            number, colour = store.quantity(node)
            return has_neighbours(self.graph.colours[colour], self._found(left), number)
        if kind in (AND, OR):
            one, other = self._found(left), self._found(store.right[node])
            return one & other if kind == AND else one | other
        return np.full(self.graph.vertices, node == TOP)
