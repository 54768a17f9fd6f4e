"""Eq. (2) in torch: the layers that are trained, with the kernels for aggregation and its gradients."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from warnings import catch_warnings, simplefilter

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from isolog.graphs.graph import Adjacency, ColouredGraph

BEGINNING, LAST_BEGINNING = -0.05, -3.0
"""What biases start from: a unit is silent unless something speaks for it."""


class Edges:
    """The edges of one colour on a device, and the vertices that they leave, in increasing order."""

    def __init__(self, adjacency: Adjacency, device: torch.device) -> None:
        self.vertices = len(adjacency.starts) - 1
        sources = np.flatnonzero(adjacency.degrees)
        self.leaving = torch.from_numpy(sources).to(device)
        self.starts = torch.from_numpy(np.append(adjacency.starts[sources], len(adjacency.targets))).to(device)
        self.targets = torch.from_numpy(adjacency.targets.astype(np.int64)).to(device)

    @cached_property
    def sources(self) -> Tensor:
        """The place in `leaving` of the vertex that each edge leaves."""
        return torch.repeat_interleave(torch.arange(len(self.leaving), device=self.starts.device), self.starts.diff())

    @cached_property
    def matrix(self) -> Tensor:
        """The adjacency matrix in CSR, without empty rows."""
        ones = torch.ones(len(self.targets), device=self.targets.device)
        size = (len(self.leaving), self.vertices)
        with catch_warnings():
            simplefilter("ignore", UserWarning)  # CSR is called a beta, and the check of its form an expense
            return torch.sparse_csr_tensor(self.starts, self.targets, ones, size, check_invariants=False)

    @cached_property
    def by_degree(self) -> list[tuple[Tensor, Tensor]]:
        """Per degree the places in `leaving` of the vertices that have it, and their neighbours, a row each."""
        degrees, found = self.starts.diff(), list[tuple[Tensor, Tensor]]()
        for degree in torch.unique(degrees).tolist():
            rows = torch.nonzero(degrees == degree)[:, 0]
            places = self.starts[rows][:, None] + torch.arange(degree, device=rows.device)
            found.append((rows, self.targets[places]))
        return found


def aggregate(edges: Edges, values: Tensor, k: int | float) -> Tensor:
    """Per vertex that edges leave, and per feature, the sum of the k largest values of the neighbours.

    Values must not be negative.
    """
    if k == math.inf:
        return torch.sparse.mm(edges.matrix, values)
    if k == 1:
        return torch.sparse.mm(edges.matrix, values, "amax") if values.device.type == "cpu" else largest(edges, values)
    result = values.new_zeros((len(edges.leaving), values.shape[1]))
    for rows, neighbours in edges.by_degree:
        gathered = values[neighbours]
        chosen = gathered if neighbours.shape[1] <= k else gathered.topk(int(k), dim=1).values
        result = result.index_add(0, rows, chosen.sum(1))
    return result


def largest(edges: Edges, values: Tensor) -> Tensor:
    """The largest value of the neighbours by a scatter, for devices without such a product of sparse matrices."""
    index = edges.sources[:, None].expand(-1, values.shape[1])
    return values.new_zeros((len(edges.leaving), values.shape[1])).scatter_reduce(
        0, index, values[edges.targets], "amax"
    )


@dataclass(frozen=True, slots=True)
class Shape:
    """δ_0, …, δ_L, how many colours there are, and the k of each layer."""

    dimensions: tuple[int, ...]
    colours: int
    aggregation: tuple[int | float, ...]


class Layers(nn.Module):
    """The matrices and biases of a network with ReLU; the activation of the last layer is left to the loss.

    With `bits`, matrices and biases are rounded to that many binary places when they are used; gradients pass as if
    they were not. Only the outputs in `asked` are computed, if any are named.
    """

    def __init__(self, shape: Shape, density: float, scale: float, generator: torch.Generator) -> None:
        super().__init__()
        self.shape = shape
        self.bits: int | None = None
        self.asked: Tensor | None = None
        self.matrices = nn.ParameterList()
        self.biases = nn.ParameterList()
        for below, units in zip(shape.dimensions, shape.dimensions[1:]):
            stack = torch.rand((1 + shape.colours, units, below), generator=generator)
            present = torch.rand(stack.shape, generator=generator) < density
            self.matrices.append(nn.Parameter(scale * stack * present))
            self.biases.append(nn.Parameter(torch.full((units,), BEGINNING)))
        nn.init.constant_(self.biases[-1], LAST_BEGINNING)

    def forward(self, features: Tensor, colours: Sequence[Edges]) -> Tensor:
        """The arguments of the last activation, per vertex and output."""
        values = features
        last = len(self.matrices) - 1
        for number, (stack, bias, k) in enumerate(zip(self.matrices, self.biases, self.shape.aggregation, strict=True)):
            if number == last and self.asked is not None:
                stack, bias = stack[:, self.asked], bias[self.asked]
            stack, bias = self.rounded(stack), self.rounded(bias)
            result = torch.addmm(bias, values, stack[0].T)
            for edges, matrix in zip(colours, stack[1:], strict=True):
                used = matrix.detach().any(0)
                if used.any() and len(edges.targets):
                    result = result.index_add(0, edges.leaving, _seen(edges, values, matrix, used, k))
            values = result if number == last else torch.relu(result)
        if self.asked is None:
            return values
        return values.new_zeros((len(values), self.shape.dimensions[-1])).index_copy(1, self.asked, values)

    def rounded(self, entries: Tensor) -> Tensor:
        """The entries as they are used."""
        if self.bits is None:
            return entries
        return entries + (torch.round(entries * 2**self.bits) / 2**self.bits - entries).detach()

    def silence(self, features: Tensor, colours: Sequence[Edges], asked: Tensor) -> None:
        """Drops the weights of features that nothing has where they are looked for, and of outputs not asked for."""
        with torch.no_grad():
            present = [features.any(0), *(features[edges.targets].any(0) for edges in colours)]
            self.matrices[0].mul_(torch.stack(present)[:, None, :])
            wanted = torch.zeros(self.shape.dimensions[-1], device=asked.device)
            wanted[asked] = 1
            self.matrices[-1].mul_(wanted[:, None])
        self.asked = asked if len(asked) < len(wanted) else None

    def shrink(self, amount: float) -> None:
        """The proximal step: entries of the matrices come nearer to zero, and none stays negative."""
        with torch.no_grad():
            for stack in self.matrices:
                stack.sub_(amount).clamp_(min=0)

    def nonzero(self) -> int:
        """How many entries of the matrices are not zero."""
        return sum(int(torch.count_nonzero(self.rounded(stack))) for stack in self.matrices)


def _seen(edges: Edges, values: Tensor, matrix: Tensor, used: Tensor, k: int | float) -> Tensor:
    """B_c times the aggregates; sums are taken on whichever side has fewer features."""
    columns = torch.nonzero(used)[:, 0]
    if k == math.inf and len(columns) > len(matrix):
        return aggregate(edges, values @ matrix.T, k)
    return aggregate(edges, values[:, columns], k) @ matrix[:, columns].T


def edges_of(graph: ColouredGraph, device: torch.device) -> list[Edges]:
    """The edges of every colour."""
    return [Edges(adjacency, device) for adjacency in graph.colours]


def as_tensor(features: NDArray[np.bool_], device: torch.device) -> Tensor:
    """Boolean features as numbers."""
    return torch.from_numpy(features.astype(np.float32)).to(device)


SMALL = 4_000_000
"""Numbers in the features of a graph."""


@contextmanager
def few_threads(size: int) -> Generator[None]:
    """One thread for small matrices: several wait for each other longer than they work, most of all beside others."""
    before = torch.get_num_threads()
    if size < SMALL:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
