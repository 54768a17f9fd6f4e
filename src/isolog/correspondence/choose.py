"""The minimal rules of a network by whichever way is open: through its concepts, or by the direct search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isolog.concepts.dag import Concepts
from isolog.concepts.flat import Head, flat_rules
from isolog.concepts.flat_rules import Budget, FlatRules
from isolog.correspondence.direct import Output, direct_rules, every_output
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.regression import Regression
from isolog.errors import LimitError
from isolog.graphs.sorts import Sorts, one_sort
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network

MOST_NODES = 200_000
_NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True)
class ChosenRules:
    """Rules, and how many concepts the network equals; None where it was searched directly, `limit` says why."""

    rules: FlatRules
    concept_nodes: int | None
    limit: LimitError | None = None


def rules_of_network(
    network: Network,
    sorts: Sorts | None = None,
    heads: Sequence[Output] | None = None,
    budget: Budget = _NO_LIMIT,
    most_nodes: int = MOST_NODES,
) -> ChosenRules:
    """The minimal rules of the outputs: through concepts, or directly where these are more than `most_nodes`.

    The seconds of the budget are those of the search that is made in the end.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> network = Network.canonical(Signature.of(["A"], ["r"]), [Layer.from_fractions([[0]], [[[1]]], [0])])
    >>> few, many = rules_of_network(network), rules_of_network(network, most_nodes=2)
    >>> few.rules.rules == many.rules.rules, few.concept_nodes, many.concept_nodes
    (True, 4, None)
    """
    require_monotonic(network)
    sorts = sorts or one_sort(len(network.features), len(network.colours))
    heads = every_output(network, sorts) if heads is None else heads
    concepts = Concepts()
    try:
        roots = _roots(network, sorts, heads, Regression(Grid(network, sorts), concepts, most_nodes))
    except LimitError as limit:
        return ChosenRules(direct_rules(network, sorts, heads, budget), None, limit)
    return ChosenRules(flat_rules(concepts, roots, sorts, (network.features, network.colours), budget), len(concepts))


def _roots(network: Network, sorts: Sorts, heads: Sequence[Output], regression: Regression) -> list[Head]:
    last = len(network.layers)
    return [
        Head(
            network.features[head.index],
            regression.concept(Unit(last, head.index, head.sort), network.thresholds[head.index]),
            head.sort,
        )
        for head in heads
    ]
