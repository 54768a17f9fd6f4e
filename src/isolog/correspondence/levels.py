"""Which values a unit may take, as far as they matter (Def. 7, on a grid): what the layer-cake sums run over.

All numbers are integers over the scales of the layers. Values from a unit's `enough` on are one level: whatever
uses the unit is satisfied by that value alone. The sets may contain values that never occur, which costs nothing
but size; they miss none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_

from isolog.errors import Finding, LimitError
from isolog.graphs.sorts import Sorts
from isolog.networks.network import Layer, MaxKSum, Network
from isolog.networks.scales import LayerScale, scales

LONGEST_GRID = 1 << 24


@dataclass(frozen=True, slots=True)
class Unit:
    """Unit `index` (from 0) of a layer (from 0 for the input), at vertices of a sort."""

    layer: int
    index: int
    sort: int


@dataclass(frozen=True, slots=True)
class Input:
    """One nonzero weight of a unit: of feature `index` below, at the vertex itself or at neighbours of a colour."""

    index: int
    weight: int
    colour: int | None


class Grid:
    """A monotonic max-sum network in integers: weights, biases and the levels of every unit."""

    def __init__(self, network: Network, sorts: Sorts) -> None:
        self.network = network
        self.sorts = sorts
        self.scales: tuple[LayerScale, ...] = scales(network)
        self.inputs = [[self._inputs(n, i) for i in range(layer.units)] for n, layer in enumerate(network.layers)]
        self.biases = [
            [int(b * scale.argument) for b in layer.exact_bias()]
            for layer, scale in zip(network.layers, self.scales, strict=True)
        ]
        self._levels: dict[Unit, tuple[int, ...]] = {}

    def value_scale(self, layer: int) -> int:
        """The denominator of the values of a layer."""
        return self.scales[layer - 1].value if layer else 1

    def bound(self, layer: int, colour: int, sort: int) -> int | float:
        """How many neighbours of the colour can count at a vertex of the sort: k_l, or what the sort allows."""
        around = self.sorts[sort].neighbours[colour]
        aggregation = self.network.layers[layer - 1].aggregation
        assert isinstance(aggregation, MaxKSum)
        return 0 if around is None else min(aggregation.k, around.at_most)

    def argument(self, layer: int, index: int, value: Fraction) -> int | None:
        """The least sum of inputs that lifts the unit to the value; None when the value is always reached."""
        least = self.network.layers[layer - 1].activation.least_argument(value)
        if least is None:
            return None
        return math.ceil(least * self.scales[layer - 1].argument) - self.biases[layer - 1][index]

    @cached_property
    def enough(self) -> list[list[int]]:
        """Per layer and unit, the value that alone satisfies every use; 0 for what is not used."""
        tops = [[0] * size for size in self.network.dimensions]
        last = len(self.network.layers)
        tops[last] = [max(0, math.ceil(t * self.value_scale(last))) for t in self.network.thresholds]
        for layer in range(last, 0, -1):
            scale = self.value_scale(layer)
            for index, top in enumerate(tops[layer]):
                needed = self.argument(layer, index, Fraction(top, scale)) if top else None
                for use in self.inputs[layer - 1][index]:
                    lift = -(-max(needed or 0, 0) // use.weight)
                    tops[layer - 1][use.index] = max(tops[layer - 1][use.index], lift)
        return tops

    def room(self, unit: Unit) -> int:
        """The largest sum of inputs that any use of the unit asks for."""
        top = self.enough[unit.layer][unit.index]
        reach = self.argument(unit.layer, unit.index, Fraction(top, self.value_scale(unit.layer))) if top else None
        return max(reach or 0, 0)

    def always(self, unit: Unit, use: Input) -> int:
        """How many neighbours every vertex of the unit's sort has for this input."""
        around = None if use.colour is None else self.sorts[unit.sort].neighbours[use.colour]
        return 0 if around is None else around.at_least

    def below(self, unit: Unit, use: Input) -> Unit | None:
        """The unit that an input of this unit reads; None where the sort has no neighbours of that colour."""
        if use.colour is None:
            return Unit(unit.layer - 1, use.index, unit.sort)
        around = self.sorts[unit.sort].neighbours[use.colour]
        return None if around is None else Unit(unit.layer - 1, use.index, around.sort)

    def levels(self, unit: Unit) -> tuple[int, ...]:
        """The values that the unit may take, increasing, up to and including `enough` where it can be reached."""
        waiting = [unit] if unit not in self._levels else []
        while waiting:
            missing = [each for each in self._all_below(waiting[-1]) if each not in self._levels]
            waiting += missing
            if not missing:
                ready = waiting.pop()
                self._levels[ready] = self._find_levels(ready)
        return self._levels[unit]

    def _all_below(self, unit: Unit) -> list[Unit]:
        uses = self.inputs[unit.layer - 1][unit.index] if unit.layer else []
        return [below for use in uses if (below := self.below(unit, use)) is not None]

    def _find_levels(self, unit: Unit) -> tuple[int, ...]:
        if unit.layer == 0:
            return (0, 1) if unit.index in self.sorts[unit.sort].features else (0,)
        top, room = self.enough[unit.layer][unit.index], self.room(unit)
        scale = self.scales[unit.layer - 1]
        if room > LONGEST_GRID:
            message = f"{room:,} grid points at unit {unit.index + 1} of layer {unit.layer}: more than {LONGEST_GRID:,}"
            hint = "round the weights to a coarser grid, or search the rules directly"
            raise LimitError(Finding("E420", message, hint=hint))
        sums, beyond = self._sums(unit, room)
        activation = self.network.layers[unit.layer - 1].activation
        bias = self.biases[unit.layer - 1][unit.index]
        values = {int(activation(Fraction(z + bias, scale.argument)) * scale.value) for z in sums}
        return tuple(sorted({min(value, top) for value in values} | ({top} if beyond else set[int]())))

    def _sums(self, unit: Unit, room: int) -> tuple[list[int], bool]:
        """The sums of inputs up to `room`, and whether there may be larger ones."""
        bits, total = 1, 0
        mask = (1 << (room + 1)) - 1
        for use in self.inputs[unit.layer - 1][unit.index]:
            below = self.below(unit, use)
            if below is None:
                continue
            gains = [use.weight * value for value in self.levels(below)]
            most = 1 if use.colour is None else self.bound(unit.layer, use.colour, unit.sort)
            total += 0 if most == 0 or gains[-1] == 0 else gains[-1] * most
            bits = _add(bits, gains, most, mask, optional=use.colour is not None)
        return [place for place, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"], total > room

    def _inputs(self, layer: int, index: int) -> list[Input]:
        found: Layer = self.network.layers[layer]
        factor = self.scales[layer].weights
        rows = [(None, found.A[index]), *((colour, matrix[index]) for colour, matrix in enumerate(found.B))]
        return [
            Input(j, int(found.exact(row[j]) * factor), colour)
            for colour, row in rows
            for j in range(len(row))
            if row[j] != 0
        ]


def _add(bits: int, gains: list[int], most: int | float, mask: int, optional: bool) -> int:
    """The sums of `bits` with up to `most` of the gains, exactly one where it is not optional."""
    shifts = [gain for gain in gains if gain <= mask.bit_length()]
    if not optional:
        return _union(bits << shift & mask for shift in shifts)
    positive = [shift for shift in shifts if shift]
    done = 0
    while done < most and positive:
        more = bits | _union(bits << shift & mask for shift in positive)
        if more == bits:
            break
        bits, done = more, done + 1
    return bits


def _union(parts: Iterable[int]) -> int:
    return reduce(or_, parts, 0)
