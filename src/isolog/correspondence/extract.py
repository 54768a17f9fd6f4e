"""Extraction: the concepts that a monotonic max-sum network equals, one per output."""

from __future__ import annotations

from dataclasses import dataclass

from isolog.concepts.dag import Concepts, Node
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.regression import Regression
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


def extract(network: Network, sorts: Sorts | None = None) -> Extraction:
    """The concepts that the network equals on every graph of these sorts; without sorts, on every graph."""
    require_monotonic(network)
    sorts = sorts or one_sort(len(network.features), len(network.colours))
    concepts = Concepts()
    regression = Regression(Grid(network, sorts), concepts)
    layers = len(network.layers)
    heads = [
        tuple(regression.concept(Unit(layers, output, sort), threshold) for sort in range(len(sorts)))
        for output, threshold in enumerate(network.thresholds)
    ]
    return Extraction(network, sorts, concepts, tuple(heads))
