"""Networks in which each unit says of each vertex whether one tree-like formula holds there (paper §5, Lemma 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.printer import print_rule
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeFormula, TreeRule
from isolog.errors import Finding, Findings, LimitError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.network import Layer, Network
from isolog.source import Span

Matrix = NDArray[np.int64]
MOST_WEIGHTS = 100_000_000


def formula_network(signature: Signature, units: Sequence[Sequence[TreeFormula]], rules: Sequence[TreeRule]) -> Network:
    """The monotonic max network with these formulas as the units of layers 1, 2, …, and equivalent to the rules.

    The first layer holds formulas of depth 0 and the last of `units` all bodies. Each layer either finds a formula
    in the layer below or finds its labels and children there.

    §5 as printed gives neighbour weights to copied units, too, which lets them hold where they should not:
    `(B^l_c)_{i,j} = 1` is meant for the new units alone, δ_{l−1} < i ≤ δ_l.
    """
    reject_counting(rules)
    sizes = [len(signature.unary), *map(len, units), len(signature.unary)]
    weights = (1 + len(signature.binary)) * sum(below * above for below, above in pairwise(sizes))
    if weights > MOST_WEIGHTS:
        message = f"layers of up to {max(sizes):,} units have {weights:,} weights; the limit is {MOST_WEIGHTS:,}"
        raise LimitError(Finding("E414", message, hint="split the program by the predicates of its heads"))
    middle = [_formulas_layer(signature, below, formulas) for below, formulas in pairwise(units)]
    layers = [_labels_layer(signature, units[0]), *middle, _heads_layer(signature, units[-1], rules)]
    return Network.canonical(signature, layers)


def reject_counting(rules: Iterable[TreeRule], spans: Iterable[Span | None] = ()) -> None:
    """Raises an error that names the rules with inequalities, where there are such."""
    findings = Findings()
    for rule, span in zip_longest(rules, spans):
        if rule.body.inequalities:
            message = f"max aggregation cannot count, and `{print_rule(to_rule(rule))}` needs distinct neighbours"
            hint = "leave the inequalities out; only networks that sum over neighbours can express such rules"
            findings.add("E255", message, span, hint)
    findings.raise_any(UnsupportedError)


def own_part(formula: TreeFormula) -> TreeFormula:
    """What the formula says of its root alone: the conjunction of its labels."""
    return TreeFormula(formula.labels)


def _labels_layer(signature: Signature, formulas: Sequence[TreeFormula]) -> Layer:
    A, B, b = _zeros(signature, len(formulas), len(signature.unary))
    feature = {name: j for j, name in enumerate(signature.unary)}
    for i, formula in enumerate(formulas):
        A[i, [feature[label] for label in formula.labels]] = 1
        b[i] = 1 - A[i].sum()
    return Layer(A, B, b)


def _formulas_layer(signature: Signature, below: Sequence[TreeFormula], formulas: Sequence[TreeFormula]) -> Layer:
    A, B, b = _zeros(signature, len(formulas), len(below))
    position = {formula: j for j, formula in enumerate(below)}
    colour = {name: c for c, name in enumerate(signature.binary)}
    for i, formula in enumerate(formulas):
        if formula in position:
            A[i, position[formula]] = 1
        else:
            A[i, position[own_part(formula)]] = 1
            for group in formula.groups:
                B[colour[group.colour]][i, [position[child] for child in group.children]] = 1
            b[i] = 1 - A[i].sum() - sum(matrix[i].sum() for matrix in B)
    return Layer(A, B, b)


def _heads_layer(signature: Signature, below: Sequence[TreeFormula], rules: Iterable[TreeRule]) -> Layer:
    A, B, b = _zeros(signature, len(signature.unary), len(below))
    position = {formula: j for j, formula in enumerate(below)}
    for rule in rules:
        A[signature.unary.index(rule.head), position[rule.body]] = 1
    return Layer(A, B, b)


def _zeros(signature: Signature, units: int, inputs: int) -> tuple[Matrix, tuple[Matrix, ...], Matrix]:
    matrices = tuple(np.zeros((units, inputs), np.int64) for _ in signature.binary)
    return np.zeros((units, inputs), np.int64), matrices, np.zeros(units, np.int64)
