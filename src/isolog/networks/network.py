"""Networks (paper §2, eq. (2)): layers of weights, aggregation and activation, and thresholds at the end.

Nothing here requires monotonicity; `networks/classes.py` says whether a network is in the paper's class.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isolog.errors import Finding, InputError
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU, Activation

Weights: TypeAlias = NDArray[Any]


@dataclass(frozen=True, slots=True)
class MaxKSum:
    """Def. 5: the sum of the `k` largest values; 1 is max, `math.inf` is sum."""

    k: int | float

    def __str__(self) -> str:
        return {1: "max", math.inf: "sum"}.get(self.k, f"max-{self.k}-sum")


@dataclass(frozen=True, slots=True)
class Mean:
    """The arithmetic mean: outside the paper's class, but readable and applicable."""

    def __str__(self) -> str:
        return "mean"


Aggregation: TypeAlias = MaxKSum | Mean
MAX = MaxKSum(1)
SUM = MaxKSum(math.inf)


@dataclass(frozen=True, eq=False, slots=True)
class Layer:
    """One layer of eq. (2): `σ(A x + Σ_c B_c agg_c + b)`.

    The arrays hold either integers (int64, or Python integers as objects) that are divided by `scale`, or
    float64 numbers, which mean exactly the binary number they hold and come with scale 1.
    """

    A: Weights
    B: tuple[Weights, ...]
    b: Weights
    aggregation: Aggregation = MAX
    activation: Activation = RELU
    scale: int = 1

    def __post_init__(self) -> None:
        shapes = [array.shape for array in (self.A, *self.B)]
        if self.b.ndim != 1 or self.A.ndim != 2 or any(shape != (len(self.b), self.A.shape[1]) for shape in shapes):
            shown = ", ".join(map(str, [*shapes, self.b.shape]))
            hint = "A and each B have a row per unit and a column per input, b has a number per unit"
            raise InputError(Finding("E323", f"the arrays of a layer have shapes {shown}", hint=hint))
        if not all(np.isfinite(x).all() for x in (self.A, *self.B, self.b) if x.dtype.kind == "f"):
            raise InputError(Finding("E325", "a weight or bias is not finite", hint="networks are made of numbers"))

    @classmethod
    def from_fractions(
        cls,
        A: Sequence[Sequence[Fraction | int]],
        B: Iterable[Sequence[Sequence[Fraction | int]]],
        b: Sequence[Fraction | int],
        aggregation: Aggregation = MAX,
        activation: Activation = RELU,
    ) -> Layer:
        """The layer with these exact entries, over their least common denominator."""
        matrices = (A, *B)
        entries = [Fraction(x) for matrix in matrices for row in matrix for x in row] + [Fraction(x) for x in b]
        scale = math.lcm(*(x.denominator for x in entries))
        rows, columns = len(b), (len(A[0]) if len(A) else 0)
        own, *others = [_integers([x for row in m for x in row], scale).reshape(rows, columns) for m in matrices]
        return cls(own, tuple(others), _integers(b, scale), aggregation, activation, scale)

    @property
    def is_float(self) -> bool:
        """Whether the entries are binary floating point numbers."""
        return self.b.dtype.kind == "f"

    @property
    def inputs(self) -> int:
        """δ of the layer below."""
        return self.A.shape[1]

    @property
    def units(self) -> int:
        """δ of this layer."""
        return len(self.b)

    def exact(self, entry: Any) -> Fraction:
        """The number that an entry of one of the arrays stands for."""
        return Fraction(float(entry)) if self.is_float else Fraction(int(entry), self.scale)

    def exact_rows(self, matrix: Weights) -> list[list[tuple[int, Fraction]]]:
        """Per row of `A` or a `B`, the column numbers and exact values of the entries that are not zero."""
        return [[(int(j), self.exact(row[j])) for j in np.flatnonzero(row != 0)] for row in matrix]

    def exact_bias(self) -> list[Fraction]:
        """The biases as exact numbers."""
        return [self.exact(entry) for entry in self.b]


@dataclass(frozen=True, slots=True)
class EncodingName:
    """Which encoding a network was made for, with the options stored beside its name."""

    name: str = "canonical"
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a network comes from, as far as it is known."""

    seed: int | None = None
    dataset_sha256: str | None = None
    versions: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Network:
    """A (Col, δ)-GNN with the names of its features and colours.

    `signature` is the user's, `features` and `colours` are the canonical ones; with the canonical encoding
    they are the signature's unary and binary predicates. There is one threshold per output.
    """

    signature: Signature
    features: tuple[str, ...]
    colours: tuple[str, ...]
    layers: tuple[Layer, ...]
    thresholds: tuple[Fraction, ...]
    encoding: EncodingName = EncodingName()
    provenance: Provenance = field(default=Provenance())

    def __post_init__(self) -> None:
        outputs = len(self.features)
        if not self.layers or any(len(layer.B) != len(self.colours) for layer in self.layers):
            hint = "each has a matrix B for each colour, even if it is zero"
            raise InputError(Finding("E323", f"a network over {len(self.colours)} colours has other layers", hint=hint))
        if [outputs, *(layer.units for layer in self.layers)] != [*(layer.inputs for layer in self.layers), outputs]:
            shown = ", ".join(f"{layer.inputs} → {layer.units}" for layer in self.layers)
            hint = "each layer takes what the one before gives, and the first takes, and the last gives, the features"
            message = f"a network over {outputs} features cannot have the layers {shown}"
            raise InputError(Finding("E323", message, hint=hint))
        if len(self.thresholds) != outputs:
            message = f"{len(self.thresholds)} thresholds for {outputs} outputs"
            raise InputError(Finding("E311", message, hint="give one for each output"))

    @classmethod
    def canonical(
        cls, signature: Signature, layers: Iterable[Layer], threshold: Fraction | int | Sequence[Fraction] = 1
    ) -> Network:
        """The network over the canonical encoding of the signature; one number as threshold serves all outputs."""
        single = isinstance(threshold, (int, Fraction))
        thresholds = [threshold] * len(signature.unary) if single else threshold
        return cls(signature, signature.unary, signature.binary, tuple(layers), tuple(map(Fraction, thresholds)))

    @property
    def dimensions(self) -> tuple[int, ...]:
        """δ_0, …, δ_L."""
        return (self.layers[0].inputs, *(layer.units for layer in self.layers))

    def unit_name(self, layer: int, unit: int) -> str:
        """What messages call a unit, counted from 1: at layer 0 and at the last one, its feature."""
        at_end = layer in (0, len(self.layers))
        return f"`{self.features[unit - 1]}`" if at_end else f"unit {unit} of layer {layer}"


def tensor_names(layer: int, colours: Iterable[str]) -> list[str]:
    """What the arrays `A`, `B` and `b` of a layer, counted from 1, are called in files and messages.

    >>> tensor_names(1, ["r"])
    ['A1', 'B1.r', 'b1']
    """
    return [f"A{layer}", *(f"B{layer}.{colour}" for colour in colours), f"b{layer}"]


def _integers(entries: Iterable[Fraction | int], scale: int) -> Weights:
    numbers = [int(Fraction(x) * scale) for x in entries]
    fits = all(-(2**63) <= number < 2**63 for number in numbers)
    return np.array(numbers, np.int64 if fits else object)
