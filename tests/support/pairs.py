"""The graphs and the sorts of pairs of linked constants, built by hand from the published description."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Neighbourhood, Sort, Sorts

Pair = tuple[str, ...]


class EncodedPairs(NamedTuple):
    """A graph with the vertices f(a), named `(a,)`, and g(a, b), named `(a, b)`."""

    vertices: dict[Pair, int]
    graph: ColouredGraph
    edges: list[int]


def read_triples(path: Path) -> list[list[str]]:
    """The fields of every line of a compressed TSV file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def encode_pairs(facts: Iterable[list[str]], features: Iterable[str]) -> EncodedPairs:
    """The pairs of linked constants; c1 and c2 join a pair with its first and second constant, c3 with the pair
    turned round, c4 joins linked constants."""
    vertices: dict[Pair, int] = {}
    colours: list[set[tuple[int, int]]] = [set(), set(), set(), set()]
    labelled: list[tuple[int, int]] = []
    numbers = {name: i for i, name in enumerate(features)}
    for s, p, o in facts:
        f_s, f_o, g, h = (vertices.setdefault(name, len(vertices)) for name in ((s,), (o,), (s, o), (o, s)))
        labelled.append((g, numbers[f"{p}/2"]))
        links = [[(f_s, g), (f_o, h)], [(f_o, g), (f_s, h)], [(g, h)], [(f_s, f_o)]]
        for colour, edges in zip(colours, links, strict=True):
            colour.update(edges, [(b, a) for a, b in edges])
    labels = np.zeros((len(vertices), len(numbers)), bool)
    labels[tuple(zip(*labelled, strict=True))] = True
    arrays = [np.array(sorted(colour)) for colour in colours]
    adjacencies = tuple(Adjacency.from_edges(a[:, 0], a[:, 1], len(vertices)) for a in arrays)
    return EncodedPairs(vertices, ColouredGraph(labels, adjacencies), [len(colour) for colour in colours])


def pair_sorts(features: int) -> Sorts:
    """The sorts f (0) and g (1) of such graphs, for binary user predicates only: all features live on g."""
    constant = Sort("f", frozenset(), (Neighbourhood(1), Neighbourhood(1), None, Neighbourhood(0)))
    around = (Neighbourhood(0, 1, 1), Neighbourhood(0, 1, 1), Neighbourhood(1, 1, 1), None)
    return constant, Sort("g", frozenset(range(features)), around)
