"""Alg. 1 and Alg. 2 line by line, but corrected: the oracle for everything faster."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from typing import TypeAlias

from isolog.correspondence.values import END, START, End, Start
from isolog.networks.exact import aggregate
from isolog.networks.network import MaxKSum, Network

Vector: TypeAlias = tuple[Fraction, ...]
Family: TypeAlias = tuple[tuple[Vector, ...], ...]
Triple: TypeAlias = tuple[Fraction, Vector, Family]


class TooSlow(Exception):
    """Alg. 2 by the letter took more triples than it was allowed to."""


class ByTheLetter:
    """The algorithms for one network; a multiset is a sorted tuple, colours and columns count from 0."""

    def __init__(self, network: Network, triples: int = 5_000) -> None:
        self.network = network
        self.triples = triples
        self.rows = [[layer.exact_rows(matrix) for matrix in (layer.A, *layer.B)] for layer in network.layers]
        self.biases = [layer.exact_bias() for layer in network.layers]
        self.answers: dict[tuple[int, int, Start | Fraction], Fraction | End] = {}

    def next(self, layer: int, i: int, alpha: Start | Fraction) -> Fraction | End:
        """Next(l, i, α); equal questions are answered once."""
        if (layer, i, alpha) not in self.answers:
            self.answers[layer, i, alpha] = self._inputs(alpha) if layer == 0 else self._next(layer, i, alpha)
        return self.answers[layer, i, alpha]

    def _inputs(self, alpha: Start | Fraction) -> Fraction | End:
        if alpha is START or alpha < 0:
            return Fraction(0)
        return Fraction(1) if alpha < 1 else END

    def _next(self, layer: int, i: int, alpha: Start | Fraction) -> Fraction | End:
        sigma = self.network.layers[layer - 1].activation
        empty: Family = tuple(() for _ in self.network.colours)
        start = self.start(layer)
        z = self.val(layer, i, start, empty)
        if alpha is START:
            return sigma(z)
        frontier: list[Triple] = [(z, start, empty)]
        added = set(frontier)
        while frontier:
            z, x, Y = heapq.heappop(frontier)
            self.triples -= 1
            if self.triples < 0:
                raise TooSlow
            if sigma(z) > alpha:
                return sigma(z)
            for x_, Y_ in self.successors(layer, x, Y):
                triple = self.val(layer, i, x_, Y_), x_, Y_
                if triple[0] > z and triple not in added:
                    heapq.heappush(frontier, triple)
                    added.add(triple)
        return END

    def successors(self, layer: int, x: Vector, Y: Family) -> Iterator[tuple[Vector, Family]]:
        """Lines 9-23 without the tests on z."""
        for x_ in self.expand(layer, x):
            yield x_, Y
        for c, multiset in enumerate(Y):
            for y in set(multiset):
                for y_ in self.expand(layer, y):
                    yield x, _replace(Y, c, [*_without(multiset, y), y_])
            for y_ in self.additions(layer):
                yield x, _replace(Y, c, [*multiset, y_])

    def additions(self, layer: int) -> set[Vector]:
        """The vectors that a new neighbour starts with: s[j ← first positive element of S_j], wherever there is one."""
        start, found = self.start(layer), set[Vector]()
        for j in range(len(start)):
            positive = self.first_positive(layer - 1, j + 1)
            if positive is not END:
                found.add((*start[:j], positive, *start[j + 1 :]))
        return found

    def capacities(self) -> list[int]:
        """Alg. 1: C_1, …, C_L."""
        found = [0] * len(self.network.layers)
        alpha = max(self.network.thresholds)
        for layer in range(len(found), 0, -1):
            this, bias = self.network.layers[layer - 1], min(self.biases[layer - 1])
            weights = [weight for rows in self.rows[layer - 1] for row in rows for _, weight in row]
            values = [x for i in range(this.inputs) if (x := self.first_positive(layer - 1, i + 1)) is not END]
            if not weights or not values:
                break
            beta = next(n for n in count(1) if this.activation(Fraction(n)) >= alpha)
            assert isinstance(this.aggregation, MaxKSum)
            found[layer - 1] = int(min(this.aggregation.k, self.enough(beta - bias, min(weights) * min(values))))
            alpha = (beta - bias) / min(weights)
        return found

    def enough(self, distance: Fraction, step: Fraction) -> int:
        """Line 8: how many neighbours suffice when each brings one step."""
        return max(0, math.ceil(distance / step))

    def first_positive(self, layer: int, i: int) -> Fraction | End:
        """The first positive element of S_{l,i}, if there is one."""
        first = self.next(layer, i, START)
        return self.next(layer, i, first) if first == 0 else first

    def start(self, layer: int) -> Vector:
        """Start(l)."""
        firsts = [self.next(layer - 1, j + 1, START) for j in range(self.network.dimensions[layer - 1])]
        return tuple(value for value in firsts if value is not END)

    def expand(self, layer: int, v: Vector) -> set[Vector]:
        """Expand(l, v)."""
        successors = [(j, self.next(layer - 1, j + 1, value)) for j, value in enumerate(v)]
        return {(*v[:j], value, *v[j + 1 :]) for j, value in successors if value is not END}

    def val(self, layer: int, i: int, x: Vector, Y: Family) -> Fraction:
        """Val(l, i, x, Y) of Def. 7."""
        own, *others = [rows[i - 1] for rows in self.rows[layer - 1]]
        z = self.biases[layer - 1][i - 1] + sum(weight * x[j] for j, weight in own)
        for row, multiset in zip(others, Y, strict=True):
            for j, weight in row:
                z += weight * aggregate(self.network.layers[layer - 1].aggregation, [y[j] for y in multiset])
        return z


def _replace(Y: Family, c: int, multiset: list[Vector]) -> Family:
    return (*Y[:c], tuple(sorted(multiset)), *Y[c + 1 :])


def _without(multiset: tuple[Vector, ...], y: Vector) -> list[Vector]:
    remaining = list(multiset)
    remaining.remove(y)
    return remaining
