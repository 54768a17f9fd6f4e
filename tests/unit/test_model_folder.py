"""What a model folder may say, and what it means."""

from __future__ import annotations

import json
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isolog.facts.signature import Signature
from isolog.networks.activation import RELU, piecewise_linear
from isolog.networks.model_folder import read_model, write_model
from isolog.networks.network import MAX, SUM, EncodingName, MaxKSum, Mean, Provenance
from support.models import ABSENT, DESCRIPTION, TENSORS, meaning, write_small_model

HALF = Fraction(1, 2)
RELU_LAYER = {"aggregation": "max", "activation": "relu"}
OTHER_LAYER = DESCRIPTION["layers"][1]


def test_a_folder_in_the_documented_format_is_read_exactly(tmp_path: Path) -> None:
    network = read_model(write_small_model(tmp_path))
    assert network.signature == Signature.of(["A", "B"], ["r", "s"])
    assert (network.features, network.colours, network.dimensions) == (("A", "B"), ("r", "s"), (2, 3, 2))
    assert network.thresholds == (1, 1)
    first, second = network.layers
    assert first.exact_rows(first.A)[2] == [(0, Fraction(1, 4)), (1, Fraction(1, 4))]
    assert first.exact_rows(first.B[0]) == [[(1, 1)], [], [(0, Fraction(3, 4))]]
    assert first.exact_rows(first.B[1]) == [[], [], []]
    assert first.B[1].shape == (3, 2) and first.A.dtype == first.B[1].dtype == np.int64
    assert second.exact_bias() == [0, -HALF]
    assert (first.aggregation, second.aggregation, first.activation) == (MAX, MaxKSum(3), RELU)
    assert second.activation == piecewise_linear([(0, 0), (1, 1)], HALF)
    assert network.encoding == EncodingName() and network.provenance == Provenance()


@pytest.mark.parametrize(
    ("written", "number"),
    [("0.1", Fraction(1, 10)), ('"1/3"', Fraction(1, 3)), ('"0.1"', Fraction(1, 10)), ("-25e-2", Fraction(-1, 4))],
)
def test_numbers_are_decimals_not_floats(tmp_path: Path, written: str, number: Fraction) -> None:
    folder = write_small_model(tmp_path, threshold="@")
    text = (folder / "model.json").read_text().replace('"@"', written)
    (folder / "model.json").write_text(text)
    assert read_model(folder).thresholds == (number, number)


def test_one_threshold_per_output_and_one_scale_per_layer(tmp_path: Path) -> None:
    network = read_model(write_small_model(tmp_path, threshold=[2, "1/7"], scale=[3, 5]))
    assert network.thresholds == (2, Fraction(1, 7))
    assert [layer.exact_bias()[1] for layer in network.layers] == [Fraction(-1, 3), Fraction(-2, 5)]


@pytest.mark.parametrize(
    ("said", "meant"),
    [("max", MAX), ("sum", SUM), ("mean", Mean()), ({"max-k-sum": 0}, MaxKSum(0)), ({"max-k-sum": 1}, MAX)],
)
def test_aggregations(tmp_path: Path, said: Any, meant: object) -> None:
    layers = [{"aggregation": said, "activation": "relu"}, OTHER_LAYER]
    assert read_model(write_small_model(tmp_path, layers=layers)).layers[0].aggregation == meant


def test_networks_outside_the_class_are_readable(tmp_path: Path) -> None:
    falling = {"aggregation": "mean", "activation": {"points": [[0, 1], [1, -2]], "slope": -1}}
    negative = {"A1": -TENSORS["A1"]}
    network = read_model(write_small_model(tmp_path, negative, layers=[falling, OTHER_LAYER]))
    assert network.layers[0].activation.slope == -1 and network.layers[0].exact_rows(network.layers[0].A)[0] == [
        (0, -1)
    ]


def test_provenance(tmp_path: Path) -> None:
    folder = write_small_model(tmp_path, seed=-3, dataset_sha256="ab", versions={"isolog": "0.1", "torch": "2"})
    assert read_model(folder).provenance == Provenance(-3, "ab", (("isolog", "0.1"), ("torch", "2")))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers_of_every_width(tmp_path: Path, dtype: str) -> None:
    network = read_model(write_small_model(tmp_path, {"A1": TENSORS["A1"].astype(dtype)}))
    assert meaning(network) == meaning(read_model(write_small_model(tmp_path)))


