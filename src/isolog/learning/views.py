"""The part of a graph that decides the outputs at some vertices, laid out for the kernels of `layers.py`.

The first layer sees Boolean features alone, and few of them at each vertex. What it aggregates is therefore a sparse
matrix of small numbers, found without torch; only the layers above it work on dense ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor

from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.learning.examples import Entries

Rows = NDArray[np.int64]


class Edges:
    """Edges of one colour on a device: from some rows of a layer to places in the rows of the layer below."""

    def __init__(self, sources: Rows, targets: Rows, below: int, device: torch.device) -> None:
        """The sources must be in increasing order; `below` is how many rows the layer below has."""
        leaving, degrees = np.unique(sources, return_counts=True)
        self.below = below
        self.leaving = torch.from_numpy(leaving).to(device)
        self.starts = torch.from_numpy(np.append(0, np.cumsum(degrees))).to(device)
        self.targets = torch.from_numpy(targets.astype(np.int64)).to(device)
        self.is_single = bool((degrees == 1).all())

    @classmethod
    def of(cls, adjacency: Adjacency, device: torch.device) -> Edges:
        """All edges of the adjacency."""
        sources = np.repeat(np.arange(len(adjacency.degrees)), adjacency.degrees)
        return cls(sources, adjacency.targets.astype(np.int64), len(adjacency.degrees), device)

    @cached_property
    def sources(self) -> Tensor:
        """The place in `leaving` of the row that each edge leaves."""
        return torch.repeat_interleave(torch.arange(len(self.leaving), device=self.starts.device), self.starts.diff())

    @cached_property
    def matrix(self) -> Tensor:
        """The adjacency matrix in CSR, without empty rows."""
        ones = torch.ones(len(self.targets), device=self.targets.device)
        return _csr(self.starts, self.targets, ones, (len(self.leaving), self.below))

    @cached_property
    def ends(self) -> tuple[Tensor, Tensor]:
        """The rows below that edges lead to, and per edge its place among them."""
        ends, places = torch.unique(self.targets, return_inverse=True)
        return ends, places

    @cached_property
    def by_degree(self) -> list[tuple[Tensor, Tensor]]:
        """Per degree the places in `leaving` of the rows that have it, and their neighbours, a row each."""
        degrees, found = self.starts.diff(), list[tuple[Tensor, Tensor]]()
        for degree in torch.unique(degrees).tolist():
            rows = torch.nonzero(degrees == degree)[:, 0]
            places = self.starts[rows][:, None] + torch.arange(degree, device=rows.device)
            found.append((rows, self.targets[places]))
        return found


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """The vertices whose values a layer computes, per layer, so that those of the last one can be told.

    `own` has per layer from the second on the places of its vertices among those of the layer below, and `edges` the
    edges between the two, per colour. `around` has per colour, for the vertices of the first layer, which of the
    vertices with features are their neighbours.
    """

    rows: tuple[Rows, ...]
    own: tuple[Tensor, ...]
    edges: tuple[tuple[Edges, ...], ...]
    around: tuple[Any, ...]


class Inputs:
    """A sparse matrix on a device that gradients do not flow to, with its transpose."""

    def __init__(self, matrix: Any, device: torch.device) -> None:
        self.matrix = _from_scipy(matrix, device)
        self.transposed = _from_scipy(matrix.T.tocsr(), device)

    def times(self, weights: Tensor) -> Tensor:
        """The product with a dense matrix."""
        return _Product.apply(weights, self.matrix, self.transposed)


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, matrix: Tensor, transposed: Tensor) -> Tensor:
        """The matrix times the weights."""
        ctx.transposed = transposed
        return torch.sparse.mm(matrix, weights)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        """The gradient of the weights."""
        return torch.sparse.mm(ctx.transposed, gradients[0].contiguous()), None, None


class Ground:
    """A graph prepared for views; `present` are the entries that its features have."""

    def __init__(self, graph: ColouredGraph, k: int | float, device: torch.device) -> None:
        """`k` is the aggregation bound of the first layer."""
        self.graph, self.k, self.device = graph, k, device
        self.present: Entries = np.argwhere(graph.features)
        self._told = np.unique(self.present[:, 0])
        self._towards = [_matrix(colour, graph.vertices)[:, self._told] for colour in graph.colours]

    def view(self, rows: Rows, layers: int) -> View:
        """What decides the outputs at the rows, which must be in increasing order."""
        below = rows
        found: list[Rows] = [rows]
        own: list[Tensor] = []
        edges: list[tuple[Edges, ...]] = []
        for _ in range(layers - 1):
            above = below
            steps = [_steps(colour, above) for colour in self.graph.colours]
            marked = np.zeros(self.graph.vertices, bool)
            for targets in (above, *(targets for _, targets in steps)):
                marked[targets] = True
            below = np.flatnonzero(marked)
            place = np.cumsum(marked) - 1
            found.append(below)
            own.append(torch.from_numpy(place[above]).to(self.device))
            edges.append(tuple(Edges(sources, place[ends], len(below), self.device) for sources, ends in steps))
        around = tuple(matrix[below] for matrix in self._towards)
        return View(tuple(reversed(found)), tuple(reversed(own)), tuple(reversed(edges)), around)

    def inputs(self, view: View, shown: Entries | None = None) -> Inputs:
        """What the first layer of the view sees, when only the entries that are shown are there."""
        return Inputs(self.counts(view, self.present if shown is None else shown), self.device)

    def counts(self, view: View, shown: Entries) -> Any:
        """Per vertex of the first layer a row: its features, then for each colour the max-k-sums of its neighbours'."""
        size = self.graph.features.shape
        features = sparse.csr_matrix((np.ones(len(shown), np.float32), (shown[:, 0], shown[:, 1])), shape=size)
        told = features[self._told]
        counted = [matrix @ told for matrix in view.around]
        if self.k != math.inf:
            for each in counted:
                np.minimum(each.data, self.k, out=each.data)
        return sparse.hstack([features[view.rows[0]], *counted], format="csr")

    def seen(self) -> NDArray[np.bool_]:
        """Per colour, the features themselves first, which of them any vertex sees."""
        width = self.graph.features.shape[1]
        columns = [np.bincount(self.present[:, 1], minlength=width)]
        features = sparse.csr_matrix(self.graph.features[self._told])
        columns += [np.asarray((matrix @ features).sum(axis=0)).ravel() for matrix in self._towards]
        return np.array(columns) > 0


