"""Def. 7 for one unit, by trying all vectors and all multisets of vectors that stay below a bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import TypeAlias

from isolog.networks.activation import Activation
from isolog.networks.exact import aggregate
from isolog.networks.network import Layer, MaxKSum

Vector: TypeAlias = tuple[Fraction, ...]
Below: TypeAlias = Callable[[int, Fraction], list[Fraction]]


class TooMany(Exception):
    """There are more vectors or multisets than allowed."""


def values_up_to(layer: Layer, unit: int, below: Below, bound: Fraction, most: int) -> set[Fraction]:
    """The values up to the bound; `below(j, x)` lists those of unit j of the layer below up to x, or just the least.

    A finite k is tried with up to k + 1 vectors of a colour; vectors that add nothing are left out.
    """
    bias = layer.exact_bias()[unit]
    room = largest_argument(layer.activation, bound) - bias
    own, *others = [dict(layer.exact_rows(matrix)[unit]) for matrix in (layer.A, *layer.B)]
    sums = {weighted(own, x) for x in vectors(own, layer.inputs, below, room, most)}
    for row in others:
        y = [y for y in vectors(row, layer.inputs, below, room, most) if weighted(row, y)]
        assert isinstance(layer.aggregation, MaxKSum)
        aggregated = set[Fraction]()
        for number, multiset in enumerate(multisets(y, layer.aggregation, row, room)):
            if number > most:
                raise TooMany
            aggregated.add(total(multiset, layer.aggregation, row))
        sums = {s + t for s, t in product(sums, aggregated)}
    return {layer.activation(bias + s) for s in sums if s <= room}


def largest_argument(activation: Activation, value: Fraction) -> Fraction:
    """The largest z with σ(z) ≤ value, which is at least the infimum."""
    for (x, y), (next_x, next_y) in pairwise(activation.points):
        if y <= value < next_y:
            return x + (value - y) * (next_x - x) / (next_y - y)
    x, y = activation.points[-1]
    return x + (value - y) / activation.slope


def vectors(row: dict[int, Fraction], columns: int, below: Below, room: Fraction, most: int) -> Iterator[Vector]:
    """The vectors that add at most `room`; a column without weight has its least value."""
    choices = [below(j + 1, room / row[j]) if j in row else below(j + 1, Fraction(-1)) for j in range(columns)]
    if math.prod(map(len, choices)) > most:
        raise TooMany
    return (y for y in product(*choices) if weighted(row, y) <= room)


def multisets(
    y: list[Vector], aggregation: MaxKSum, row: dict[int, Fraction], room: Fraction, chosen: tuple[Vector, ...] = ()
) -> Iterator[tuple[Vector, ...]]:
    """The multisets whose aggregate adds at most `room`."""
    if total(chosen, aggregation, row) > room:
        return
    yield chosen
    if len(chosen) <= aggregation.k:
        for index, vector in enumerate(y):
            yield from multisets(y[index:], aggregation, row, room, (*chosen, vector))


def total(multiset: tuple[Vector, ...], aggregation: MaxKSum, row: dict[int, Fraction]) -> Fraction:
    return sum((weight * aggregate(aggregation, [y[j] for y in multiset]) for j, weight in row.items()), Fraction(0))


def weighted(row: dict[int, Fraction], x: Vector) -> Fraction:
    return sum((weight * x[j] for j, weight in row.items()), Fraction(0))
