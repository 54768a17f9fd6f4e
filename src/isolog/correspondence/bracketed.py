"""The concepts of a network or, with a bracket, of the network rounded down or up to a grid that they can bear."""

from __future__ import annotations

import time
from collections.abc import Sequence

from isolog.correspondence.bracket import MOST_BITS, Bracket, Side, bracket
from isolog.correspondence.concepts_of_network import Extraction, concepts_of_network
from isolog.correspondence.heads import DEFAULT, Budget
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.graphs.sorts import Sorts
from isolog.networks.network import Network

MOST_NODES = 2_000_000


def concepts_of_bracket(
    network: Network,
    side: Side | None,
    data: Dataset | None,
    seconds: float | None,
    outputs: Sequence[int],
    sorts: Sorts | None = None,
    budget: Budget = DEFAULT,
) -> tuple[Bracket | None, Extraction]:
    """The bracket, None without a side, and the concepts of the network on that side of it.

    The grid is refined until both sides agree on the data, nothing is rounded, the seconds are over, or there would be
    more than `MOST_NODES` concepts.
    """
    if side is None:
        return None, concepts_of_network(network, sorts, budget, outputs)
    end = None if seconds is None else time.monotonic() + seconds
    best: tuple[Bracket, Extraction] | None = None
    for bits in range(MOST_BITS + 1):
        found = bracket(network, side, data, bits=bits)
        try:
            best = found, concepts_of_network(found.network, sorts, Budget(MOST_NODES), outputs)
        except LimitError:
            if best is None:
                raise
            return best
        if found.closed or (end is not None and time.monotonic() > end):
            return best
    assert best is not None
    return best
