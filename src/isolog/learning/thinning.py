"""Training on a part of a large graph: what targets and facts are about, what is near, and a sample of the rest.

With `pairs:2` and `paths`, nearly all vertices are pairs that no fact links. Their labels are known to be false but
for few, so that some of them teach as much as all, and with biases that are not positive they are silent to others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.learning.examples import Entries, Examples

FEW = 8
"""All neighbours of a vertex with so few of a colour are used."""


def thinned(examples: Examples, most: int, seed: int) -> Examples:
    """The examples on a part of the graph: vertices with a feature or a target, their few neighbours, and at random
    others until there are `most`; of a graph that is not larger, everything."""
    graph = examples.graph
    if graph.vertices <= most:
        return examples
    kept: NDArray[np.bool_] = np.any(graph.features, axis=1)
    for entries in (examples.positives, examples.taken):
        kept[entries[:, 0]] = True
    kept |= _next_to(graph, kept)
    others = np.flatnonzero(~kept)
    room = max(0, min(len(others), most - int(kept.sum())))
    kept[np.random.default_rng(seed).choice(others, room, replace=False)] = True
    place = np.cumsum(kept) - 1

    def moved(entries: Entries) -> Entries:
        return np.column_stack([place[entries[:, 0]], entries[:, 1]])

    return replace(
        examples,
        graph=ColouredGraph(graph.features[kept], tuple(_within(colour, kept, place) for colour in graph.colours)),
        outputs=tuple(replace(o, vertices=place[o.vertices[kept[o.vertices]]]) for o in examples.outputs),
        positives=moved(examples.positives),
        told=examples.told[kept],
        taken=moved(examples.taken),
    )


def _next_to(graph: ColouredGraph, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The vertices that an edge from one of the kept leads to, where there are few of its colour."""
    found = np.zeros(graph.vertices, bool)
    for colour in graph.colours:
        found[colour.targets[np.repeat(kept & (colour.degrees <= FEW), colour.degrees)]] = True
    return found


def _within(colour: Adjacency, kept: NDArray[np.bool_], place: NDArray[np.int64]) -> Adjacency:
    """The edges between kept vertices."""
    inside = np.repeat(kept, colour.degrees) & kept[colour.targets]
    sources = np.repeat(np.arange(len(kept)), colour.degrees)[inside]
    return Adjacency.from_edges(place[sources], place[colour.targets[inside]], int(kept.sum()))
