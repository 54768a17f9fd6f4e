"""Extraction: the concepts that a monotonic max-sum network equals, one per output."""

from __future__ import annotations

from dataclasses import dataclass

from isolog.concepts.dag import Concepts, Node
from isolog.correspondence.heads import DEFAULT, Budget, extract_heads
from isolog.graphs.sorts import Sorts, one_sort
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network


@dataclass(frozen=True, eq=False, slots=True)
class Extraction:
    """`heads[i][s]` is the concept of the vertices of sort `s` for which the network derives output `i`."""

    network: Network
    sorts: Sorts
    concepts: Concepts
    heads: tuple[tuple[Node, ...], ...]


def concepts_of_network(network: Network, sorts: Sorts | None = None, budget: Budget = DEFAULT) -> Extraction:
    """The concepts that the network equals on every graph of these sorts; without sorts, on every graph.

    With more concepts than the budget has it ends in an `UnfinishedError`, which keeps the heads that are finished.
    """
    require_monotonic(network)
    sorts = sorts or one_sort(len(network.features), len(network.colours))
    found = extract_heads(network, sorts, None, budget)
    heads = (
        tuple(found.nodes[output, sort] for sort in range(len(sorts))) for output in range(len(network.thresholds))
    )
    return Extraction(network, sorts, found.concepts, tuple(heads))
