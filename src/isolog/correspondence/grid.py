"""The layers of a max-k-sum network in integers: weights, biases and σ over the denominators of `scales.py`."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import TypeAlias

from isolog.networks.network import Layer, MaxKSum, Network
from isolog.networks.scales import LayerScale, scales

Row: TypeAlias = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class GridLayer:
    """One layer from the grid of the values below to the grid of its own values.

    `A[i]` and `B[c][i]` hold the entries that are not zero with their columns.
    """

    A: list[Row]
    B: list[list[Row]]
    b: list[int]
    k: int | float
    scale: LayerScale

    def value(self, argument: int) -> int:
        """σ."""
        piece = bisect_right(self.scale.breaks, argument)
        return self.scale.slopes[piece] * argument + self.scale.offsets[piece]

    @property
    def extent(self) -> int:
        """The largest of the layer's numbers, in steps of its grids."""
        weights = (weight for rows in (self.A, *self.B) for row in rows for _, weight in row)
        return max(self.scale.value, *self.scale.slopes, *map(abs, self.b), *weights)

    def arguments_up_to(self, bound: int, least: int) -> int:
        """How many of the arguments `least`, `least + 1`, … have a value of at most `bound`."""
        beyond = max(math.ceil(self.scale.breaks[-1]), (bound - self.scale.offsets[-1]) // self.scale.slopes[-1] + 1)
        return bisect_right(range(least, max(least, beyond)), bound, key=self.value)


def on_grids(network: Network) -> list[GridLayer]:
    """The layers of a network whose aggregations are all max-k-sums.

    >>> from fractions import Fraction
    >>> from isolog.facts.signature import Signature
    >>> layer = Layer.from_fractions([[Fraction(1, 2)]], [], [Fraction(-1, 3)])
    >>> [(layer.A, layer.b) for layer in on_grids(Network.canonical(Signature.of(["U"]), [layer, layer]))]
    [([[(0, 3)]], [-2]), ([[(0, 3)]], [-12])]
    """
    return [_on_grid(layer, scale) for layer, scale in zip(network.layers, scales(network))]


def _on_grid(layer: Layer, scale: LayerScale) -> GridLayer:
    assert isinstance(layer.aggregation, MaxKSum)
    own, *others = [
        [[(j, int(weight * scale.weights)) for j, weight in row] for row in layer.exact_rows(matrix)]
        for matrix in (layer.A, *layer.B)
    ]
    bias = [int(entry * scale.argument) for entry in layer.exact_bias()]
    return GridLayer(own, others, bias, layer.aggregation.k, scale)
