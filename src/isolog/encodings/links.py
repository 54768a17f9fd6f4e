"""Linked constants: what the encodings with pairs of constants are made of, as rules and as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.syntax import Rule
from isolog.encodings.blocks import Block, Rows, Shape
from isolog.encodings.source import Source
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Variable
from isolog.graphs.graph import Adjacency

X, Y = Variable("X"), Variable("Y")
CONSTANT, PAIR = Shape("f", 1), Shape("g", 2)


def link_rules(source: Source, name: str, *, both_ways: bool = True) -> list[Rule]:
    """`name(X, Y)` holds iff some fact links X and Y: in this direction, or in any."""
    head = Atom(name, (X, Y))
    if not both_ways:
        return [Rule(head, (Atom(r, (X, Y)),)) for r in source.signature.binary]
    return [Rule(head, (Atom(r, ends),)) for r in source.given.binary for ends in ((X, Y), (Y, X))]


def binary_rows(dataset: Dataset) -> Rows:
    """The pairs of terms that stand together in a binary fact, with repetitions, as places in the terms."""
    tables = [table for predicate, table in dataset.tables.items() if predicate.arity == 2]
    rows = np.concatenate(tables) if tables else np.empty((0, 2), np.int32)
    return np.searchsorted(dataset.term_numbers, rows).astype(np.int64, copy=False)


@dataclass(frozen=True, slots=True)
class Pairs:
    """A symmetric set of pairs of places among `base` terms, in increasing order of `first`, then `second`."""

    base: int
    first: NDArray[np.int64]
    second: NDArray[np.int64]

    @classmethod
    def linked(cls, dataset: Dataset) -> Pairs:
        """The pairs of terms that some binary fact links, in either direction."""
        rows = binary_rows(dataset)
        return cls.of_block(Block.of_rows(PAIR, len(dataset.term_numbers), np.concatenate([rows, rows[:, ::-1]])))

    @classmethod
    def of_block(cls, block: Block) -> Pairs:
        """The pairs of a block that has, with each pair, the one turned round."""
        rows = block.rows
        return cls(block.base, np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, 1]))

    def __len__(self) -> int:
        return len(self.first)

    def block(self, first: int) -> Block:
        """The pairs as vertices from `first` on."""
        return Block(PAIR, self.base, self.first * self.base + self.second, first)

    def turned(self) -> NDArray[np.int64]:
        """The place of each pair turned round."""
        return np.lexsort((self.first, self.second))


def adjacency(vertices: int, *edges: tuple[NDArray[np.integer], NDArray[np.integer]]) -> Adjacency:
    """The adjacency of these groups of edges, all distinct, given as sources and targets."""
    sources = np.concatenate([np.asarray(source) for source, _ in edges])
    targets = np.concatenate([np.asarray(target) for _, target in edges])
    return Adjacency.from_edges(sources, targets, vertices)
