"""Brackets: a float network between two networks on a grid, N⁻ ⊆ N ⊆ N⁺, the grid refined until they agree.

What N⁻ derives, N derives, so its program is sound; what N derives, N⁺ derives, so its program is complete.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, TypeAlias

from isolog.correspondence.rounding import rounded, same_on_grid
from isolog.correspondence.transformation import predict
from isolog.errors import Finding, InputError
from isolog.facts.dataset import Dataset
from isolog.networks.network import Network

Side: TypeAlias = Literal["sound", "complete"]

MOST_BITS = 64


@dataclass(frozen=True, slots=True)
class Gap:
    """The facts that N⁺ derives from data and N⁻ does not, and those of them that the network itself derives."""

    facts: Dataset
    derived: Dataset


@dataclass(frozen=True, eq=False, slots=True)
class Bracket:
    """A network's bounds on the grid of 2^-bits; `network` is the one on the side that was asked for.

    `exact` says that nothing was rounded, so that the network is its own bracket; `gap` is what lies between the
    bounds on the data, None where no data were given.
    """

    side: Side
    bits: int
    lower: Network
    upper: Network
    exact: bool
    gap: Gap | None

    @property
    def network(self) -> Network:
        """N⁻, which is sound, or N⁺, which is complete."""
        return self.lower if self.side == "sound" else self.upper

    @property
    def closed(self) -> bool:
        """Whether nothing is known to lie between the bounds: nothing was rounded, or they agree on the data."""
        return self.exact or (self.gap is not None and not len(self.gap.facts))


def bracket(
    network: Network,
    side: Side,
    data: Dataset | None = None,
    *,
    bits: int | None = None,
    seconds: float = 60,
    ignore_unknown: bool = False,
) -> Bracket:
    """The bounds on the coarsest grid on which they agree, on the data if there are any, and else on all data.

    With `bits`, those on this grid whether they agree or not. When the seconds are over, or after `MOST_BITS`, those
    on the last grid that was tried.

    >>> from fractions import Fraction
    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> layer = Layer.from_fractions([[Fraction(5, 4)]], [], [Fraction(-1, 2)])
    >>> found = bracket(Network.canonical(Signature.of(["A"]), [layer]), "sound")
    >>> found.bits, found.exact
    (2, True)
    """
    if bits is not None and not 0 <= bits <= MOST_BITS:
        hint = f"the grid of 2^-p has p between 0 and {MOST_BITS}"
        raise InputError(Finding("E460", f"no grid has {bits} bits", hint=hint))
    end = time.monotonic() + seconds
    exact_facts = None if data is None else predict(network, data, ignore_unknown=ignore_unknown)
    tried = range(MOST_BITS + 1) if bits is None else [bits]
    for grid in tried:
        lower, upper = rounded(network, grid, "down"), rounded(network, grid, "up")
        gap = None
        if data is not None and exact_facts is not None:
            high = predict(upper, data, ignore_unknown=ignore_unknown)
            between = high - predict(lower, data, ignore_unknown=ignore_unknown)
            gap = Gap(between, between & exact_facts)
        found = Bracket(side, grid, lower, upper, same_on_grid(network, grid), gap)
        if found.closed or time.monotonic() > end or grid == tried[-1]:
            return found
    raise AssertionError("the last grid is always returned")
