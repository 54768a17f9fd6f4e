"""Def. 1–3: the canonical encoding of a dataset as a coloured graph, its decoding, and regular graphs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.syntax import Program, Rule
from isolog.encodings.blocks import Block, Shape
from isolog.encodings.encoding import Encoding, Layout
from isolog.encodings.source import Frame, Source, assemble
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate, Variable
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Neighbourhood

_X, _Y = Variable("X"), Variable("Y")


def encode(dataset: Dataset, signature: Signature) -> ColouredGraph:
    """Def. 2: vertex `v` is the `v`-th term of the dataset, in the order of `dataset.term_numbers`."""
    numbers = dataset.term_numbers
    count = len(numbers)
    features = np.zeros((count, len(signature.unary)), bool)
    for i, name in enumerate(signature.unary):
        table = dataset.tables.get(Predicate(name, 1))
        if table is not None:
            features[np.searchsorted(numbers, table[:, 0]), i] = True
    nothing = np.empty((0, 2), np.int32)
    colours: list[Adjacency] = []
    for name in signature.binary:
        edges = np.searchsorted(numbers, dataset.tables.get(Predicate(name, 2), nothing))
        colours.append(Adjacency.from_edges(edges[:, 0], edges[:, 1], count))
    return ColouredGraph(features, tuple(colours))


def decode(labels: NDArray[np.bool_], dataset: Dataset, signature: Signature) -> Dataset:
    """Def. 2: the unary facts that the labels of the vertices of `encode(dataset, …)` stand for."""
    numbers = dataset.term_numbers
    tables = {Predicate(name, 1): numbers[labels[:, i], None] for i, name in enumerate(signature.unary)}
    return Dataset.from_tables(dataset.vocabulary, tables)


def decode_graph(graph: ColouredGraph, dataset: Dataset, signature: Signature) -> Dataset:
    """Def. 2 in full: the binary facts of the edges, too."""
    numbers = dataset.term_numbers
    tables = {}
    for name, adjacency in zip(signature.binary, graph.colours, strict=True):
        sources = np.repeat(np.arange(graph.vertices), adjacency.degrees)
        tables[Predicate(name, 2)] = np.column_stack([numbers[sources], numbers[adjacency.targets]])
    return Dataset.from_tables(dataset.vocabulary, tables) | decode(graph.features, dataset, signature)


def is_regular(graph: ColouredGraph) -> bool:
    """Def. 3: every vertex has an edge or a feature, so that decoding loses no vertex."""
    used = graph.features.any(axis=1)
    for adjacency in graph.colours:
        used |= adjacency.degrees > 0
        used[adjacency.targets] = True
    return bool(used.all())


def canonical(source: Source) -> Encoding:
    """Def. 2 as an encoding: a vertex per term, unary predicates are features, binary ones colours."""
    signature = source.signature
    meanings = tuple(m for m in source.meanings(unary=0, binary=0) if m.predicate.arity == 1)
    edges = [Rule(Atom(name, (_X, _Y)), (Atom(name, (_X, _Y)),)) for name in signature.binary]
    frame = Frame(signature.binary, (("vertex", Shape(None, 1)),), ((Neighbourhood(0),) * len(edges),), tuple(edges))

    def lay_out(dataset: Dataset) -> Layout:
        count = len(dataset.term_numbers)
        return Layout((Block(Shape(None, 1), count, np.arange(count)),), encode(dataset, signature).colours)

    encoding = assemble(source, frame, meanings, signature.unary, lay_out)
    return replace(encoding, encoder=_without_copies(encoding.encoder, source))


def _without_copies(encoder: Program, source: Source) -> Program:
    """The program in which what modifiers add is a feature or a colour at once, and not copied into one."""
    added = set(source.added)
    rules = tuple(rule for rule in encoder if rule.head.predicate not in added or rule.head not in rule.body)
    return replace(encoder, rules=rules, auxiliary=encoder.auxiliary - added)
