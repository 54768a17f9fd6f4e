"""How large concepts of a unit become, before they are made: as a diagram of steps, or as counters."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_

from isolog.correspondence.counters import counters_size
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.steps import Chain, Steps

SMALL = 2_000
"""Diagrams up to this size are preferred to counters: their derivations are far fewer and easier to read."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Whether the concepts of a unit are made by counters, not as diagrams, and about how many nodes they need."""

    is_counted: bool
    size: int


def plan(grid: Grid, steps: Steps, unit: Unit, small: int | float) -> Plan:
    """The smaller way for all sums that may be asked of the unit; diagrams if they have at most `small` nodes."""
    chains, wanted = steps.chains(unit), all_wanted(grid, unit)
    if not chains or not wanted:
        return Plan(False, 0)
    room = max(grid.room(unit), 1)
    as_diagram = diagram_size(chains, wanted, room)
    if as_diagram <= small:
        return Plan(False, as_diagram)
    gains = [[gain for gain, _ in row] for chain in chains for row in chain.gains(room)]
    as_counters = counters_size(gains, wanted[-1]) * len(wanted)
    return Plan(as_counters < as_diagram, min(as_counters, as_diagram))


def all_wanted(grid: Grid, unit: Unit) -> list[int]:
    """The sums of inputs that may be asked of the unit, increasing: the threshold's, or those of its levels."""
    if unit.layer == len(grid.network.layers):
        values = [grid.network.thresholds[unit.index]]
    else:
        scale = grid.value_scale(unit.layer)
        values = [Fraction(value, scale) for value in grid.levels(unit)]
    wanted = {grid.argument(unit.layer, unit.index, value) or 0 for value in values}
    return sorted(value for value in wanted if value > 0)


def diagram_size(chains: list[Chain], wanted: list[int], room: int) -> int:
    """About how many ∧ and ∨ a diagram has: two for each step and each class of sums that are still wanted there.

    There are no more classes than sums that are wanted, and no more than sums of what is left, and one.
    """
    sums = [_sums(chain, room) for chain in chains]
    left, behind = [1], 1
    for gains in reversed(sums):
        behind = _added(behind, gains, room)
        left.append(behind)
    here = reduce(or_, (1 << min(value, room) for value in wanted), 0)
    size = 0
    for chain, gains, rest in zip(chains, sums, reversed(left), strict=False):
        here &= (1 << rest.bit_length()) - 2
        steps = len(chain.levels) if chain.bound == 1 else len(gains)
        size += 2 * steps * min(here.bit_count(), rest.bit_count() + 1)
        here = reduce(or_, (here >> gain for gain in gains), here)
    return size


def _sums(chain: Chain, room: int) -> list[int]:
    """The positive sums that a chain may add, up to the first that is enough."""
    weights = [chain.use.weight * level for level in chain.levels]
    if chain.bound == 1:
        return [min(weight, room) for weight in weights]
    sums, done = 1, 0
    while done < chain.bound:
        more = _added(sums, weights, room)
        if more == sums:
            break
        sums, done = more, done + 1
    return [place for place in range(1, sums.bit_length()) if sums >> place & 1]


def _added(sums: int, gains: list[int], room: int) -> int:
    """The sums with one of the gains added, or none; all that are enough are one."""
    mask = (1 << (room + 1)) - 1
    every = reduce(or_, (sums << gain for gain in gains), sums)
    return every & mask | ((1 << room) if every > mask else 0)
