"""A network to start training from: its weights as those of layers to train, and where its thresholds are then.

The argument of the last activation is a log-odds for training, and a fact is derived from 0 on. A compiled network
derives from 1 on and says 0 elsewhere. So the last layer is scaled, and biases shifted, such that what the network
derives lies above 0 and all else below, about as far as a bias without evidence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isolog.errors import Finding, Findings, UnsupportedError
from isolog.learning.metrics import Scores
from isolog.learning.settings import NAMES, AggregationName
from isolog.networks.activation import RELU
from isolog.networks.classes import require_monotonic
from isolog.networks.fingerprint import network_sha256
from isolog.networks.network import Layer, MaxKSum, Network
from isolog.networks.summary import network_summary

DISTANCE = 3
"""How far below 0 an output is where nothing speaks for it."""
FINEST = 8
"""Weights on a finer grid than 2^-8 are not rounded."""

DECIDED = 1e6
"""A score beyond all others."""

Stack = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Start:
    """Per layer the matrices A, B_1, … on top of each other, and the biases.

    Per output for which the network has rules, from which argument on it is derived; nothing else is derived.
    """

    network: Network
    stacks: tuple[Stack, ...]
    biases: tuple[Stack, ...]
    thresholds: dict[int, Fraction]

    @property
    def units(self) -> tuple[int, ...]:
        """How many units each layer but the last one has."""
        return tuple(len(bias) for bias in self.biases[:-1])

    def judged(self, scores: Scores, outputs: NDArray[np.int64]) -> Scores:
        """The scores with those of outputs that have a threshold far above all others, or far below them."""
        thresholds = np.full(len(self.biases[-1]), np.nan)
        thresholds[list(self.thresholds)] = [float(value) for value in self.thresholds.values()]
        needed = thresholds[outputs]
        return np.where(np.isnan(needed), scores, np.where(scores >= needed, DECIDED, -DECIDED))


def start_of(network: Network) -> Start:
    """The start that a monotonic network with ReLU is; other activations are an UnsupportedError.

    >>> from isolog.facts.signature import Signature
    >>> layer = Layer.from_fractions([[1]], [], [0])
    >>> found = start_of(Network.canonical(Signature.of(["A"]), [layer]))
    >>> found.stacks[0].tolist(), found.biases[0].tolist(), found.thresholds
    ([[[6.0]]], [-3.0], {0: Fraction(0, 1)})
    """
    require_monotonic(network)
    _require_relu(network)
    stacks = [np.array([_floats(layer, matrix) for matrix in (layer.A, *layer.B)]) for layer in network.layers]
    biases = [_floats(layer, layer.b) for layer in network.layers]
    step = _step(network)
    thresholds: dict[int, Fraction] = {}
    for output, (bias, threshold) in enumerate(zip(network.layers[-1].exact_bias(), network.thresholds, strict=True)):
        row, silent = stacks[-1][:, output], -float(DISTANCE)
        least = threshold if step is None else math.ceil(threshold / step) * step
        if max(bias, Fraction(0)) >= threshold:
            row[:], biases[-1][output], thresholds[output] = 0, DISTANCE, Fraction(0)
        elif not row.any():
            biases[-1][output] = silent
        else:
            times = max(1, round(2 * DISTANCE / (least - bias)))
            row *= times
            biases[-1][output] = silent
            reached = times * (least - bias) - DISTANCE
            thresholds[output] = reached - (times * step / 2 if step is not None else 0)
    return Start(network, tuple(stacks), tuple(biases), thresholds)


def origin(network: Network) -> tuple[str, ...]:
    """Notes for a network that is trained from this one."""
    began = f"trained from a network with sha256 {network_sha256(network)}"
    if grid_bits(network) is not None:
        return (began,)
    return (began, f"whose weights are not all multiples of 2^-{FINEST}: they began as the nearest floats")


def grid_bits(network: Network) -> int | None:
    """The least p for which all entries of the network are multiples of 2^-p; None if there is none or it is large."""
    denominators = [layer.grid.denominator for layer in network_summary(network).layers]
    bits = max(denominator.bit_length() - 1 for denominator in denominators)
    return bits if bits <= FINEST and all(each & (each - 1) == 0 for each in denominators) else None


def fine_enough(network: Network, bits: Sequence[int]) -> Sequence[int | None]:
    """These numbers of binary places, or as many as the weights of the network need; None: they are not rounded."""
    least = grid_bits(network)
    return (None,) if least is None else tuple(dict.fromkeys(max(least, each) for each in bits))


def agreed_aggregation(network: Network, asked: Mapping[str, str]) -> tuple[AggregationName, ...]:
    """The k of each layer; an InputError if another encoding, depth or aggregation is asked for than it has."""
    require_monotonic(network)
    found = tuple(layer.aggregation.k for layer in network.layers if isinstance(layer.aggregation, MaxKSum))
    names = [{number: name for name, number in NAMES.items()}.get(k, str(k)) for k in found]
    has = {"encoding": network.encoding.name, "layers": str(len(found)), "aggregation": ",".join(names)}
    also = {"encoding": {"auto"}, "aggregation": set(names) if len(set(names)) == 1 else set[str]()}
    findings = Findings()
    for name in [each for each in has if each in asked]:
        if asked[name] not in {has[name], *also.get(name, ())}:
            message = f"`{name}` is to be `{asked[name]}`, and the network to start from has `{has[name]}`"
            findings.add("E647", message, hint=f"leave `{name}` out: what a network has stays as it is")
    findings.raise_any()
    return found


def _require_relu(network: Network) -> None:
    findings = [
        Finding("E648", f"layer {number} has another activation than ReLU, which training does not have")
        for number, layer in enumerate(network.layers, 1)
        if layer.activation != RELU
    ]
    if findings:
        hint = "`compile --activation relu` makes a network with ReLU of a program that has one"
        raise UnsupportedError([*findings[:-1], Finding("E648", findings[-1].message, hint=hint)])


def _floats(layer: Layer, entries: Stack) -> Stack:
    """The nearest float of each entry."""
    return np.array([float(layer.exact(entry)) for entry in entries.flat]).reshape(entries.shape)


def _step(network: Network) -> Fraction | None:
    """A number of which all arguments of the last activation are multiples; None where floats would not hold them."""
    if grid_bits(network) is None:
        return None
    return math.prod((layer.grid for layer in network_summary(network).layers), start=Fraction(1))
