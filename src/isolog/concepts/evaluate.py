"""Concepts on a graph: one Boolean vector per node, and one sweep over the edges for all counts of a concept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

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
    uses, alike = _uses(concepts, order, wanted), _alike(concepts, order)
    kinds, left, right = concepts.kinds, concepts.left, concepts.right
    found: dict[Node, Vertices] = {}
    for node in order:
        kind, one = kinds[node], left[node]
        if kind == AND:
            found[node] = found[one] & found[right[node]]
        elif kind == OR:
            found[node] = found[one] | found[right[node]]
        elif kind == COUNT:
            if node not in found:
                found |= _count(concepts, alike[one, concepts.quantity(node).colour], graph, found[one])
        else:
            found[node] = graph.features[:, one] if kind == LABEL else np.full(graph.vertices, node == TOP)
            continue
        for part in (one,) if kind == COUNT else (one, right[node]):
            uses[part] -= 1
            if not uses[part]:
                del found[part]
    return found


def _uses(concepts: Concepts, order: Iterable[Node], heads: Iterable[Node]) -> array[int]:
    """How often each node is needed."""
    kinds, left, right = concepts.kinds, concepts.left, concepts.right
    uses = array("i", bytes(4 * len(concepts)))
    for node in heads:
        uses[node] += 1
    for node in order:
        kind = kinds[node]
        if kind in (AND, OR, COUNT):
            uses[left[node]] += 1
            if kind != COUNT:
                uses[right[node]] += 1
    return uses


def _alike(concepts: Concepts, order: Iterable[Node]) -> dict[tuple[Node, int], list[Node]]:
    """The counting nodes that one sweep serves: those of one concept and one colour."""
    alike: dict[tuple[Node, int], list[Node]] = {}
    for node in order:
        if concepts.kinds[node] == COUNT:
            alike.setdefault((concepts.left[node], concepts.quantity(node).colour), []).append(node)
    return alike


def _count(concepts: Concepts, nodes: Sequence[Node], graph: ColouredGraph, marked: Vertices) -> dict[Node, Vertices]:
    """Counting nodes of one concept, which holds at the marked vertices, and one colour."""
    quantities = [concepts.quantity(node) for node in nodes]
    counts = count_neighbours(graph.colours[quantities[0].colour], marked)
    return {node: counts >= quantity.at_least for node, quantity in zip(nodes, quantities, strict=True)}


def count_neighbours(adjacency: Adjacency, marked: Vertices) -> NDArray[np.int32]:
    """How many marked neighbours each vertex has.

    >>> star = Adjacency(np.array([0, 2, 2, 3]), np.array([1, 2, 0], np.int32))
    >>> count_neighbours(star, np.array([False, True, True])).tolist()
    [2, 0, 0]
    """
    sums = np.zeros(len(adjacency.targets) + 1, np.int32)
    np.cumsum(marked.take(adjacency.targets), dtype=np.int32, out=sums[1:])
    return np.diff(sums.take(adjacency.starts))


def has_neighbours(adjacency: Adjacency, marked: Vertices, at_least: int) -> Vertices:
    """The vertices with at least so many marked neighbours."""
    return count_neighbours(adjacency, marked) >= at_least
