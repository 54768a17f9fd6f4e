"""Eq. (2) in torch: the layers that are trained, with the kernels for aggregation and its gradients."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from isolog.learning.views import Edges, Inputs, View

BEGINNING, LAST_BEGINNING = -0.05, -3.0
"""What biases start from: a unit is silent unless something speaks for it."""


def aggregate(edges: Edges, values: Tensor, k: int | float) -> Tensor:
    """Per row that edges leave, and per feature, the sum of the k largest values of the neighbours.

    Values must not be negative.
    """
    if edges.is_single and k >= 1:
        return values.index_select(0, edges.targets)
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
    they were not. Only the outputs in `asked` are computed, if any are named. Entries of the matrices are drawn to
    `origins`, or to zero; outputs in `thresholds`, if there are such, are derived from there on.
    """

    def __init__(self, shape: Shape, density: float, scale: float, generator: torch.Generator) -> None:
        super().__init__()
        self.shape = shape
        self.bits: int | None = None
        self.asked: Tensor | None = None
        self.origins: list[Tensor] | None = None
        self.thresholds: dict[int, Fraction] | None = None
        self.matrices = nn.ParameterList()
        self.biases = nn.ParameterList()
        for below, units in zip(shape.dimensions, shape.dimensions[1:]):
            stack = torch.rand((1 + shape.colours, units, below), generator=generator)
            present = torch.rand(stack.shape, generator=generator) < density
            self.matrices.append(nn.Parameter(scale * stack * present))
            self.biases.append(nn.Parameter(torch.full((units,), BEGINNING)))
        nn.init.constant_(self.biases[-1], LAST_BEGINNING)

    def forward(self, inputs: Inputs, view: View) -> Tensor:
        """The arguments of the last activation, per vertex of the view and output that is asked for."""
        values = torch.empty(0)
        last = len(self.matrices) - 1
        for number, (stack, bias, k) in enumerate(zip(self.matrices, self.biases, self.shape.aggregation, strict=True)):
            if number == last and self.asked is not None:
                stack, bias = stack[:, self.asked], bias[self.asked]
            stack, bias = self.rounded(stack), self.rounded(bias)
            if number == 0:
                result = inputs.times(stack.transpose(1, 2).flatten(0, 1)) + bias
            else:
                result = torch.addmm(bias, values.index_select(0, view.own[number - 1]), stack[0].T)
                for edges, matrix in zip(view.edges[number - 1], stack[1:], strict=True):
                    result = _with_seen(result, edges, values, matrix, k)
            values = result if number == last else torch.relu(result)
        return values

    def rounded(self, entries: Tensor) -> Tensor:
        """The entries as they are used."""
        if self.bits is None:
            return entries
        return entries + (torch.round(entries * 2**self.bits) / 2**self.bits - entries).detach()

    def silence(self, seen: NDArray[np.bool_], asked: Tensor) -> None:
        """Drops the weights of features that nothing has where they are looked for, and of outputs not asked for.

        `seen` says per colour, the features themselves first, which of them any vertex sees.
        """
        with torch.no_grad():
            self.matrices[0].mul_(torch.from_numpy(seen).to(asked.device)[:, None, :])
            wanted = torch.zeros(self.shape.dimensions[-1], device=asked.device)
            wanted[asked] = 1
            self.matrices[-1].mul_(wanted[:, None])
        self.asked = asked if len(asked) < len(wanted) else None

    def shrink(self, amount: float) -> None:
        """The proximal step: entries of the matrices come nearer to their origins, and none stays negative."""
        with torch.no_grad():
            for stack, origin in zip(self.matrices, self.all_origins(), strict=True):
                stack.sub_((stack - origin).clamp(-amount, amount)).clamp_(min=0)

    def all_origins(self) -> list[Tensor]:
        """What the entries of each stack of matrices are drawn to."""
        return [torch.zeros_like(stack) for stack in self.matrices] if self.origins is None else self.origins

    def nonzero(self) -> int:
        """How many entries of the matrices are not zero."""
        return sum(int(torch.count_nonzero(self.rounded(stack))) for stack in self.matrices)


def _with_seen(result: Tensor, edges: Edges, values: Tensor, matrix: Tensor, k: int | float) -> Tensor:
    """The result with B_c times the aggregates added."""
    used = matrix.detach().any(0)
    if not len(edges.targets) or not used.any():
        return result
    seen = _seen(edges, values, matrix, used, k)
    return result + seen if len(edges.leaving) == len(result) else result.index_add(0, edges.leaving, seen)


def _seen(edges: Edges, values: Tensor, matrix: Tensor, used: Tensor, k: int | float) -> Tensor:
    """B_c times the aggregates; the product comes first where that is less work and changes nothing."""
    columns = torch.nonzero(used)[:, 0]
    if edges.is_single and k >= 1:
        ends, places = edges.ends
        return (values.index_select(0, ends) @ matrix.T).index_select(0, places)
    if k == math.inf and len(columns) > len(matrix):
        return aggregate(edges, values @ matrix.T, k)
    return aggregate(edges, values.index_select(1, columns), k) @ matrix.index_select(1, columns).T


SMALL = 40_000_000
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
