"""Foreign networks: what is converted to what, and what is refused."""

from __future__ import annotations

import gzip
import json
import lzma
import math
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import save

from isolog.encodings.canonical import encode
from isolog.errors import InputError, IsologError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks import exact
from isolog.networks.activation import RELU
from isolog.networks.foreign import logit, read_foreign
from isolog.networks.network import MAX, SUM, EncodingName
from support.models import ABSENT

FORMULA = (
    "x_l(v) = act_l( A_l x_{l-1}(v) + b_l + sum_c B_l^c * agg_l{ x_{l-1}(u) : edge (u -> v) of colour c } ); "
    "agg of an empty set is the zero vector"
)
INCOMING = "a binary atom E_c(s,o) is an edge s -> o; o aggregates over s (PyG flow source_to_target)"
OUTGOING = "a binary atom E_c(s,o) is an edge o -> s; s aggregates over o (PyG flow target_to_source)"
DESCRIPTION: dict[str, Any] = {
    "name": "small",
    "dimensions": [2, 1, 2],
    "aggregation": ["max", "sum"],
    "activation": ["relu", "sigmoid"],
    "layer_formula": FORMULA,
    "edge_direction": INCOMING,
    "classification": "fact derived iff sigmoid(last layer) > threshold (strict); equivalently logit > ln(t/(1-t))",
    "encoding": "canonical",
    "colours": {"1": "r"},
    "features": [
        {"position": 0, "predicate": "A", "arity": 1},
        {"position": 1, "predicate": "B", "arity": 1},
    ],
}
PAIRS = {
    "encoding": "iclr22",
    "colours": {"1": "f(a)<->g(a,b)", "2": "g(a,b)<->g(b,a)"},
    "features": [{"position": 0, "predicate": "r", "arity": 2}, {"position": 1, "predicate": "A", "arity": 1}],
}
TENSORS: dict[str, NDArray[Any]] = {
    "A1": np.array([[0, 0]], "f4"),
    "B1_c1": np.array([[1, 0]], "f4"),
    "b1": np.array([0], "f4"),
    "A2": np.array([[0], [3]], "f4"),
    "B2_c1": np.array([[0.1], [0]], "f4"),
    "b2": np.array([-8, -2], "f4"),
    "b2_raw": np.array([2, 8], "f4"),
}


def write(folder: Path, tensors: Mapping[str, Any] | None = None, **changes: Any) -> Path:
    """The description of a small network, with its tensors beside it."""
    described = {key: value for key, value in (DESCRIPTION | changes).items() if value is not ABSENT}
    arrays = {name: array for name, array in (TENSORS | dict(tensors or {})).items() if array is not ABSENT}
    (folder / "small.json").write_text(json.dumps(described), encoding="utf-8")
    (folder / "small.safetensors.xz").write_bytes(lzma.compress(save(arrays)))
    return folder / "small.json"


def findings(description: Path, **options: Any) -> list[str]:
    """The findings of reading the description, code and message."""
    with pytest.raises(IsologError) as raised:
        read_foreign(description, **options)
    return [f"{finding.code} {finding.message}" for finding in raised.value.findings]


def test_the_last_layer_compares_exactly_with_the_logit(tmp_path: Path) -> None:
    network = read_foreign(write(tmp_path), probability=Fraction(1, 10))
    theta = Fraction(-2.1972245773362196)
    last = network.layers[1]
    assert last.exact_bias() == [-8 - theta + 1, -2 - theta + 1]
    assert (last.activation, network.thresholds) == (RELU, (1, 1))
    assert last.exact_rows(last.B[0]) == [[(0, Fraction(float(np.float32(0.1))))], []]
    assert last.exact_rows(last.A) == [[], [(0, 3)]]
    assert (network.layers[0].aggregation, last.aggregation) == (MAX, SUM)
    assert network.layers[0].is_float


def test_a_bias_that_is_a_float_keeps_the_layer_in_floats(tmp_path: Path) -> None:
    last = read_foreign(write(tmp_path), probability=Fraction(1, 2)).layers[1]
    assert last.is_float and last.b.tolist() == [-7, -1]


def test_edges_that_the_source_reads_backwards_have_an_inverse_colour(tmp_path: Path) -> None:
    network = read_foreign(write(tmp_path), probability=Fraction(1, 2))
    assert network.signature == Signature.of(["A", "B"], ["inv:r"])
    # The source: `b` sees `a` along r(a, b), and 3 · 1 − 2 > 0 gives B(b).
    data = Dataset.from_facts([Atom("A", ("a",)), Atom("inv:r", ("b", "a"))])
    labels = exact.apply(network, encode(data, network.signature))
    assert labels.tolist() == [[False, False], [False, True]]
    assert "the colour `inv:r` leads from v to u wherever r(u, v) holds" in network.provenance.notes[2]


