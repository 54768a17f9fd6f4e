"""Model folders are written exactly, deterministically, and as a whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load

from isolog.errors import InputError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.facts.terms import Predicate
from isolog.networks.fingerprint import network_sha256
from isolog.networks.model_folder import read_model, write_model
from isolog.networks.network import MAX, SUM, Layer, Network, Provenance
from support.models import meaning, write_small_model


def one_layer(**changes: Any) -> Network:
    """A network from `A` and `r` to `A`, with some parts of its one layer changed."""
    layer = Layer.from_fractions([[1]], [[[Fraction(1, 2)]]], [Fraction(-1, 4)])
    return Network.canonical(Signature.of(["A"], ["r"]), [replace(layer, **changes)])


def test_what_is_read_again_has_the_same_hash(tmp_path: Path) -> None:
    signature = Signature((Predicate("r", 2), Predicate("A", 1), Predicate("s", 2), Predicate("B", 1)))
    layer = Layer.from_fractions([[1, 0], [0, 1]], [[[0, 1], [0, 0]], [[0, 0], [1, 0]]], [0, 0])
    network = Network.canonical(signature, [layer])
    write_model(network, tmp_path / "m")
    assert network_sha256(read_model(tmp_path / "m")) == network_sha256(network)


def test_the_written_description_is_readable(tmp_path: Path) -> None:
    write_model(read_model(write_small_model(tmp_path / "one", threshold=["1/3", 0.1])), tmp_path / "two")
    assert (tmp_path / "two/model.json").read_text() == (
        "{\n"
        ' "format": "isolog-network",\n'
        ' "version": 1,\n'
        ' "signature": {"unary": ["A", "B"], "binary": ["r", "s"]},\n'
        ' "encoding": {"name": "canonical"},\n'
        ' "layers": [{"aggregation": "max", "activation": "relu"}, {"aggregation": {"max-k-sum": 3}, '
        '"activation": {"points": [[0, 0], [1, 1]], "slope": 0.5}}],\n'
        ' "threshold": ["1/3", 0.1],\n'
        ' "scale": 4\n'
        "}\n"
    )


def test_tensors_are_stored_in_the_smallest_exact_type(tmp_path: Path) -> None:
    layer = Layer(np.array([[300]]), (np.array([[-128]]),), np.array([2**40]), scale=7)
    write_model(Network.canonical(Signature.of(["A"], ["r"]), [layer]), tmp_path / "integers")
    stored = load((tmp_path / "integers/weights.safetensors").read_bytes())
    assert {name: array.dtype.name for name, array in stored.items()} == {"A1": "int16", "B1.r": "int8", "b1": "int64"}
    layer = Layer(np.array([[0.5]]), (np.array([[0.1]]),), np.array([1e300]))
    write_model(Network.canonical(Signature.of(["A"], ["r"]), [layer]), tmp_path / "floats")
    stored = load((tmp_path / "floats/weights.safetensors").read_bytes())
    assert {name: array.dtype.name for name, array in stored.items()} == {
        "A1": "float32", "B1.r": "float64", "b1": "float64",
    }  # fmt: skip


def test_a_matrix_in_another_memory_order_is_stored_as_it_reads(tmp_path: Path) -> None:
    signature = Signature.of(["A", "B"], ["r"])
    layer = Layer(np.array([[1, 2], [3, 4]]).T, (np.array([[5, 6], [7, 8]], order="F"),), np.array([0, 0]))
    write_model(Network.canonical(signature, [layer]), tmp_path / "m")
    again = read_model(tmp_path / "m").layers[0]
    assert again.A.tolist() == [[1, 3], [2, 4]] and again.B[0].tolist() == [[5, 6], [7, 8]]


def test_floats_beside_large_integers_are_stored_apart(tmp_path: Path) -> None:
    tiny = Layer.from_fractions([[Fraction(1, 2**100)]], [[[3]]], [Fraction(1, 3)])
    network = Network.canonical(Signature.of(["A"], ["r"]), [tiny])
    assert tiny.scale == 3 * 2**100
    write_model(network, tmp_path / "m")
    assert json.loads((tmp_path / "m/model.json").read_text())["scale"] == 3
    assert meaning(read_model(tmp_path / "m")) == meaning(network)


@pytest.mark.parametrize("weight", [Fraction(2**64, 3), Fraction(1, 3) + Fraction(1, 2**100), Fraction(10**400 + 1)])
def test_weights_without_an_exact_form_are_refused(tmp_path: Path, weight: Fraction) -> None:
    layer = Layer.from_fractions([[weight]], [[[1]]], [0])
    with pytest.raises(UnsupportedError, match="E331 layer 1 has weights that are neither 64-bit integers"):
        write_model(Network.canonical(Signature.of(["A"], ["r"]), [layer]), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_numbers_and_names_that_cannot_be_read_back_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="E331 a number is too long"):
        write_model(replace(one_layer(), thresholds=(Fraction(10**5000),)), tmp_path / "m")
    with pytest.raises(InputError, match="E331 a name has a lone surrogate"):
        write_model(replace(one_layer(), signature=Signature.of(["\ud800"], ["r"])), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [Fraction(10**400 * 2 + 1, 2), Fraction(1, 10**400), Fraction(0.1), Fraction(2, 7)])
def test_thresholds_of_every_size_are_read_back(tmp_path: Path, number: Fraction) -> None:
    write_model(replace(one_layer(), thresholds=(number,)), tmp_path / "m")
    assert read_model(tmp_path / "m").thresholds == (number,)


def test_notes_are_kept_beside_the_weights(tmp_path: Path) -> None:
    provenance = Provenance(7, "ff", (("isolog", "0.1"),), ("converted", "θ = -2.5"))
    write_model(replace(one_layer(), provenance=provenance), tmp_path / "m")
    assert read_model(tmp_path / "m").provenance == provenance
    assert "converted" not in (tmp_path / "m/model.json").read_text()
    write_model(one_layer(), tmp_path / "m")
    assert b"__metadata__" not in (tmp_path / "m/weights.safetensors").read_bytes()


def test_the_same_network_gives_the_same_bytes(tmp_path: Path) -> None:
    network = read_model(write_small_model(tmp_path / "m"))
    for name in ("one", "two"):
        write_model(network, tmp_path / name)
    for file in ("model.json", "weights.safetensors"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_writing_replaces_a_model_and_nothing_else(tmp_path: Path) -> None:
    write_model(one_layer(), tmp_path / "new/sub/m")
    write_model(one_layer(aggregation=SUM), tmp_path / "new/sub/m")
    assert read_model(tmp_path / "new/sub/m").layers[0].aggregation == SUM
    assert [path.name for path in (tmp_path / "new/sub").iterdir()] == ["m"]
    (tmp_path / "new/sub/m/notes.txt").write_text("mine")
    with pytest.raises(InputError, match="E330 the folder is not empty, and it is not just a model"):
        write_model(one_layer(), tmp_path / "new/sub/m")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="E330 there is a file of that name already"):
        write_model(one_layer(), tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_writing_to_an_empty_folder_and_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    write_model(one_layer(), tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and read_model(tmp_path / "empty").dimensions == (1, 1)


@pytest.mark.parametrize("failing", ["write_bytes", "rename"])
def test_a_failed_write_leaves_the_old_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    write_model(one_layer(), tmp_path / "m")
    original = getattr(Path, failing)

    def fail(path: Path, argument: Any) -> Any:
        if path.name == "weights.safetensors" or path.name.endswith("-new"):
            raise OSError(28, "No space left on device")
        return original(path, argument)

    monkeypatch.setattr(Path, failing, fail)
    with pytest.raises(InputError, match=r"E110 .*no space left on device"):
        write_model(one_layer(aggregation=SUM), tmp_path / "m")
    assert read_model(tmp_path / "m").layers[0].aggregation == MAX
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
