"""From trained layers to an exact network: on the grid, without what cannot matter, with chosen thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolog.encodings.encoding import Encoding
from isolog.learning.layers import LAST_BEGINNING, Layers
from isolog.learning.metrics import Scores, best_threshold
from isolog.learning.training import Trained
from isolog.networks.network import EncodingName, Layer, MaxKSum, Network, Weights

FEWEST = 8
"""An output with so many held-out targets may have a threshold of its own."""
FINEST = 10
"""2^-10 counts as more than nothing where weights are not on a grid."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The thresholds, per output, and how often they put the evidence right (true and false counted alike)."""

    thresholds: tuple[Fraction, ...]
    accuracy: float


def network_of(trained: Trained, encoding: Encoding, options: Mapping[str, Any]) -> Network:
    """The network that derives what the trained layers score at least as high as the thresholds."""
    layers = [_layer(trained.layers, number) for number in range(len(trained.layers.matrices))]
    outputs = len(encoding.features)
    choice = choose_thresholds(trained, outputs)
    shift = max(0, math.ceil(1 - min(choice.thresholds)))
    last = layers[-1]
    bias = last.b + shift * (last.scale if not last.is_float else 1)
    network = Network(
        encoding.signature,
        encoding.features,
        encoding.colours,
        (*layers[:-1], replace(last, b=bias)),
        tuple(threshold + shift for threshold in choice.thresholds),
        EncodingName(encoding.name, tuple(sorted(options.items()))),
    )
    return without_dead_units(network)


def choose_thresholds(trained: Trained, outputs: int) -> Choice:
    """The best threshold of all for classes and for most outputs; one of its own where evidence clearly asks for it."""
    evidence = trained.evidence
    positives, negatives = evidence.parted(trained.scores)
    common = best_threshold(positives, negatives)
    chosen = [common.value] * outputs
    for output in range(0 if evidence.classes else outputs):
        own = positives[evidence.positives[:, 1] == output]
        others = negatives[evidence.negatives[:, 1] == output]
        if len(own) >= FEWEST and len(others) >= FEWEST:
            chosen[output] = _own(own, others, common.value)
    for output in _not_asked(trained.layers, outputs):
        chosen[output] = max(common.value, LAST_BEGINNING + 1)
    chosen = _of_the_start(trained.layers, chosen)
    hit = positives >= np.array(chosen, float)[evidence.positives[:, 1]] if len(positives) else np.zeros(1)
    spared = negatives < np.array(chosen, float)[evidence.negatives[:, 1]] if len(negatives) else np.ones(1)
    accuracy = float(hit.mean() + spared.mean()) / 2
    return Choice(tuple(Fraction(value) for value in chosen), accuracy)


def without_dead_units(network: Network) -> Network:
    """An equivalent network without hidden units that are always 0 or that nothing reads."""
    layers = list(network.layers)
    changed = True
    while changed:
        changed = False
        for number in range(len(layers) - 1):
            alive = _speaks(layers[number]) & _is_read(layers[number + 1])
            if not alive.all() and alive.any():
                layers[number], layers[number + 1] = _kept(layers[number], layers[number + 1], alive)
                changed = True
    return replace(network, layers=tuple(layers))


def _not_asked(layers: Layers, outputs: int) -> list[int]:
    """The outputs that are not trained: their biases are what they were, and they have no weights."""
    return [] if layers.asked is None else sorted(set(range(outputs)) - set(layers.asked.tolist()))


def _of_the_start(layers: Layers, chosen: Sequence[float]) -> Sequence[float | Fraction]:
    """Where training started from a network, what it derives has its threshold, and nothing else is always derived."""
    if layers.thresholds is None:
        return chosen
    biases = layers.rounded(layers.biases[-1]).tolist()
    step = 2.0 ** -(FINEST if layers.bits is None else layers.bits * len(layers.biases))
    return [
        layers.thresholds.get(output, max(threshold, bias + step))
        for output, (threshold, bias) in enumerate(zip(chosen, biases, strict=True))
    ]


def _own(own: Scores, others: Scores, common: float) -> float:
    """The threshold in the middle of where the output's own evidence parts, if that is better than the common one
    by more than twice the standard error, else that."""
    best = best_threshold(own, others)
    hit, spared = (own >= common).mean(), (others < common).mean()
    error = math.sqrt(_variance(hit, len(own)) + _variance(spared, len(others))) / 2
    if best.accuracy <= (hit + spared) / 2 + 2 * error:
        return common
    below = others[others < best.value]
    return best.value if not len(below) else (best.value + float(below.max())) / 2


def _variance(share: float, number: int) -> float:
    """Of a share that was seen in so many cases, taken a little towards one half."""
    share = (share * number + 1) / (number + 2)
    return share * (1 - share) / number


def _layer(layers: Layers, number: int) -> Layer:
    stack = layers.rounded(layers.matrices[number]).detach().cpu().numpy()
    bias = layers.rounded(layers.biases[number]).detach().cpu().numpy()
    aggregation = MaxKSum(layers.shape.aggregation[number])
    if layers.bits is None:
        own, *others = stack.astype(np.float64)
        return Layer(own, tuple(others), bias.astype(np.float64), aggregation)
    scale = 2**layers.bits
    own, *others = np.rint(stack.astype(np.float64) * scale).astype(np.int64)
    integral = np.rint(bias.astype(np.float64) * scale).astype(np.int64)
    return Layer(own, tuple(others), integral, aggregation, scale=scale)


def _speaks(layer: Layer) -> NDArray[np.bool_]:
    return (layer.b > 0) | np.any([matrix.any(axis=1) for matrix in (layer.A, *layer.B)], axis=0)


def _is_read(layer: Layer) -> NDArray[np.bool_]:
    return np.any([matrix.any(axis=0) for matrix in (layer.A, *layer.B)], axis=0)


def _kept(lower: Layer, upper: Layer, alive: NDArray[np.bool_]) -> tuple[Layer, Layer]:
    def rows(matrix: Weights) -> Weights:
        return matrix[alive]

    def columns(matrix: Weights) -> Weights:
        return matrix[:, alive]

    return (
        replace(lower, A=rows(lower.A), B=tuple(map(rows, lower.B)), b=rows(lower.b)),
        replace(upper, A=columns(upper.A), B=tuple(map(columns, upper.B))),
    )
