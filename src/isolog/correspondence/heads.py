"""The concepts of the wanted outputs of a network, one after the other within a bound on their number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from isolog.concepts.dag import Concepts, Node
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.regression import Regression
from isolog.correspondence.sizes import SMALL
from isolog.errors import Finding, LimitError
from isolog.graphs.sorts import Sorts
from isolog.networks.network import Network

Head: TypeAlias = tuple[int, int]
"""An output and a sort of vertices, both from 0."""

Progress: TypeAlias = Callable[[int, int], None]
"""Hears, after each head, how many heads are finished and how many concepts there are."""

MAX_NODES = 20_000_000
"""Up to 4 GiB: a concept takes 110 to 190 bytes while concepts are being made."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How concepts are made, and how many.

    `compact` concepts are far smaller where a unit adds up many weights, by counting in binary. They are for
    evaluation and layered programs: their derivations are too many to be counted, let alone to be listed as rules.
    """

    max_nodes: int = MAX_NODES
    compact: bool = False
    progress: Progress | None = None


DEFAULT = Budget()


@dataclass(frozen=True, eq=False, slots=True)
class Heads:
    """`nodes[i, s]` is the concept of the vertices of sort `s` for which the network derives output `i`."""

    concepts: Concepts
    nodes: Mapping[Head, Node]
    regression: Regression


class UnfinishedError(LimitError):
    """More concepts than the bound; `finished` has the heads that were made before it was reached."""

    def __init__(self, finding: Finding, finished: Heads) -> None:
        super().__init__(finding)
        self.finished = finished


def extract_heads(
    network: Network,
    sorts: Sorts,
    heads: Iterable[Head] | None = None,
    budget: Budget = DEFAULT,
) -> Heads:
    """The concepts of the heads, all there are unless told otherwise: those that need least are made first."""
    last, concepts = len(network.layers), Concepts()
    small = SMALL if budget.compact else math.inf
    regression = Regression(Grid(network, sorts), concepts, budget.max_nodes, small)
    every = ((output, sort) for output in range(len(network.thresholds)) for sort in range(len(sorts)))
    wanted = list(every if heads is None else heads)
    wanted.sort(key=lambda head: regression.plan(Unit(last, *head)).size)
    nodes: dict[Head, Node] = {}
    for output, sort in wanted:
        try:
            nodes[output, sort] = regression.concept(Unit(last, output, sort), network.thresholds[output])
        except LimitError as error:
            raise UnfinishedError(
                _how_far(error, network, wanted, nodes, concepts), Heads(concepts, nodes, regression)
            ) from None
        if budget.progress is not None:
            budget.progress(len(nodes), len(concepts))
    return Heads(concepts, nodes, regression)


def _how_far(
    error: LimitError, network: Network, wanted: list[Head], nodes: Mapping[Head, Node], concepts: Concepts
) -> Finding:
    """The limit that was met, with what is finished and what is not."""
    (finding,) = error.findings
    left = dict.fromkeys(network.unit_name(len(network.layers), output + 1) for output, _ in wanted[len(nodes) :])
    named = ", ".join(list(left)[:3]) + (f" and {len(left) - 3:,} more" if len(left) > 3 else "")
    message = (
        f"{finding.message}: {len(nodes):,} of {len(wanted):,} heads are finished, with {len(concepts):,} concepts; "
        f"not {named}"
    )
    hint = finding.hint or "round the weights to a coarser grid, ask for fewer heads, or search the rules directly"
    return Finding(finding.code, message, hint=hint)
