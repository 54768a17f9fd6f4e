"""Random concepts, as recipes of constructors, random graphs, and what concepts mean, word by word."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from isolog.concepts.dag import BOTTOM, TOP, Concepts, Node
from isolog.graphs.graph import Adjacency, ColouredGraph

FEATURES, COLOURS = 3, 2
Step: TypeAlias = tuple[str, int, int, int]
"""A constructor with the places of its parts among the steps before, or with its numbers."""

Recipe: TypeAlias = list[Step]


@st.composite
def recipes(draw: st.DrawFn, most: int = 25) -> Recipe:
    """Steps that make concepts of the concepts made before."""
    steps: Recipe = [("top", 0, 0, 0), ("bottom", 0, 0, 0), *(("label", i, 0, 0) for i in range(FEATURES))]
    for _ in range(draw(st.integers(1, most))):
        parts = st.integers(0, len(steps) - 1)
        name = draw(st.sampled_from(("both", "either", "at_least")))
        one, other = draw(parts), draw(st.integers(0, COLOURS - 1) if name == "at_least" else parts)
        steps.append((name, one, other, draw(st.integers(0, 3)) if name == "at_least" else 0))
    return steps


@st.composite
def graphs(draw: st.DrawFn, most: int = 5) -> ColouredGraph:
    """A graph of a few vertices, possibly none, with loops and vertices without edges."""
    size = draw(st.integers(0, most))
    features = np.array(draw(st.lists(st.booleans(), min_size=size * FEATURES, max_size=size * FEATURES)), bool)
    vertices = st.integers(0, max(0, size - 1))
    edges = st.lists(st.tuples(vertices, vertices), unique=True, max_size=size * size)
    ends = [np.array(draw(edges), np.int64).reshape(-1, 2) for _ in range(COLOURS)]
    adjacencies = tuple(Adjacency.from_edges(pair[:, 0], pair[:, 1], size) for pair in ends)
    return ColouredGraph(features.reshape(size, FEATURES), adjacencies)


def made(concepts: Concepts, recipe: Recipe) -> list[Node]:
    """The concept that each step makes."""
    nodes: list[Node] = []
    for name, one, other, number in recipe:
        match name:
            case "both":
                nodes.append(concepts.both(nodes[one], nodes[other]))
            case "either":
                nodes.append(concepts.either(nodes[one], nodes[other]))
            case "at_least":
                nodes.append(concepts.at_least(number, other, nodes[one]))
            case "label":
                nodes.append(concepts.label(one))
            case _:
                nodes.append(TOP if name == "top" else BOTTOM)
    return nodes


def meant(recipe: Recipe, graph: ColouredGraph) -> list[list[bool]]:
    """For each step, at which vertices its concept holds: by the definition, vertex by vertex."""
    found: list[list[bool]] = []
    for name, one, other, number in recipe:
        row: list[bool] = []
        for vertex in range(graph.vertices):
            match name:
                case "both":
                    row.append(found[one][vertex] and found[other][vertex])
                case "either":
                    row.append(found[one][vertex] or found[other][vertex])
                case "at_least":
                    row.append(sum(found[one][u] for u in graph.colours[other].neighbours(vertex)) >= number)
                case "label":
                    row.append(bool(graph.features[vertex, one]))
                case _:
                    row.append(name == "top")
        found.append(row)
    return found
