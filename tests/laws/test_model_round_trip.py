"""read(write(N)) = N: writing a network and reading it back changes nothing, whatever its numbers and names."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isolog.facts.signature import Signature
from isolog.networks.activation import Activation
from isolog.networks.model_folder import read_model, write_model
from isolog.networks.network import Layer, Mean, Network, Provenance, Weights
from support.models import meaning
from support.strategies import ACTIVATIONS, AGGREGATIONS, networks

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
names = st.lists(texts, min_size=1, max_size=3, unique=True)
provenances = st.builds(
    Provenance,
    st.none() | st.integers(),
    st.none() | texts,
    st.dictionaries(texts, texts, max_size=2).map(lambda versions: tuple(versions.items())),
    st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1), max_size=2).map(
        tuple
    ),
)
activations = st.builds(
    lambda xs, ys, slope: Activation(tuple(zip(sorted(xs), ys)), slope),
    st.lists(st.fractions(), min_size=3, max_size=3, unique=True),
    st.lists(st.fractions(), min_size=3, max_size=3),
    st.fractions(),
)


def floating(draw: st.DrawFn, layer: Layer) -> Layer:
    """The layer with any finite floats in place of its weights."""
    finite = st.floats(allow_nan=False, allow_infinity=False)

    def refilled(array: Weights) -> Weights:
        size = array.size
        return np.array(draw(st.lists(finite, min_size=size, max_size=size)), float).reshape(array.shape)

    own, others, bias = refilled(layer.A), tuple(map(refilled, layer.B)), refilled(layer.b)
    return replace(layer, A=own, B=others, b=bias, scale=1)


@st.composite
def any_networks(draw: st.DrawFn) -> Network:
    """Networks of any class, with any names, and with float layers among the others."""
    made = draw(networks(
        Signature.of(draw(names), draw(names)),
        aggregations=(*AGGREGATIONS, Mean()),
        activations=(*ACTIVATIONS, draw(activations)),
        monotonic=False,
    ))  # fmt: skip
    layers = tuple(floating(draw, layer) if draw(st.booleans()) else layer for layer in made.layers)
    thresholds = tuple(draw(st.lists(st.fractions(), min_size=len(made.features), max_size=len(made.features))))
    return replace(made, layers=layers, thresholds=thresholds, provenance=draw(provenances))


@given(any_networks())
def test_reading_what_was_written_gives_the_same_network(network: Network) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_model(network, Path(folder) / "model")
        again = read_model(Path(folder) / "model")
        write_model(again, Path(folder) / "again")
        files = [(Path(folder) / name / "weights.safetensors").read_bytes() for name in ("model", "again")]
    assert meaning(again) == meaning(network)
    assert files[0] == files[1]