def test_edges_that_the_source_reads_forwards_keep_their_colour(tmp_path: Path) -> None:
    network = read_foreign(write(tmp_path, edge_direction=OUTGOING))
    assert network.colours == ("r",) and network.provenance.notes[0] == "converted from `small`"
    assert network.provenance.notes[2] == "the source reads edges forwards, as here"


def test_pairs_have_features_with_arity_and_symmetric_colours(tmp_path: Path) -> None:
    extra = {"B1_c2": TENSORS["B1_c1"], "B2_c2": TENSORS["B2_c1"]}
    network = read_foreign(write(tmp_path, extra, **PAIRS))
    assert network.signature == Signature.of(["r/2", "A/1"], ["c1", "c2"])
    assert network.encoding == EncodingName()
    assert "the symmetric colours are those of `iclr22`" in network.provenance.notes[2]


def test_another_encoding_is_attached_by_its_names(tmp_path: Path) -> None:
    extra = {"B1_c2": np.array([[0, 5]], "f4"), "B2_c2": TENSORS["B2_c1"] * 0}
    description = write(tmp_path, extra, **PAIRS)
    network = read_foreign(description, probability=Fraction(1, 2), encoding=EncodingName("pairs"))
    assert network.signature == Signature.of(["A"], ["r"])
    assert (network.features, network.colours) == (("A/1", "r/2"), ("c1", "c2", "c3", "c4"))
    first, last = network.layers
    assert [first.exact_rows(matrix) for matrix in first.B] == [[[(1, 1)]], [[(0, 5)]], [[]], [[]]]
    assert last.exact_rows(last.A) == [[(0, 3)], []] and last.exact_bias() == [-1, -7]


def test_an_encoding_must_suit_the_source(tmp_path: Path) -> None:
    description = write(tmp_path)
    with pytest.raises(UnsupportedError, match="E307"):
        read_foreign(description, encoding=EncodingName("pears"))
    assert findings(description, encoding=EncodingName("pairs")) == [
        "E343 the features of `small` are not those of the encoding `pairs`",
        "E343 the colours of `small` are not those of the encoding `pairs`",
    ]


@pytest.mark.parametrize(
    ("said", "note"),
    [
        (ABSENT, "> 1/2,"),
        ({"note": "none published"}, "> 1/2,"),
        (0.1, "> 1/10,"),
        ({"prediction_threshold_used_by_repo": 1e-09, "explanation_threshold_used_by_repo": 0.1}, "> 1/1000000000,"),
    ],
)
def test_the_threshold_is_the_one_described(tmp_path: Path, said: Any, note: str) -> None:
    assert note in read_foreign(write(tmp_path, threshold=said)).provenance.notes[1]


def test_the_origin_is_noted(tmp_path: Path) -> None:
    origin = {"repo": "a/b", "commit": "12", "path": "m.pt", "git_blob_sha1": "34"}
    assert read_foreign(write(tmp_path, origin=origin)).provenance.notes[0] == "converted from `small` a/b 12 m.pt"


@pytest.mark.parametrize("suffix", [".safetensors", ".safetensors.xz", ".safetensors.gz"])
def test_tensors_are_found_beside_the_description(tmp_path: Path, suffix: str) -> None:
    description = write(tmp_path)
    compressed = tmp_path / "small.safetensors.xz"
    raw = lzma.decompress(compressed.read_bytes())
    compressed.unlink()
    assert findings(description) == ["E300 no tensor file is beside the description"]
    data = {".xz": lzma.compress, ".gz": gzip.compress}.get(suffix[-3:], bytes)(raw)
    (tmp_path / f"small{suffix}").write_bytes(data)
    assert read_foreign(description).dimensions == (2, 1, 2)


