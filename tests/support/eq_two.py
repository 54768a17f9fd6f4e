"""Eq. (2) and Def. 2 read off the facts, one constant and one number at a time: no graph, no array, no sharing."""

from __future__ import annotations

import math
from collections.abc import Set
from fractions import Fraction
from itertools import pairwise
from typing import Any

from isolog.facts.terms import Atom, Term
from isolog.networks.activation import Activation
from isolog.networks.network import Aggregation, Layer, Mean, Network


def derived(network: Network, facts: Set[Atom]) -> set[Atom]:
    """The facts that the network derives from the facts."""
    terms = {term for fact in facts for term in fact.arguments}
    last = len(network.layers)
    return {
        Atom(name, (term,))
        for term in terms
        for output, name in enumerate(network.signature.unary)
        if value(network, facts, last, term, output) >= network.thresholds[output]
    }


def value(network: Network, facts: Set[Atom], level: int, term: Term, unit: int) -> Fraction:
    """The number at a unit (counted from 0) of the vertex for the term, `level` layers up."""
    if level == 0:
        return Fraction(Atom(network.signature.unary[unit], (term,)) in facts)
    layer = network.layers[level - 1]
    z = entry(layer, layer.b[unit])
    for j in range(layer.inputs):
        z += entry(layer, layer.A[unit, j]) * value(network, facts, level - 1, term, j)
        for name, matrix in zip(network.signature.binary, layer.B, strict=True):
            linked = {fact.arguments[1] for fact in facts if fact.name == name and fact.arguments[:1] == (term,)}
            values = [value(network, facts, level - 1, other, j) for other in linked if matrix[unit, j] != 0]
            z += entry(layer, matrix[unit, j]) * aggregated(layer.aggregation, values)
    return activated(layer.activation, z)


def entry(layer: Layer, number: Any) -> Fraction:
    """The number that an entry of an array of the layer means."""
    return Fraction(float(number) if layer.b.dtype.kind == "f" else int(number)) / layer.scale


def aggregated(aggregation: Aggregation, values: list[Fraction]) -> Fraction:
    """Def. 5, taking the largest out one by one; nothing gives 0."""
    total, left = Fraction(0), list(values)
    k = math.inf if isinstance(aggregation, Mean) else aggregation.k
    while left and k > 0:
        total += left.pop(left.index(max(left)))
        k -= 1
    return total / len(values) if isinstance(aggregation, Mean) and values else total


def activated(activation: Activation, z: Fraction) -> Fraction:
    """Constant before the first point, straight between points, straight after the last."""
    points = activation.points
    if z <= points[0][0]:
        return points[0][1]
    for (x, y), (next_x, next_y) in pairwise(points):
        if x <= z <= next_x:
            share = (z - x) / (next_x - x)
            return (1 - share) * y + share * next_y
    return points[-1][1] + activation.slope * (z - points[-1][0])
