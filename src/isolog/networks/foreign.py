"""Conversion of other people's networks, with the same meaning as eq. (2) gives to ours.

Where the source derives a fact iff sigmoid(z) > t, the network derives it iff z ≥ θ, where θ is the double nearest
to ln(t / (1 − t)): the last layer becomes ReLU with bias b − θ + 1 and threshold 1. The two differ only for a `z`
between θ and that logarithm, and, for t = 1/2, at z = 0, where the source's inequality is strict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from pathlib import Path

import numpy as np

from isolog.encodings.registry import canonical_signature
from isolog.errors import Finding, Findings, InputError
from isolog.facts.signature import Signature
from isolog.facts.streams import open_source
from isolog.networks.activation import RELU
from isolog.networks.exact_array import ExactArray, unite
from isolog.networks.foreign_json import ForeignDescription, parse_foreign
from isolog.networks.json_node import read_json
from isolog.networks.network import EncodingName, Layer, Network, Provenance, Weights
from isolog.networks.tensors import check_names, check_shapes, read_tensors
from isolog.source import Span

_HALF = Fraction(1, 2)
_CANONICAL = EncodingName()
_SUFFIXES = (".safetensors", ".safetensors.xz", ".safetensors.gz")


def read_foreign(
    description: str | Path,
    tensors: str | Path | None = None,
    probability: Fraction | None = None,
    encoding: EncodingName = _CANONICAL,
) -> Network:
    """The network in a JSON description and a safetensors file, by default the file of the same name beside it.

    Parameters are those of `foreign_to_network`.
    """
    findings = Findings()
    path = Path(description)
    parsed = parse_foreign(read_json(path, findings))
    file = _beside(path) if tensors is None else Path(tensors)
    with open_source(str(file)) as source:
        arrays = read_tensors(source.read(), str(file), findings) or {}
    findings.raise_any()
    used = {name: array for name, array in arrays.items() if not re.fullmatch(r"b\d+_raw", name)}
    known = _tensor_names(parsed)
    check_names(used, known, [name for layer in known for name in layer], str(file), findings)
    check_shapes(used, known, parsed.dimensions, str(file), findings)
    findings.raise_any()
    return foreign_to_network(parsed, used, probability, encoding)


def foreign_to_network(
    description: ForeignDescription,
    tensors: Mapping[str, Weights],
    probability: Fraction | None = None,
    encoding: EncodingName = _CANONICAL,
) -> Network:
    """The network that derives the facts to which the source gives more than `probability`.

    None stands for the threshold of the description, or 1/2 where it has none. With the canonical encoding, the
    network speaks about the features and colours of the source; with another, about its predicates.
    """
    if probability is None:
        probability = _HALF if description.threshold is None else description.threshold
    threshold = logit(probability)
    features, colours = _names(description)
    signature, canonical = _signatures(description, features, colours, encoding)
    order = [features.index(name) for name in canonical.unary]
    layers: list[Layer] = []
    for names, aggregation in zip(_tensor_names(description), description.aggregations, strict=True):
        columns = order if not layers else slice(None)
        is_last = len(layers) == len(description.aggregations) - 1
        rows = order if is_last else slice(None)
        bias = ExactArray(tensors[names[-1]][rows])
        own, *others = [ExactArray(tensors[name][rows][:, columns]) for name in names[:-1]]
        by_colour = dict(zip(colours, others, strict=True))
        nothing = ExactArray(np.zeros_like(own.entries))
        matrices = [own, *(by_colour.get(colour, nothing) for colour in canonical.binary)]
        (A, *B, b), scale = unite([*matrices, _shifted(bias, threshold) if is_last else bias])
        layers.append(Layer(A, tuple(B), b, aggregation, RELU, scale))
    provenance = Provenance(notes=_notes(description, probability, threshold))
    thresholds = (Fraction(1),) * len(features)
    return Network(signature, canonical.unary, canonical.binary, tuple(layers), thresholds, encoding, provenance)


def logit(probability: Fraction) -> float:
    """The double nearest to ln(t / (1 − t)) for a probability t.

    >>> logit(Fraction(1, 10))
    -2.1972245773362196
    """
    if not 0 < probability < 1:
        hint = "give a number between 0 and 1, such as 0.1"
        raise InputError(Finding("E342", f"{probability} is not a probability to compare a sigmoid with", hint=hint))
    odds = probability / (1 - probability)
    low, high, digits = -1.0, 1.0, 30
    while low != high:
        digits *= 2  # ln rounds to nearest in every context, hence next_minus and next_plus
        down, up = Context(digits, ROUND_FLOOR), Context(digits, ROUND_CEILING)
        low = float(down.next_minus(down.ln(down.divide(odds.numerator, odds.denominator))))
        high = float(up.next_plus(up.ln(up.divide(odds.numerator, odds.denominator))))
    return high


def _shifted(bias: ExactArray, threshold: float) -> ExactArray:
    """b − θ + 1, exactly."""
    entries = [Fraction(entry) for entry in bias.entries.tolist()]
    return ExactArray.from_fractions([entry - Fraction(threshold) + 1 for entry in entries])


def _tensor_names(description: ForeignDescription) -> list[list[str]]:
    colours = range(1, len(description.colours) + 1)
    layers = range(1, len(description.aggregations) + 1)
    return [[f"A{layer}", *(f"B{layer}_c{colour}" for colour in colours), f"b{layer}"] for layer in layers]


def _names(description: ForeignDescription) -> tuple[list[str], list[str]]:
    """What the features and the colours of the source are called here.

    With the source's `canonical` encoding they are predicates; a network that reads edges backwards has the
    colour `inv:r`, with an edge from v to u wherever r(u, v) holds. The colours of `iclr22` are symmetric.
    """
    if description.encoding == "canonical":
        prefix = "inv:" if description.is_incoming else ""
        return [p.name for p in description.features], [prefix + colour for colour in description.colours]
    return [str(p) for p in description.features], [f"c{i + 1}" for i, _ in enumerate(description.colours)]


def _signatures(
    description: ForeignDescription, features: list[str], colours: list[str], encoding: EncodingName
) -> tuple[Signature, Signature]:
    """The signature of the network over the encoding, and its canonical signature, which must suit the source."""
    if encoding == _CANONICAL:
        signature = Signature.of(features, colours)
    else:
        signature = Signature(tuple(sorted(description.features, key=lambda predicate: predicate.arity)))
    canonical = canonical_signature(signature, encoding.name, dict(encoding.options))
    findings = Findings()
    for kind, found, wanted in (("feature", features, canonical.unary), ("colour", colours, canonical.binary)):
        for name in sorted({name for name in found if found.count(name) > 1}):
            findings.add("E306", f"the {kind} `{name}` is there twice", Span(description.name))
        lacking = [name for name in found if name not in wanted]
        if lacking or (kind == "feature" and len(found) != len(wanted)):
            message = f"the {kind}s of `{description.name}` are not those of the encoding `{encoding.name}`"
            findings.add("E343", message, Span(description.name))
    findings.raise_any()
    return signature, canonical


def _notes(description: ForeignDescription, probability: Fraction, threshold: float) -> tuple[str, ...]:
    origin = f"converted from `{description.name}` {description.origin}".rstrip()
    classification = (
        f"the source derives a fact iff sigmoid(z) > {probability}, z its last pre-activation; this network iff z ≥ θ, "
        f"θ = {threshold!r}, by the bias b − θ + 1, ReLU and the threshold 1"
    )
    if description.encoding == "iclr22":
        edges = "the vertices and the symmetric colours are those of `iclr22`; features are named predicate/arity"
    elif description.is_incoming:
        edges = "the source reads edges backwards: the colour `inv:r` leads from v to u wherever r(u, v) holds"
    else:
        edges = "the source reads edges forwards, as here"
    return origin, classification, edges


def _beside(description: Path) -> Path:
    candidates = [description.with_suffix(suffix) for suffix in _SUFFIXES]
    found = [path for path in candidates if path.is_file()]
    if not found:
        hint = "the tensors are expected in " + " or ".join(f"`{path.name}`" for path in candidates)
        raise InputError(Finding("E300", "no tensor file is beside the description", Span(str(description)), hint))
    return found[0]
