"""The same sets as `values.py` on a coarse grid, as bit masks: whole stretches of a frontier in one operation.

Bit n of a mask says that n steps of the grid are an element. Sets are known below a bound; a sum with a set that is
dense, as value sets tend to be, takes one shift per run of ones and doubling, not one per element.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from isolog.correspondence.frontier import Steps
from isolog.correspondence.grid import GridLayer, Row

_CHUNK = 2**12


class Bitsets:
    """X_{l,i} (Def. 7) up to any bound, for layers from `on_grids`; layers and units count from 1.

    A step is one shift of 2^16 bits; to begin a set takes one for every 2^10 bits, so that steps bound the memory, too.
    """

    def __init__(self, layers: Sequence[GridLayer], steps: Steps) -> None:
        self._layers = layers
        self._steps = steps
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def elements(self, layer: int, unit: int, largest: int | None) -> Iterator[int]:
        """X_{l,i} in increasing order."""
        bound, below = 64, 0
        while largest is None or below <= largest:
            mask = self.up_to(layer, unit, bound) >> below
            yield from (below + start + n for start, length in _runs(mask) for n in range(length))
            below, bound = bound + 1, 2 * bound

    def up_to(self, layer: int, unit: int, bound: int) -> int:
        """The elements that are at most `bound`."""
        known, mask = self._known.get((layer, unit), (-1, 0)) if layer else (1, 0b11)
        if layer and known < bound:
            known, mask = bound, self._image(layer, unit, bound)
            self._known[layer, unit] = known, mask
        return mask & _ones(bound + 1) if bound < known else mask

    def _image(self, layer: int, unit: int, bound: int) -> int:
        """σ(b_i + t) for all sums t, one linear piece of σ after the other."""
        this, bias = self._layers[layer - 1], self._layers[layer - 1].b[unit - 1]
        size = this.arguments_up_to(bound, bias)
        self._steps.take(1 + (max(size, bound) >> 10))
        sums = self._sums(layer, unit - 1, size)
        ends = [min(max(math.ceil(z) - bias, 0), size) for z in this.scale.breaks]
        image = 0
        for slope, start, end in zip(this.scale.slopes, [0, *ends], [*ends, size]):
            piece = sums >> start & _ones(end - start)
            image |= self._plus(1, slope, piece, bound + 1) << this.value(bias + start)
        return image

    def _sums(self, layer: int, row: int, size: int) -> int:
        """All Σ_j A_ij·x[j] + Σ_c …, as in `values.py`, below `size`."""
        this = self._layers[layer - 1]
        sums = self._combinations(layer, this.A[row], size)
        neighbours = [self._combinations(layer, rows[row], size) for rows in this.B]
        if this.k == math.inf:
            return self._plus_any_number(sums, neighbours, size)
        for summands in neighbours:
            sums = self._plus(sums, 1, self._at_most(int(this.k), summands, size), size)
        return sums

    def _combinations(self, layer: int, row: Row, size: int) -> int:
        sums = _ones(min(size, 1))
        for j, weight in row:
            sums = self._plus(sums, weight, self.up_to(layer - 1, j + 1, (size - 1) // weight), size)
        return sums

    def _at_most(self, k: int, summands: int, size: int) -> int:
        if k == 0:
            return 1
        half = self._at_most(k // 2, summands, size)
        twice = self._plus(half, 1, half, size)
        return self._plus(twice, 1, summands | 1, size) if k % 2 else twice

    def _plus_any_number(self, sums: int, neighbours: Sequence[int], size: int) -> int:
        multiples, summands = 1, 0
        for mask in neighbours:
            summands |= mask
        while missing := summands & ~multiples:
            least = (missing & -missing).bit_length() - 1
            multiples = self._repeated(multiples, least, size, size) & _ones(size)
            sums = self._repeated(sums, least, size, size) & _ones(size)
        return sums

    def _plus(self, a: int, factor: int, b: int, size: int) -> int:
        """All sums of an element of `a` and `factor` times one of `b`, below `size`."""
        if factor == 1 and a.bit_count() < b.bit_count():
            a, b = b, a
        sums = 0
        for start, length in _runs(b):
            self._steps.take(1 + (size >> 16))
            sums |= self._repeated(a, factor, length, size) << factor * start
        return sums & _ones(size)

    def _repeated(self, mask: int, shift: int, times: int, size: int) -> int:
        """The mask shifted by 0, 1, …, `times - 1` times `shift`, all in one; complete below `size`."""
        done = 1
        while done < times and done * shift < size:
            more = min(done, times - done)
            self._steps.take(1 + (size >> 16))
            mask |= mask << more * shift
            done += more
        return mask


def _ones(number: int) -> int:
    return (1 << number) - 1


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """Start and length of runs of ones that make up the mask, from the right."""
    data = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    for offset in range(0, len(data), _CHUNK):
        bits = f"{int.from_bytes(data[offset : offset + _CHUNK], 'little'):b}"[::-1]
        for run in re.finditer("1+", bits):
            yield 8 * offset + run.start(), run.end() - run.start()