def _steps(adjacency: Adjacency, rows: Rows) -> tuple[Rows, Rows]:
    """The places in `rows` that edges leave, one for each edge, and the vertices that these lead to."""
    starts = adjacency.starts[rows]
    degrees = adjacency.starts[rows + 1] - starts
    sources = np.repeat(np.arange(len(rows)), degrees)
    first = np.repeat(starts - np.cumsum(degrees) + degrees, degrees)
    return sources, adjacency.targets[first + np.arange(len(sources))].astype(np.int64)


def _matrix(adjacency: Adjacency, vertices: int) -> Any:
    ones = np.ones(len(adjacency.targets), np.float32)
    return sparse.csr_matrix((ones, adjacency.targets, adjacency.starts), shape=(vertices, vertices))


def _from_scipy(matrix: Any, device: torch.device) -> Tensor:
    starts, targets = (torch.from_numpy(part.astype(np.int64)).to(device) for part in (matrix.indptr, matrix.indices))
    return _csr(starts, targets, torch.from_numpy(matrix.data).to(device), matrix.shape)


def _csr(starts: Tensor, targets: Tensor, values: Tensor, size: Sequence[int]) -> Tensor:
    with catch_warnings():
        simplefilter("ignore", UserWarning)  # CSR is called a beta, and the check of its form an expense
        return torch.sparse_csr_tensor(starts, targets, values, tuple(size), check_invariants=False)
