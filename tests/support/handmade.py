"""Networks for an encoding, written by hand: per unit the weights that are not zero, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from isolog.encodings.registry import find_encoding
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, Aggregation, EncodingName, Layer, Network

Weights = Mapping[str, Mapping[str, int]]
"""Per unit: `bias`, and the weight of a unit below at the vertex itself, or, as `colour unit`, at its neighbours."""


def handmade(
    encoding: str, signature: Signature, layers: Sequence[Weights], aggregation: Aggregation = MAX, **options: object
) -> Network:
    """The network with these layers; the units of the last one are features, and those not named derive nothing."""
    found = find_encoding(encoding, signature, options)
    below, made = list(found.features), list[Layer]()
    for number, weights in enumerate(layers, 1):
        units = list(found.features) if number == len(layers) else list(weights)
        matrices = {colour: np.zeros((len(units), len(below)), np.int64) for colour in ("", *found.colours)}
        bias = np.zeros(len(units), np.int64)
        for unit, entries in weights.items():
            for name, weight in entries.items():
                colour, _, source = name.rpartition(" ")
                if name == "bias":
                    bias[units.index(unit)] = weight
                else:
                    matrices[colour][units.index(unit), below.index(source)] = weight
        own, *others = matrices.values()
        made.append(Layer(own, tuple(others), bias, aggregation))
        below = units
    thresholds = (Fraction(1),) * len(found.features)
    stored = EncodingName(encoding, tuple(options.items()))
    return Network(signature, found.features, found.colours, tuple(made), thresholds, stored)


def copying(decode: str) -> Network:
    """A network over A/1 and r/2 that derives what it is given, under an encoding of programs with this decoder."""
    encode = "<A/1>(f(X)) :- A(X). e(f(X), f(Y)) :- r(X, Y)."
    sorts = "{colours: [e], features: [A/1], sorts: {f: {features: [A/1], neighbours: {e: {sort: f}}}}}"
    layers = [{"A/1": {"A/1": 1}}]
    return handmade("own", Signature.of(["A"], ["r"]), layers, encode=encode, decode=decode, sorts=sorts)
