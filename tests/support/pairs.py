"""Graphs of pairs of linked constants, by the encoding `pairs`, with vertices named by their constants."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from isolog.encodings.registry import find_encoding
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function
from isolog.graphs.graph import ColouredGraph
from isolog.graphs.sorts import Sorts

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
    """The graph of triples; features are binary predicates, named with their arity."""
    signature = Signature.of(binary=(feature.removesuffix("/2") for feature in features))
    dataset = Dataset.from_facts(Atom(p, (s, o)) for s, p, o in facts)
    encoded = find_encoding("pairs", signature).encode(dataset)
    names = (term.arguments for term in encoded.vertex_terms() if isinstance(term, Function))
    vertices = {tuple(map(str, name)): number for number, name in enumerate(names)}
    return EncodedPairs(vertices, encoded.graph, [len(colour.targets) for colour in encoded.graph.colours])


def pair_sorts(features: int) -> Sorts:
    """The sorts f (0) and g (1) of such graphs, for so many binary user predicates: all features live on g."""
    return find_encoding("pairs", Signature.of(binary=(f"r{number}" for number in range(features)))).sorts
