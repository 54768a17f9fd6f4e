"""Linked constants: what the encodings with pairs of constants are made of, as rules and as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.syntax import Inequality, Rule
from isolog.encodings.blocks import Block, Rows, Shape
from isolog.encodings.source import Source
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Term, Variable
from isolog.graphs.graph import Adjacency

X, Y, Z = Variable("X"), Variable("Y"), Variable("Z")
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


def near_rules(linked: str, names: Sequence[str], hubs: Sequence[Term] = ()) -> list[Rule]:
    """`names[i](X, Y)` holds iff at most i + 2 links lead from X to Y, with no hub on the way."""
    rules: list[Rule] = []
    before = linked
    middle = tuple(Inequality(Y, hub) for hub in hubs)
    for name in names:
        step = (Atom(before, (X, Y)), Atom(linked, (Y, Z)), *middle)
        rules += [Rule(Atom(name, (X, Y)), (Atom(before, (X, Y)),)), Rule(Atom(name, (X, Z)), step)]
        before = name
    return rules


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

    def degrees(self) -> NDArray[np.int64]:
        """How many pairs begin with each term."""
        return np.bincount(self.first, minlength=self.base)

    def steps(self, links: Pairs, through: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
        """All x, y, z with (x, y) among these pairs and (y, z) among the links, for the y that are marked."""
        degrees = np.where(through, links.degrees(), 0)
        starts = np.cumsum(links.degrees()) - links.degrees()
        times = degrees[self.second]
        place = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        z = links.second[np.repeat(starts[self.second], times) + place]
        return np.repeat(self.first, times), np.repeat(self.second, times), z

    def near(self, steps: int, through: NDArray[np.bool_]) -> Pairs:
        """The pairs that at most so many of these links join, with only marked terms on the way."""
        from scipy import sparse

        shape = (self.base, self.base)
        ones = np.ones(len(self), np.int8)
        links = sparse.csr_array((ones, (self.first, self.second)), shape=shape)
        onwards = sparse.csr_array((ones * through[self.first], (self.first, self.second)), shape=shape)
        near = links
        for _ in range(steps - 1):
            near = near + near @ onwards
            near.data[:] = 1
            near.eliminate_zeros()
        near.sort_indices()
        first = np.repeat(np.arange(self.base), np.diff(near.indptr))
        return Pairs(self.base, first, near.indices.astype(np.int64))

    def turned(self) -> NDArray[np.int64]:
        """The place of each pair turned round."""
        return np.lexsort((self.first, self.second))


def adjacency(vertices: int, *edges: tuple[NDArray[np.integer], NDArray[np.integer]]) -> Adjacency:
    """The adjacency of these groups of edges, all distinct, given as sources and targets."""
    sources = np.concatenate([np.asarray(source) for source, _ in edges])
    targets = np.concatenate([np.asarray(target) for _, target in edges])
    return Adjacency.from_edges(sources, targets, vertices)
