"""Networks in which each unit says of each vertex whether one tree-like formula holds there (paper §5, Lemma 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.treelike import TreeFormula, TreeRule
from isolog.errors import Finding, LimitError
from isolog.facts.signature import Signature
from isolog.networks.network import Layer, MaxKSum, Network

Matrix = NDArray[np.int64]
MOST_WEIGHTS = 100_000_000


def formula_network(signature: Signature, units: Sequence[Sequence[TreeFormula]], rules: Sequence[TreeRule]) -> Network:
    """The monotonic max-sum network with these formulas as the units of layers 1, 2, …, and equivalent to the rules.

    The first layer holds formulas of depth 0 and the last of `units` all bodies. Each layer either finds a formula in
    the layer below, or finds the children of its largest groups and the rest of it there. The children of each group
    must be equal, and the largest groups of all that is new in a layer have one size, k: ReLU(max-k-sum − (k − 1)) is
    1 where there are k such neighbours, 0 elsewhere. Groups of single children are max aggregation.

    §5 as printed gives neighbour weights to copied units, too, which lets them hold where they should not:
    `(B^l_c)_{i,j} = 1` is meant for the new units alone, δ_{l−1} < i ≤ δ_l.
    """
    require_room([len(signature.unary), *map(len, units), len(signature.unary)], signature)
    middle = [_formulas_layer(signature, below, formulas) for below, formulas in pairwise(units)]
    layers = [_labels_layer(signature, units[0]), *middle, _heads_layer(signature, units[-1], rules)]
    return Network.canonical(signature, layers)


def require_room(sizes: Sequence[int], signature: Signature) -> None:
    """Refuses layers of these sizes if their matrices would not fit in memory."""
    weights = (1 + len(signature.binary)) * sum(below * above for below, above in pairwise(sizes))
    if weights > MOST_WEIGHTS:
        message = f"layers of up to {max(sizes):,} units have {weights:,} weights; the limit is {MOST_WEIGHTS:,}"
        raise LimitError(Finding("E414", message, hint="split the program by the predicates of its heads"))


def largest_group(formula: TreeFormula) -> int:
    """How many children the largest groups of the root have."""
    return max((len(siblings.children) for siblings in formula.groups), default=0)


def rest_of(formula: TreeFormula) -> TreeFormula:
    """What the formula says of its root beside its largest groups: its labels alone if all have one size."""
    size = largest_group(formula)
    return TreeFormula(formula.labels, tuple(each for each in formula.groups if len(each.children) < size))


def zeros(signature: Signature, units: int, inputs: int) -> tuple[Matrix, tuple[Matrix, ...], Matrix]:
    """A layer without weights, A, B and b, to be filled in."""
    matrices = tuple(np.zeros((units, inputs), np.int64) for _ in signature.binary)
    return np.zeros((units, inputs), np.int64), matrices, np.zeros(units, np.int64)


def _labels_layer(signature: Signature, formulas: Sequence[TreeFormula]) -> Layer:
    A, B, b = zeros(signature, len(formulas), len(signature.unary))
    feature = {name: j for j, name in enumerate(signature.unary)}
    for i, formula in enumerate(formulas):
        A[i, [feature[label] for label in formula.labels]] = 1
        b[i] = 1 - A[i].sum()
    return Layer(A, B, b)


def _formulas_layer(signature: Signature, below: Sequence[TreeFormula], formulas: Sequence[TreeFormula]) -> Layer:
    A, B, b = zeros(signature, len(formulas), len(below))
    position = {formula: j for j, formula in enumerate(below)}
    colour = {name: c for c, name in enumerate(signature.binary)}
    sizes = {largest_group(formula) for formula in formulas if formula not in position} or {1}
    (k,) = sizes
    for i, formula in enumerate(formulas):
        if formula in position:
            A[i, position[formula]] = 1
            continue
        A[i, position[rest_of(formula)]] = 1
        for group in formula.groups:
            if len(group.children) == k:
                B[colour[group.colour]][i, position[group.children[0]]] = 1
        b[i] = -k * sum(matrix[i].sum() for matrix in B)
    return Layer(A, B, b, MaxKSum(k))


def _heads_layer(signature: Signature, below: Sequence[TreeFormula], rules: Iterable[TreeRule]) -> Layer:
    A, B, b = zeros(signature, len(signature.unary), len(below))
    position = {formula: j for j, formula in enumerate(below)}
    for rule in rules:
        A[signature.unary.index(rule.head), position[rule.body]] = 1
    return Layer(A, B, b)
