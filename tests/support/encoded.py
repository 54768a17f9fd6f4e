"""Encodings by the letter: P_enc, the network in exact arithmetic and P_dec, each run by what defines its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from isolog.encodings import canonical
from isolog.encodings.encoding import Encoded, Encoding
from isolog.encodings.registry import find_encoding
from isolog.engines import reference
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks import exact
from isolog.networks.network import EncodingName, Layer, Network
from support.strategies import AGGREGATIONS, datasets

SIGNATURES = [
    Signature.of(["A"], ["r", "s"]),
    Signature.of([], ["r"]),
    Signature.of(["A", "B"], []),
    Signature.of(["A", "B"], ["r"]),
    Signature.of(["A", "c1"], ["A", "linked"]),
]
OPTIONS = {"nominals": ("c1", "nobody"), "hubs": ("c0",)}


def encoding_of(name: str, signature: Signature) -> Encoding:
    """The encoding with the options of the tests."""
    return find_encoding(name, signature, options_of(name))


def reads(name: str, signature: Signature) -> bool:
    """Whether the encoding takes datasets over the signature, and has a feature for them."""
    if name.startswith("kgnn"):
        return len(signature.unary) > 0 and len(signature.binary) == 1
    return len(signature.unary) > 0 or not name.startswith("canonical")


def options_of(name: str) -> dict[str, object]:
    """Of the options of the tests those that the encoding reads."""
    return {key: value for key, value in OPTIONS.items() if (key == "hubs" and "paths" in name) or key in name}


def as_dataset(encoded: Encoded) -> Dataset:
    """The facts that the graph stands for, over function terms."""
    return Dataset.from_facts(_facts(encoded))


def _facts(encoded: Encoded) -> Iterator[Atom]:
    names = encoded.vertex_terms()
    for vertex, feature in np.argwhere(encoded.graph.features):
        yield Atom(encoded.encoding.features[feature], (names[vertex],))
    for colour, edges in zip(encoded.encoding.colours, encoded.graph.colours, strict=True):
        for source, name in enumerate(names):
            yield from (Atom(colour, (name, names[target])) for target in edges.neighbours(source))


def by_reference(network: Network, encoding: Encoding, dataset: Dataset) -> Dataset:
    """T_dec(T_N(T_enc(D))), by the reference engine and in exact arithmetic."""
    encoded = reference.run(encoding.encoder, dataset)
    labels = exact.apply(network, canonical.encode(encoded, encoding.canonical))
    return reference.run(encoding.decoder, canonical.decode(labels, encoded, encoding.canonical))


@st.composite
def encoded_networks(draw: st.DrawFn, name: str, signature: Signature | None = None, max_layers: int = 2) -> Network:
    """A sparse network with small integer weights for an encoding of a small signature."""
    chosen = signature or draw(st.sampled_from([each for each in SIGNATURES if reads(name, each)]))
    encoding = encoding_of(name, chosen)
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    outputs, aggregations = len(encoding.features), [draw(st.sampled_from(AGGREGATIONS)) for _ in range(max_layers)]
    sizes = [outputs, *(draw(st.integers(1, 3)) for _ in range(draw(st.integers(0, max_layers - 1)))), outputs]
    layers: list[Layer] = []
    for (below, units), aggregation in zip(pairwise(sizes), aggregations):
        own, *others = [_sparse(random, units, below) for _ in range(1 + len(encoding.colours))]
        layers.append(Layer(own, tuple(others), random.integers(-1, 2, units), aggregation))
    thresholds = tuple(Fraction(int(number)) for number in random.integers(1, 4, outputs))
    stored = EncodingName(name, tuple(options_of(name).items()))
    return Network(chosen, encoding.features, encoding.colours, tuple(layers), thresholds, stored)


def _sparse(random: np.random.Generator, units: int, below: int) -> NDArray[np.int64]:
    return random.integers(1, 3, (units, below)) * (random.random((units, below)) < 0.4)


__all__ = ["as_dataset", "by_reference", "datasets", "encoded_networks", "encoding_of", "options_of"]