def test_unsigned_integers_beyond_int64_are_exact(tmp_path: Path) -> None:
    large = np.array([[2**64 - 1, 0], [0, 0], [0, 0]], np.uint64)
    layer = read_model(write_small_model(tmp_path, {"A1": large})).layers[0]
    assert layer.exact_rows(layer.A)[0] == [(0, Fraction(2**64 - 1, 4))]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floats_mean_the_binary_number_and_are_not_divided(tmp_path: Path, dtype: str) -> None:
    tenth = np.array([0.1, 0, 0], dtype)
    floats = {name: TENSORS[name].astype(dtype) for name in ("A1", "B1.r")} | {"b1": tenth}
    layer = read_model(write_small_model(tmp_path, floats)).layers[0]
    assert layer.exact_bias()[0] == Fraction(float(tenth[0])) != Fraction(1, 10)
    assert layer.exact_rows(layer.A)[0] == [(0, 4)]
    assert layer.is_float and layer.A.dtype == layer.B[1].dtype == np.float64 and layer.scale == 1


def test_bfloat16(tmp_path: Path) -> None:
    header = json.dumps({"b1": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}).encode()
    tensors = dict.fromkeys(("A1", "B1.r"), TENSORS["A1"][:1, :1] * 0) | {"b1": ABSENT}
    signature, layers = {"unary": ["A"], "binary": ["r"]}, [RELU_LAYER]
    folder = write_small_model(tmp_path, tensors, signature=signature, layers=layers)
    bits = struct.pack("<f", -1.625)[2:]
    (folder / "weights.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bits)
    assert read_model(folder).layers[0].exact_bias() == [Fraction(-13, 8)]


def test_integers_and_floats_in_one_layer_keep_their_values(tmp_path: Path) -> None:
    mixed = {"A1": np.array([[2.0**-70, 0], [0.5, 0], [0, 1]]), "b1": np.array([1, -1, 2], np.int8)}
    layer = read_model(write_small_model(tmp_path, mixed, scale=3)).layers[0]
    assert layer.exact_rows(layer.A) == [[(0, Fraction(1, 2**70))], [(0, HALF)], [(1, 1)]]
    assert layer.exact_bias() == [Fraction(1, 3), Fraction(-1, 3), Fraction(2, 3)]
    assert layer.exact_rows(layer.B[0])[0] == [(1, Fraction(4, 3))]


@pytest.mark.parametrize(
    "colour", ["a.b", "http://x.org/ä#π", "B1.r", "with space\n", "", "__metadata__", "\U0001f600"]
)
def test_colours_of_any_name(tmp_path: Path, colour: str) -> None:
    signature = {"unary": ["A", "B"], "binary": ["r", colour]}
    tensors = {"B2.s": ABSENT, f"B2.{colour}": TENSORS["B2.s"]}
    network = read_model(write_small_model(tmp_path / "one", tensors, signature=signature))
    assert network.colours[1] == colour and network.layers[1].exact_rows(network.layers[1].B[1])[1] == [(2, 1)]
    write_model(network, tmp_path / "two")
    assert meaning(read_model(tmp_path / "two")) == meaning(network)


def test_an_encoding_gives_the_names_of_features_and_colours(tmp_path: Path) -> None:
    encoding = {"name": "canonical+inverses+nominals", "nominals": ["t"]}
    signature = {"unary": ["A"], "binary": ["r"]}
    tensors = {"B1.r": ABSENT, "B1.inv:r": TENSORS["B1.r"], "B2.s": ABSENT}
    network = read_model(write_small_model(tmp_path / "one", tensors, encoding=encoding, signature=signature))
    assert network.signature == Signature.of(["A"], ["r"])
    assert (network.features, network.colours) == (("A", "is:t"), ("r", "inv:r"))
    assert dict(network.encoding.options) == {"nominals": ("t",)}
    write_model(network, tmp_path / "two")
    assert meaning(read_model(tmp_path / "two")) == meaning(network)


def test_a_folder_written_by_hand_with_only_the_needed_tensors(tmp_path: Path) -> None:
    folder = write_small_model(tmp_path, {name: ABSENT for name in TENSORS if name[0] != "b"})
    assert all(not layer.A.any() and layer.A.shape[0] == layer.units for layer in read_model(folder).layers)
