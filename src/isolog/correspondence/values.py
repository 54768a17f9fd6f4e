"""Def. 7, Thm. 1, Alg. 2: the values X_{l,i} that unit i of layer l can take on any dataset, in increasing order.

In a triple (x, Y, z) of Alg. 2 every x[j] and every vector in Y is chosen on its own. More than k_l vectors of one
colour give nothing that k_l vectors do not: put the k_l largest numbers of each component into k_l vectors. So

    X_{l,i} = { σ(b_i + s + Σ_c t_c) },   s ∈ Σ_j A_ij·X_{l-1,j},   t_c a sum of at most k_l elements of W_c,

where W_c = Σ_j B_{c,ij}·X_{l-1,j} is what a single neighbour may add, and `frontier.py` lists such sums. A new
neighbour may be any vector: the printed lines 16-18 offer only `Start(l)` once that has a nonzero component, and
miss values; the appendix, which raises one component of it to its first positive value, does not.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from itertools import islice, takewhile
from typing import Literal, TypeAlias

from isolog.correspondence.bitsets import Bitsets
from isolog.correspondence.frontier import LazySet, OutOfSteps, Steps, at_most, plus_any_number, scaled, total
from isolog.correspondence.grid import GridLayer, Row, on_grids
from isolog.errors import Finding, InputError, LimitError
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network


class Symbol(Enum):
    """What stands in for a number before the least value and after the largest."""

    START = "start"
    END = "end"


Start: TypeAlias = Literal[Symbol.START]
End: TypeAlias = Literal[Symbol.END]
START: Start = Symbol.START
END: End = Symbol.END


class ValueSets:
    """The sets X_{l,i} of a monotonic max-sum network, remembered as far as somebody asked.

    Layers and units count from 1; layer 0 holds the inputs. All sets share one budget of frontier steps: when it is
    used up, what is known stays known, and every question that needs one more step is a LimitError.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import SUM, Layer
    >>> layer = Layer.from_fractions([[0]], [[[Fraction(1, 2)]]], [-1], SUM)
    >>> sets = ValueSets(Network.canonical(Signature.of(["U"], ["E"]), [layer]))
    >>> [str(value) for value in sets.first(1, 1, 4)]
    ['0', '1/2', '1', '3/2']
    """

    def __init__(self, network: Network, steps: int = 1_000_000, coarse: int = 2**20) -> None:
        require_monotonic(network)
        self.steps = Steps(steps)
        self._layers = on_grids(network)
        self._grids = [1, *(layer.scale.value for layer in self._layers)]
        self._bitsets = Bitsets(self._layers, self.steps)
        self._sets: dict[tuple[int, int], LazySet] = {}
        self._start = [[0] * network.dimensions[0]]
        self._largest: list[list[int | None]] = [[1] * network.dimensions[0]]
        self._is_coarse = [True]
        for layer in self._layers:
            self._is_coarse.append(self._is_coarse[-1] and layer.extent <= coarse)
            self._start.append(_starts(layer, self._start[-1]))
            self._largest.append(_largest(layer, self._largest[-1]))

    def next(self, layer: int, unit: int, alpha: Start | Fraction | int) -> Fraction | End:
        """Alg. 2: the least element of X_{l,i} for START, else the least one above `alpha`, END if there is none."""
        self._require_unit(layer, unit)
        grid = self._grids[layer]
        if alpha is START:
            return Fraction(self._start[layer][unit - 1], grid)
        largest = self._largest[layer][unit - 1]
        if largest is not None and alpha * grid >= largest:
            return END
        return Fraction(self._above(layer, unit, math.floor(alpha * grid)), grid)

    def values(self, layer: int, unit: int) -> Iterator[Fraction]:
        """X_{l,i} in increasing order; endless unless `is_finite`."""
        alpha = self.next(layer, unit, START)
        while alpha is not END:
            yield alpha
            alpha = self.next(layer, unit, alpha)

    def first(self, layer: int, unit: int, count: int) -> list[Fraction]:
        """The `count` least elements of X_{l,i}, or all if there are fewer."""
        return list(islice(self.values(layer, unit), count))

    def up_to(self, layer: int, unit: int, bound: Fraction | int) -> list[Fraction]:
        """The elements of X_{l,i} that are not above the bound."""
        return list(takewhile(lambda value: value <= bound, self.values(layer, unit)))

    def largest(self, layer: int, unit: int) -> Fraction | None:
        """The largest element of X_{l,i}; None if X_{l,i} is infinite. It takes no steps."""
        self._require_unit(layer, unit)
        largest = self._largest[layer][unit - 1]
        return None if largest is None else Fraction(largest, self._grids[layer])

    def is_finite(self, layer: int, unit: int) -> bool:
        """Whether the unit takes finitely many values."""
        return self.largest(layer, unit) is not None

    def grid(self, layer: int) -> int:
        """All values of the layer are integers divided by this, so no positive one is below its inverse."""
        return self._grids[layer]

    def _above(self, layer: int, unit: int, alpha: int) -> int:
        try:
            values = self._set(layer, unit)
            index = bisect_right(values.known, alpha)
            while (value := values.at(index)) is not None and value <= alpha:
                index += 1
        except OutOfSteps:
            raise self._limit(layer, unit) from None
        assert value is not None, "`largest` says that there is a larger value"
        return value

    def _set(self, layer: int, unit: int) -> LazySet:
        if (layer, unit) not in self._sets:
            known = () if layer else (0, 1)
            self._sets[layer, unit] = LazySet(self._elements(layer, unit), self.steps, known)
        return self._sets[layer, unit]

    def _elements(self, layer: int, unit: int) -> Iterator[int]:
        """The elements of X_{l,i} that are not known from the beginning."""
        if layer == 0:
            return iter(())
        if self._is_coarse[layer]:
            return self._bitsets.elements(layer, unit, self._largest[layer][unit - 1])
        return self._image(layer, unit - 1)

    def _image(self, layer: int, row: int) -> Iterator[int]:
        """X_{l,i} for l ≥ 1; a flat stretch of σ gives one value."""
        this, last = self._layers[layer - 1], None
        own = self._combinations(layer, this.A[row])
        neighbours = [self._combinations(layer, rows[row]) for rows in this.B]
        if this.k == math.inf:
            arguments = plus_any_number(own, neighbours)
        else:
            arguments = total([own, *(at_most(int(this.k), sums) for sums in neighbours)], self.steps)
        for argument in arguments:
            value = this.value(argument + this.b[row])
            if value != last:
                yield value
            last = value

    def _combinations(self, layer: int, row: Row) -> LazySet:
        """Σ_j w_j·X_{l-1,j} for a row w of A or a B: what the vertex itself, or one neighbour, may add."""
        return total([scaled(self._set(layer - 1, j + 1), weight) for j, weight in row], self.steps)

    def _require_unit(self, layer: int, unit: int) -> None:
        if not 0 <= layer < len(self._start):
            hint = f"layer 0 holds the inputs, the last layer is {len(self._start) - 1}"
            raise InputError(Finding("E375", f"there is no layer {layer}", hint=hint))
        units = len(self._start[layer])
        if not 1 <= unit <= units:
            raise InputError(Finding("E376", f"there is no unit {unit} in layer {layer}", hint=f"it has {units} units"))

    def _limit(self, layer: int, unit: int) -> LimitError:
        known = self._sets[layer, unit].known if (layer, unit) in self._sets else []
        reached = f", up to {Fraction(known[-1], self._grids[layer])}" if known else ""
        message = (
            f"the values of unit {unit} in layer {layer} take more than {self.steps.limit:,} steps; "
            f"{len(known):,} of them are known{reached}"
        )
        return LimitError(Finding("E440", message, hint="ask for fewer values, or allow more steps"))


def _starts(layer: GridLayer, below: list[int]) -> list[int]:
    """The least values: no neighbours, and the least features."""
    return [layer.value(b + sum(weight * below[j] for j, weight in row)) for b, row in zip(layer.b, layer.A)]


def _largest(layer: GridLayer, below: list[int | None]) -> list[int | None]:
    """The largest values; None where values grow without bound."""

    def most(row: Row) -> int | None:
        values = [below[j] for j, _ in row]
        return None if None in values else sum(weight * (value or 0) for (_, weight), value in zip(row, values))

    def largest(i: int) -> int | None:
        own, neighbours = most(layer.A[i]), [most(rows[i]) for rows in layer.B if layer.k]
        if own is None or None in neighbours or (layer.k == math.inf and any(neighbours)):
            return None
        added = sum(int(layer.k) * (neighbour or 0) for neighbour in neighbours if neighbour)
        return layer.value(layer.b[i] + own + added)

    return [largest(i) for i in range(len(layer.b))]
