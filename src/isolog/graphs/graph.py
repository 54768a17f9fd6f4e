"""Coloured graphs (paper §2): vertices, one edge relation per colour, Boolean features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Adjacency:
    """The edges of one colour, grouped by source: vertex `v` has the neighbours `targets[starts[v]:starts[v + 1]]`."""

    starts: NDArray[np.int64]
    targets: NDArray[np.int32]

    @classmethod
    def from_edges(cls, sources: NDArray[np.integer], targets: NDArray[np.integer], vertices: int) -> Adjacency:
        """The adjacency of the edges, which must be distinct; neighbours keep the order of the edges."""
        order = np.argsort(sources, kind="stable")
        starts = np.zeros(vertices + 1, np.int64)
        np.cumsum(np.bincount(sources, minlength=vertices), out=starts[1:])
        return cls(starts, targets[order].astype(np.int32, copy=False))

    def padded(self, vertices: int) -> Adjacency:
        """The same edges among more vertices; those that are new come last and have no edges."""
        last = np.full(vertices + 1 - len(self.starts), len(self.targets), np.int64)
        return Adjacency(np.concatenate([self.starts, last]), self.targets)

    @property
    def degrees(self) -> NDArray[np.int64]:
        """How many neighbours each vertex has."""
        return np.diff(self.starts)

    def neighbours(self, vertex: int) -> NDArray[np.int32]:
        """The targets of the edges that leave the vertex."""
        return self.targets[self.starts[vertex] : self.starts[vertex + 1]]


@dataclass(frozen=True, slots=True)
class ColouredGraph:
    """A Boolean (Col, δ)-graph: `features[v, i]` says whether feature `i` holds at vertex `v`."""

    features: NDArray[np.bool_]
    colours: tuple[Adjacency, ...]

    @property
    def vertices(self) -> int:
        """How many vertices there are; they are numbered from 0."""
        return len(self.features)
