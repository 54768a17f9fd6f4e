"""Concepts on a graph: one Boolean vector per node, one sweep over the edges of a colour per counting node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.graphs.graph import Adjacency, ColouredGraph

Vertices = NDArray[np.bool_]


def evaluate(concepts: Concepts, heads: Iterable[Node], graph: ColouredGraph) -> dict[Node, Vertices]:
    """For each head, the vertices that satisfy it.

    Only what the heads are made of is computed, each node once, and forgotten after its last use.
    """
    wanted = set(heads)
    order = concepts.reachable(wanted)
    uses = Counter(part for node in order for part in concepts.parts(node))
    uses.update(wanted)
    found: dict[Node, Vertices] = {}
    for node in order:
        found[node] = _evaluate(concepts, node, graph, found)
        for part in concepts.parts(node):
            uses[part] -= 1
            if not uses[part]:
                del found[part]
    return found


def _evaluate(concepts: Concepts, node: Node, graph: ColouredGraph, found: dict[Node, Vertices]) -> Vertices:
    left, right = concepts.left[node], concepts.right[node]
    kind = concepts.kinds[node]
    if kind == LABEL:
        return graph.features[:, left]
    if kind == AND:
        return found[left] & found[right]
    if kind == OR:
        return found[left] | found[right]
    if kind == COUNT:
        at_least, colour = concepts.quantities[right]
        return has_neighbours(graph.colours[colour], found[left], at_least)
    return np.full(graph.vertices, node == TOP)


def has_neighbours(adjacency: Adjacency, marked: Vertices, at_least: int) -> Vertices:
    """The vertices with at least so many marked neighbours."""
    sums = np.zeros(len(adjacency.targets) + 1, np.int32)
    np.cumsum(marked[adjacency.targets], dtype=np.int32, out=sums[1:])
    return sums[adjacency.starts[1:]] - sums[adjacency.starts[:-1]] >= at_least
