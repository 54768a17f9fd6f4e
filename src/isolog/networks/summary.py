"""Sizes and sparsity of a network: what `inspect` shows beside the class report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isolog.networks.exact_array import ExactArray
from isolog.networks.network import Layer, Network, Weights, tensor_names


@dataclass(frozen=True, slots=True)
class TensorSummary:
    """One matrix or bias: its shape, how many entries are not zero, the least and the greatest (None without any)."""

    name: str
    shape: tuple[int, ...]
    nonzero: int
    least: Fraction | None
    greatest: Fraction | None

    @property
    def size(self) -> int:
        """How many entries there are, zeros included."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class LayerSummary:
    """One layer; all its weights and biases are multiples of `grid`, and of no larger number 1/n."""

    aggregation: str
    activation: str
    grid: Fraction
    tensors: tuple[TensorSummary, ...]


@dataclass(frozen=True, slots=True)
class NetworkSummary:
    """δ_0, …, δ_L, the number of colours, the encoding, the layers, and what is known of the network's origin."""

    dimensions: tuple[int, ...]
    colours: int
    encoding: str
    layers: tuple[LayerSummary, ...]
    notes: tuple[str, ...]

    @property
    def weights(self) -> int:
        """How many entries the matrices and biases have, zeros included."""
        return sum(tensor.size for layer in self.layers for tensor in layer.tensors)

    @property
    def nonzero(self) -> int:
        """How many of them are not zero."""
        return sum(tensor.nonzero for layer in self.layers for tensor in layer.tensors)


def network_summary(network: Network) -> NetworkSummary:
    """Sizes and sparsity, exactly.

    >>> from isolog.facts.signature import Signature
    >>> layer = Layer.from_fractions([[Fraction(3, 2)]], [[[0]]], [-1])
    >>> summary = network_summary(Network.canonical(Signature.of(["A"], ["r"]), [layer]))
    >>> summary.dimensions, summary.nonzero, summary.weights, str(summary.layers[0].grid)
    ((1, 1), 2, 3, '1/2')
    """
    return NetworkSummary(
        network.dimensions,
        len(network.colours),
        network.encoding.name,
        tuple(_layer(layer, tensor_names(number, network.colours)) for number, layer in enumerate(network.layers, 1)),
        network.provenance.notes,
    )


def _layer(layer: Layer, names: list[str]) -> LayerSummary:
    arrays = (layer.A, *layer.B, layer.b)
    denominator = math.lcm(*(ExactArray(array, layer.scale).denominator for array in arrays))
    tensors = tuple(_tensor(layer, name, array) for name, array in zip(names, arrays, strict=True))
    return LayerSummary(str(layer.aggregation), str(layer.activation), Fraction(1, denominator), tensors)


def _tensor(layer: Layer, name: str, array: Weights) -> TensorSummary:
    ends = (layer.exact(array.min()), layer.exact(array.max())) if array.size else (None, None)
    return TensorSummary(name, array.shape, int(np.count_nonzero(array)), *ends)
