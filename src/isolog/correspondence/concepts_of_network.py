"""Extraction: the concepts that a monotonic max-sum network equals, one per output and sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isolog.concepts.dag import BOTTOM, Concepts, Node
from isolog.correspondence.heads import DEFAULT, Budget, extract_heads
from isolog.correspondence.regression import Regression
from isolog.graphs.sorts import Sorts, one_sort
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network


@dataclass(frozen=True, eq=False, slots=True)
class Extraction:
    """`heads[i][s]` is the concept of the vertices of sort `s` for which the network derives output `i`.

    What was not asked for is ⊥. The regression knows what its concepts mean (`meanings.py`).
    """

    network: Network
    sorts: Sorts
    concepts: Concepts
    heads: tuple[tuple[Node, ...], ...]
    regression: Regression


def concepts_of_network(
    network: Network, sorts: Sorts | None = None, budget: Budget = DEFAULT, outputs: Sequence[int] | None = None
) -> Extraction:
    """The concepts that the network equals on every graph of these sorts; without sorts, on every graph.

    With more concepts than the budget has it ends in an `UnfinishedError`, which keeps the heads that are finished.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> network = Network.canonical(Signature.of(["A"], ["r"]), [Layer.from_fractions([[0]], [[[1]]], [0])])
    >>> found = concepts_of_network(network)
    >>> found.heads == ((found.concepts.at_least(1, 0, found.concepts.label(0)),),)
    True
    """
    require_monotonic(network)
    sorts = sorts or one_sort(len(network.features), len(network.colours))
    every = range(len(network.thresholds))
    wanted = [(output, sort) for output in (every if outputs is None else outputs) for sort in range(len(sorts))]
    found = extract_heads(network, sorts, wanted, budget)
    heads = (tuple(found.nodes.get((output, sort), BOTTOM) for sort in range(len(sorts))) for output in every)
    return Extraction(network, sorts, found.concepts, tuple(heads), found.regression)