@pytest.mark.parametrize("probability", [Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(3)])
def test_a_probability_is_between_0_and_1(tmp_path: Path, probability: Fraction) -> None:
    assert findings(write(tmp_path), probability=probability) == [
        f"E342 {probability} is not a probability to compare a sigmoid with"
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"layer_formula": "x = A x"}, ['E340 `layer_formula` is "x = A x"']),
        ({"edge_direction": "both"}, ['E340 `edge_direction` is "both"']),
        ({"classification": "argmax"}, ['E340 `classification` is "argmax"']),
        ({"encoding": "kgnn"}, ['E340 `encoding` is "kgnn"']),
        ({"aggregation": ["max", "min"]}, ['E340 `aggregation[1]` is "min"']),
        ({"activation": ["sigmoid", "sigmoid"]}, [
            "E340 the activations are sigmoid, sigmoid; only ReLU, and a sigmoid at the end, is converted",
        ]),
        ({"activation": ["relu", "relu"]}, [
            "E340 the activations are relu, relu; only ReLU, and a sigmoid at the end, is converted",
        ]),
    ],
)  # fmt: skip
def test_what_has_no_equal_here_is_refused(tmp_path: Path, changes: dict[str, Any], expected: list[str]) -> None:
    description = write(tmp_path, **changes)
    assert findings(description) == expected
    with pytest.raises(UnsupportedError):
        read_foreign(description)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name": ABSENT}, ["E302 the key `name` is missing"]),
        ({"dimensions": [2]}, ["E341 `dimensions` lists 1 sizes, and a network has two or more"]),
        ({"dimensions": [2, 2]}, [
            "E341 `aggregation` has 2 entries, and `dimensions` asks for 1",
            "E341 `activation` has 2 entries, and `dimensions` asks for 1",
        ]),
        ({"dimensions": [3, 1, 4]}, [f"E341 `features` has 2 entries, and `dimensions` asks for {n}" for n in (3, 4)]),
        ({"colours": {"0": "r"}}, ["E341 the keys of `colours` are not 1 to 1"]),
        ({"colours": {"1": 5}}, ["E304 `colours.1` must be a string, not 5"]),
        ({"features": DESCRIPTION["features"][::-1]}, [
            "E304 `features[0].position` must be 0, because features are listed in order, not 1",
            "E304 `features[1].position` must be 1, because features are listed in order, not 0",
        ]),
        ({"features": [{"position": "first", "predicate": "A", "arity": 1}, DESCRIPTION["features"][1]]}, [
            'E304 `features[0].position` must be an integer, not "first"',
        ]),
        ({"features": PAIRS["features"]}, ["E343 with the encoding `canonical`, features are unary predicates"]),
        ({"threshold": "high"}, ['E304 `threshold` must be a number, or a string such as "1/3", not "high"']),
        ({"activation": [], "encoding": "kgnn"}, ["E341 `activation` has 0 entries, and `dimensions` asks for 2"]),
    ],
)  # fmt: skip
def test_a_malformed_description(tmp_path: Path, changes: dict[str, Any], expected: list[str]) -> None:
    description = write(tmp_path, **changes)
    assert findings(description) == expected
    with pytest.raises(InputError):
        read_foreign(description)


def test_features_and_colours_are_distinct(tmp_path: Path) -> None:
    features = [DESCRIPTION["features"][0], DESCRIPTION["features"][0] | {"position": 1}]
    extra = {"B1_c2": TENSORS["B1_c1"], "B2_c2": TENSORS["B2_c1"]}
    assert findings(write(tmp_path, extra, features=features, colours={"1": "r", "2": "r"})) == [
        "E306 the feature `A` is there twice",
        "E306 the colour `inv:r` is there twice",
    ]


def test_wrong_tensors(tmp_path: Path) -> None:
    wrong = {"A2": ABSENT, "B3_c1": TENSORS["A1"], "A1": TENSORS["A1"].T, "b1": np.array([np.nan])}
    assert findings(write(tmp_path, wrong)) == ["E325 `b1[1]` is nan"]
    assert findings(write(tmp_path, wrong | {"b1": TENSORS["b1"]})) == [
        "E322 the tensor `A2` is missing",
        "E321 unknown tensor `B3_c1`",
        "E323 `A1` has shape [2, 1], and [1, 2] is needed",
    ]


def test_a_truncated_tensor_file(tmp_path: Path) -> None:
    description = write(tmp_path)
    compressed = tmp_path / "small.safetensors.xz"
    compressed.write_bytes(compressed.read_bytes()[:-20])
    assert findings(description)[0].startswith("E112 ")


@given(st.fractions(min_value=0, max_value=1).filter(lambda t: 0 < t < 1))
def test_the_logit_is_the_nearest_double(t: Fraction) -> None:
    with localcontext(prec=120):
        logarithm = (Decimal(t.numerator) / (t.denominator - t.numerator)).ln()
    assert logit(t) == float(logarithm)


@pytest.mark.parametrize("digits", [20, 60, 200])
def test_the_logit_near_one_half_loses_nothing(digits: int) -> None:
    tiny = Fraction(1, 10**digits)
    assert logit(Fraction(1, 2) + tiny) == 4 * 10.0**-digits == -logit(Fraction(1, 2) - tiny)
    assert logit(Fraction(1, 2)) == 0 and math.copysign(1, logit(Fraction(1, 2))) == 1
