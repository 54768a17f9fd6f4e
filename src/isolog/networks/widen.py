"""A network over a larger signature: what it derives stays the same, and it knows more predicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from isolog.encodings.registry import find_encoding
from isolog.facts.signature import Signature
from isolog.networks.network import Layer, Network, Weights


def widened(network: Network, signature: Signature) -> Network:
    """The network over its own predicates and, behind them, those of the signature that it lacks.

    Nothing is read from the new features and colours, and nothing new is derived.

    >>> from isolog.networks.network import Layer
    >>> layer = Layer.from_fractions([[1]], [], [0])
    >>> wide = widened(Network.canonical(Signature.of(["A"]), [layer]), Signature.of(["B"], ["r"]))
    >>> wide.features, wide.colours, wide.layers[0].A.tolist()
    (('A', 'B'), ('r',), [[1, 0], [0, 0]])
    """
    whole = Signature(tuple(dict.fromkeys((*network.signature.predicates, *signature.predicates))))
    if whole == network.signature:
        return network
    encoding = find_encoding(network.encoding.name, whole, dict(network.encoding.options))
    features = [encoding.features.index(name) for name in network.features]
    colours = [encoding.colours.index(name) for name in network.colours]
    layers = list(network.layers)
    layers[0] = _more(layers[0], list(range(layers[0].units)), features, layers[0].units, len(encoding.features))
    layers[-1] = _more(layers[-1], features, list(range(layers[-1].inputs)), len(encoding.features), layers[-1].inputs)
    thresholds = [Fraction(1)] * len(encoding.features)
    for old, new in enumerate(features):
        thresholds[new] = network.thresholds[old]
    return replace(
        network,
        signature=whole,
        features=encoding.features,
        colours=encoding.colours,
        layers=tuple(_coloured(layer, colours, len(encoding.colours)) for layer in layers),
        thresholds=tuple(thresholds),
    )


def _more(layer: Layer, rows: Sequence[int], columns: Sequence[int], units: int, inputs: int) -> Layer:
    """The layer with its units and inputs at these places among more, which are zero."""

    def spread(matrix: Weights) -> Weights:
        wide = np.zeros((units, inputs), matrix.dtype)
        wide[np.ix_(rows, columns)] = matrix
        return wide

    bias = np.zeros(units, layer.b.dtype)
    bias[list(rows)] = layer.b
    return replace(layer, A=spread(layer.A), B=tuple(map(spread, layer.B)), b=bias)


def _coloured(layer: Layer, places: Sequence[int], colours: int) -> Layer:
    """The layer with its colours at these places among more, along which nothing is seen."""
    matrices = [np.zeros_like(layer.A) for _ in range(colours)]
    for place, matrix in zip(places, layer.B, strict=True):
        matrices[place] = matrix
    return replace(layer, B=tuple(matrices))
