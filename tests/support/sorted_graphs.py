"""Random systems of sorts, and graphs of these sorts."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Neighbourhood, Sort, Sorts


@st.composite
def sorted_graphs(draw: st.DrawFn, sorts: Sorts, features: int) -> tuple[ColouredGraph, list[int]]:
    """A graph of these sorts, and the sort of each vertex."""
    of = draw(st.lists(st.integers(0, len(sorts) - 1), min_size=1, max_size=7))
    labels = np.zeros((len(of), features), bool)
    colours: list[Adjacency] = []
    for vertex, sort in enumerate(of):
        allowed = sorted(sorts[sort].features)
        labels[vertex, draw(st.lists(st.sampled_from(allowed), unique=True)) if allowed else []] = True
    for colour in range(len(sorts[0].neighbours)):
        edges: list[tuple[int, int]] = []
        for vertex, sort in enumerate(of):
            around = sorts[sort].neighbours[colour]
            if around is not None:
                possible = [other for other, theirs in enumerate(of) if theirs == around.sort]
                least, most = around.at_least, min(around.at_most, len(possible))
                assume(least <= len(possible))
                chosen = st.lists(st.sampled_from(possible or [0]), min_size=least, max_size=int(most), unique=True)
                edges += [(vertex, other) for other in draw(chosen)]
        ends = np.array(edges, np.int64).reshape(-1, 2)
        colours.append(Adjacency.from_edges(ends[:, 0], ends[:, 1], len(of)))
    return ColouredGraph(labels, tuple(colours)), of


@st.composite
def sort_systems(draw: st.DrawFn, features: int, colours: int) -> Sorts:
    """Two sorts with some features each; functional colours, total functions, free and absent ones."""
    kinds = [(0, 1), (1, 1), (0, math.inf), (0, 2)]
    around = st.none() | st.builds(
        lambda sort, bounds: Neighbourhood(sort, *bounds), st.integers(0, 1), st.sampled_from(kinds)
    )
    some = st.frozensets(st.integers(0, features - 1))
    return tuple(Sort(name, draw(some), tuple(draw(around) for _ in range(colours))) for name in ("f", "g"))
