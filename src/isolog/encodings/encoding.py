"""Encodings (paper §3.2): two Datalog programs with function terms, P_enc and P_dec, and the sorts of the graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.syntax import Program
from isolog.encodings.blocks import Block, Rows, Shape
from isolog.errors import Finding, LimitError
from isolog.facts.dataset import Dataset, Table
from isolog.facts.signature import Signature
from isolog.facts.terms import Predicate, Term
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Sorts

MOST_BYTES = 8 << 30
LARGE = 50_000


@dataclass(frozen=True, slots=True)
class Meaning:
    """Which facts a feature stands for: at the vertex of the columns `columns` of a fact of the predicate.

    `emitted` says that the decoder derives such facts from the feature; others are input only.
    """

    predicate: Predicate
    sort: int
    columns: tuple[int, ...]
    emitted: bool = True


@dataclass(frozen=True, slots=True)
class Size:
    """How large a graph is, or at most is."""

    vertices: int
    edges: int

    def bytes(self, features: int) -> int:
        """About the memory that takes, with what it takes to build it."""
        return self.vertices * (features + 64) + self.edges * 24

    def check(self, encoding: Encoding, most_bytes: int) -> None:
        """A LimitError beyond so much memory."""
        needed = self.bytes(len(encoding.features))
        if needed > most_bytes:
            message = (
                f"`{encoding.name}` makes a graph of up to {self.vertices:,} vertices and {self.edges:,} edges: "
                f"{needed / 2**30:.1f} GiB, and the limit is {most_bytes / 2**30:.1f}"
            )
            hint = "fewer constants, or an encoding that grows less, such as `pairs`; `paths` can leave out `hubs`"
            raise LimitError(Finding("E266", message, hint=hint))


@dataclass(frozen=True, slots=True)
class Layout:
    """The vertices and edges of a graph before its features: a block of vertices per sort, an adjacency per colour."""

    blocks: tuple[Block, ...]
    colours: tuple[Adjacency, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Encoding:
    """How datasets over `signature` become graphs with these features and colours, and labels become facts.

    `encoder` is P_enc and `decoder` is P_dec; what they derive, in one round each, is what the encoding means.
    `sorts` hold in every graph that P_enc makes; `shapes` says how the vertices of each sort are written. `add`,
    which adds the facts that modifiers derive, `lay_out` and `meanings` are the same in fast: None where P_enc and
    P_dec are all there is. `size` foretells the size of a graph that may be much larger than the data. `is_monotone`
    says that more facts never give fewer vertices, edges or features.
    """

    name: str
    signature: Signature
    features: tuple[str, ...]
    colours: tuple[str, ...]
    sorts: Sorts
    shapes: tuple[Shape, ...]
    encoder: Program
    decoder: Program
    meanings: tuple[Meaning, ...] = ()
    add: Callable[[Dataset], Dataset] | None = None
    lay_out: Callable[[Dataset], Layout] | None = None
    size: Callable[[Dataset], Size] | None = None
    is_monotone: bool = True

    def output(self, predicate: Predicate) -> int | None:
        """The feature from which facts of the predicate are read; None if there is none."""
        meanings = enumerate(self.meanings)
        return next((i for i, each in meanings if each.predicate == predicate and each.emitted), None)

    @property
    def canonical(self) -> Signature:
        """The signature of the graphs: the features as unary, the colours as binary predicates."""
        return Signature.of(self.features, self.colours)

    def forecast(self, dataset: Dataset) -> str | None:
        """What is worth saying before a dataset is encoded: how large a graph may get that outgrows the data."""
        if self.size is None:
            return None
        size = self.size(dataset if self.add is None else self.add(dataset))
        if size.vertices < LARGE:
            return None
        kept = len(dataset.term_numbers)
        return f"{self.name}: {kept:,} terms make up to {size.vertices:,} vertices and {size.edges:,} edges"

    def encode(self, dataset: Dataset, most_bytes: int = MOST_BYTES) -> Encoded:
        """The graph of a dataset over the signature, by the fast path; a LimitError if it would be too large."""
        assert self.lay_out is not None, f"the encoding `{self.name}` has no fast path"
        richer = dataset if self.add is None else self.add(dataset)
        if self.size is not None:
            self.size(richer).check(self, most_bytes)
        layout = self.lay_out(richer)
        features = np.zeros((sum(map(len, layout.blocks)), len(self.features)), bool)
        terms = Terms.of(dataset)
        for i, meaning in enumerate(self.meanings):
            table = richer.tables.get(meaning.predicate)
            if table is not None:
                rows = terms.places(table[:, list(meaning.columns)])
                features[layout.blocks[meaning.sort].find(rows), i] = True
        return Encoded(self, dataset, terms, layout.blocks, ColouredGraph(features, layout.colours))


@dataclass(frozen=True, eq=False, slots=True)
class Terms:
    """The terms of a dataset, counted from 0 in the order of their numbers."""

    numbers: NDArray[np.int32]

    @classmethod
    def of(cls, dataset: Dataset) -> Terms:
        """The terms that are an argument of some fact."""
        return cls(dataset.term_numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def places(self, table: NDArray[np.integer]) -> Rows:
        """The places of the numbers, which must be there."""
        return np.searchsorted(self.numbers, table).astype(np.int64, copy=False)


@dataclass(frozen=True, eq=False, slots=True)
class Encoded:
    """A dataset as a graph. Vertices are numbered block by block; the rows of blocks hold places in `terms`."""

    encoding: Encoding
    dataset: Dataset
    terms: Terms
    blocks: tuple[Block, ...]
    graph: ColouredGraph

    @property
    def sorts(self) -> NDArray[np.intp]:
        """The number of the sort of each vertex."""
        return np.repeat(np.arange(len(self.blocks)), [len(block) for block in self.blocks])

    def decode(self, labels: NDArray[np.bool_]) -> Dataset:
        """The user facts that the labels of the vertices stand for (P_dec, whose input is these labels)."""
        tables: dict[Predicate, list[NDArray[np.int32]]] = {}
        for i, meaning in enumerate(self.encoding.meanings):
            block = self.blocks[meaning.sort]
            if not meaning.emitted:
                continue
            marked = np.flatnonzero(labels[block.first : block.first + len(block), i])
            if len(marked):
                rows = Block(block.shape, block.base, block.keys[marked]).rows
                facts = rows[:, [meaning.columns.index(place) for place in range(meaning.predicate.arity)]]
                facts = facts[(facts[:, list(meaning.columns)] == rows).all(axis=1)]
                tables.setdefault(meaning.predicate, []).append(self.terms.numbers[facts])
        joined = {predicate: np.concatenate(parts) for predicate, parts in tables.items()}
        return Dataset.from_tables(self.dataset.vocabulary, joined)

    def positions(self, predicate: Predicate, table: Table) -> tuple[NDArray[np.int64], int]:
        """Where the encoder and the decoder keep facts of a predicate, in the numbers of `dataset.vocabulary`: the
        vertex of each row, -1 for a fact that no label can stand for, and the feature."""
        feature = self.encoding.output(predicate)
        assert feature is not None, f"`{predicate}` is not derived under this encoding"
        meaning = self.encoding.meanings[feature]
        known = np.isin(table, self.terms.numbers).all(axis=1)
        found = np.full(len(table), -1, np.int64)
        found[known] = self.blocks[meaning.sort].find(self.terms.places(table[known][:, list(meaning.columns)]))
        return found, feature

    def vertex_terms(self) -> list[Term]:
        """What each vertex is, as a term; for small graphs."""
        names = [self.dataset.vocabulary[number] for number in self.terms.numbers]
        return [
            block.shape.term([names[place] for place in row]) for block in self.blocks for row in block.rows.tolist()
        ]
