"""Def. 6 and Def. 10: whether a network is a monotonic max-sum or max GNN, condition by condition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np

from isolog.errors import Finding, UnsupportedError
from isolog.networks.activation import Activation
from isolog.networks.network import MAX, Aggregation, MaxKSum, Network, tensor_names

_SPELLED_OUT = 5
_WAY_OUT = "only `inspect` and `predict` take such a network; `isolog train` makes networks as in Def. 6"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a definition: how many things break it, and the first of them in reading order."""

    statement: str
    breaches: tuple[Finding, ...] = ()
    count: int = 0

    @property
    def holds(self) -> bool:
        """Whether nothing breaks the condition."""
        return self.count == 0


@dataclass(frozen=True, slots=True)
class ClassReport:
    """The conditions of Def. 6 on a network, and `only_max`, which Def. 10 adds."""

    nonnegative_matrices: Condition
    max_k_sum: Condition
    increasing: Condition
    unbounded: Condition
    nonnegative_range: Condition
    step: Condition
    only_max: Condition

    @property
    def max_sum_conditions(self) -> tuple[Condition, ...]:
        """The conditions of Def. 6."""
        activation = (self.increasing, self.unbounded, self.nonnegative_range)
        return (self.nonnegative_matrices, self.max_k_sum, *activation, self.step)

    @property
    def is_monotonic_max_sum(self) -> bool:
        """Whether the network is as in Def. 6."""
        return all(condition.holds for condition in self.max_sum_conditions)

    @property
    def is_monotonic_max(self) -> bool:
        """Whether the network is as in Def. 10."""
        return self.is_monotonic_max_sum and self.only_max.holds


def class_report(network: Network) -> ClassReport:
    """Which conditions hold; of those that do not, the first five breaches are spelled out.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> layer = Layer.from_fractions([[1]], [[[-2]]], [0])
    >>> report = class_report(Network.canonical(Signature.of(["A"], ["r"]), [layer]))
    >>> report.is_monotonic_max_sum, report.nonnegative_matrices.breaches[0].message
    (False, '`B1.r[1,1] = -2` is negative (from `A` to `A`)')
    """
    thresholds = {str(threshold) for threshold in network.thresholds}
    where = f"at {thresholds.pop()}" if len(thresholds) == 1 else "with one threshold per output"
    negative = sum(int(np.count_nonzero(m < 0)) for layer in network.layers for m in (layer.A, *layer.B))
    return ClassReport(
        Condition("all entries of A and B are nonnegative", tuple(islice(_negative(network), _SPELLED_OUT)), negative),
        _condition("E361", "every aggregation is max-k-sum", _aggregations(network, lambda a: isinstance(a, MaxKSum))),
        _condition("E362", "every activation is monotonically increasing", _activations(network, _falls)),
        _condition("E363", "every activation is unbounded", _activations(network, _bound)),
        _condition("E364", "no activation has negative values", _activations(network, _negative_values)),
        Condition(f"the classification is a step function, {where}"),
        _condition("E365", "every aggregation is max", _aggregations(network, lambda a: a == MAX)),
    )


def require_monotonic(network: Network) -> None:
    """Raises what keeps the network out of Def. 6, if anything does."""
    findings: list[Finding] = []
    for condition in class_report(network).max_sum_conditions:
        findings += condition.breaches
        beyond = condition.count - len(condition.breaches)
        if beyond:
            findings.append(Finding(findings[-1].code, f"and {beyond:,} more; in Def. 6, {condition.statement}"))
    if findings:
        raise UnsupportedError([*findings[:-1], replace(findings[-1], hint=_WAY_OUT)])


def _condition(code: str, statement: str, breaches: Iterator[str]) -> Condition:
    findings = [Finding(code, message) for message in breaches]
    return Condition(statement, tuple(findings[:_SPELLED_OUT]), len(findings))


def _negative(network: Network) -> Iterator[Finding]:
    """One finding per negative entry, layer by layer, matrix by matrix, in reading order."""
    for number, layer in enumerate(network.layers, 1):
        for name, matrix in zip(tensor_names(number, network.colours), (layer.A, *layer.B)):
            for i, j in np.argwhere(matrix < 0) + 1:
                entry = layer.exact(matrix[i - 1, j - 1])
                shown = float(entry) if layer.is_float else entry
                ends = f"from {network.unit_name(number - 1, j)} to {network.unit_name(number, i)}"
                yield Finding("E360", f"`{name}[{i},{j}] = {shown}` is negative ({ends})")


def _aggregations(network: Network, allowed: Callable[[Aggregation], bool]) -> Iterator[str]:
    for number, layer in enumerate(network.layers, 1):
        if not allowed(layer.aggregation):
            yield f"layer {number} aggregates by {layer.aggregation}"


def _activations(network: Network, breaches: Callable[[Activation], Iterator[str]]) -> Iterator[str]:
    for number, layer in enumerate(network.layers, 1):
        yield from (f"the activation of layer {number} {breach}" for breach in breaches(layer.activation))


def _falls(activation: Activation) -> Iterator[str]:
    for (x, y), (next_x, next_y) in pairwise(activation.points):
        if next_y < y:
            yield f"falls from {y} at {x} to {next_y} at {next_x}"
    if activation.slope < 0:
        yield f"falls beyond {activation.points[-1][0]}, with slope {activation.slope}"


def _bound(activation: Activation) -> Iterator[str]:
    if not activation.is_unbounded:
        yield f"is never above {max(y for _, y in activation.points)}, for its slope ends as {activation.slope}"


def _negative_values(activation: Activation) -> Iterator[str]:
    for x, y in activation.points:
        if y < 0:
            yield f"is {y} at {x}"
    if activation.slope < 0:
        yield f"is negative for large arguments, its slope being {activation.slope}"
