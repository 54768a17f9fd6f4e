"""Everything that is wrong with a model folder is found at once, with its place and a hint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isolog.errors import InputError, IsologError, UnsupportedError
from isolog.networks.model_folder import read_model
from support.models import ABSENT, DESCRIPTION, TENSORS, write_small_model

RELU_LAYER = {"aggregation": "max", "activation": "relu"}
OTHER_LAYER = DESCRIPTION["layers"][1]


def findings(folder: Path) -> list[str]:
    """The findings of reading the folder, code and message."""
    with pytest.raises(IsologError) as raised:
        read_model(folder)
    return [f"{finding.code} {finding.message}" for finding in raised.value.findings]


def hints(folder: Path) -> list[str | None]:
    """The hints that come with them."""
    with pytest.raises(IsologError) as raised:
        read_model(folder)
    return [finding.hint for finding in raised.value.findings]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"treshold": 1}, ["E303 unknown key `treshold`"]),
        ({"threshold": ABSENT}, ["E302 the key `threshold` is missing"]),
        ({"scale": ABSENT}, ["E302 the key `scale` is missing"]),
        ({"format": "onnx"}, ['E305 unknown format "onnx"']),
        ({"version": 2}, ["E305 unknown version 2"]),
        ({"signature": []}, ["E304 `signature` must be an object, not a list"]),
        ({"signature": {"unary": ["A", "B"]}}, ["E302 the key `signature.binary` is missing"]),
        ({"signature": {"unary": "A", "binary": [1]}}, [
            'E304 `signature.unary` must be a list, not "A"',
            "E304 `signature.binary[0]` must be a string, not 1",
        ]),
        ({"signature": {"unary": ["A", "A"], "binary": ["r", "s"]}}, [
            "E306 the predicate `A/1` is twice in the signature",
        ]),
        ({"signature": {"unary": ["A", "\ud800"], "binary": ["r", "s"]}}, [
            "E304 `signature.unary[1]` must be Unicode text, without lone surrogates, not \"\\ud800\"",
        ]),
        ({"encoding": "canonical"}, ['E304 `encoding` must be an object, not "canonical"']),
        ({"encoding": {"name": "canonical", "nominals": []}}, ["E303 unknown key `encoding.nominals`"]),
        ({"encoding": {"name": "x", "sort": "a"}}, ["E303 unknown key `encoding.sort`"]),
        ({"layers": []}, ["E304 `layers` is empty, and a network has at least one layer"]),
        ({"layers": "max"}, ['E304 `layers` must be a list, not "max"']),
        ({"layers": [{"activation": "relu"}, OTHER_LAYER]}, ["E302 the key `layers[0].aggregation` is missing"]),
        ({"threshold": None}, ['E304 `threshold` must be a number, or a string such as "1/3", not null']),
        ({"threshold": True}, ['E304 `threshold` must be a number, or a string such as "1/3", not true']),
        ({"threshold": float("nan")}, ['E304 `threshold` must be a number, or a string such as "1/3", not NaN']),
        ({"threshold": "1/0"}, ['E304 `threshold` must be a number, with a denominator that is not 0, not "1/0"']),
        ({"threshold": "1e9999"}, ['E304 `threshold` must be a number of at most 4,000 digits, not "1e9999"']),
        ({"threshold": "\u0661"}, ['E304 `threshold` must be a number, or a string such as "1/3", not "\u0661"']),
        ({"seed": "x" * 99}, [f'E304 `seed` must be an integer, not "{"x" * 56}…']),
        ({"threshold": [1, 2, 3]}, ["E311 `threshold` has 3 values, and there are 2 outputs"]),
        ({"threshold": [1]}, ["E311 `threshold` has 1 values, and there are 2 outputs"]),
        ({"scale": [1, 2, 3]}, ["E311 `scale` has 3 values, and there are 2 layers"]),
        ({"scale": 0}, ["E304 `scale` must be an integer, at least 1, not 0"]),
        ({"scale": [4, -1]}, ["E304 `scale[1]` must be an integer, at least 1, not -1"]),
        ({"scale": 0.5}, ["E304 `scale` must be an integer, at least 1, not 0.5"]),
        ({"seed": "x", "dataset_sha256": 1, "versions": {"torch": 2}}, [
            "E304 `versions.torch` must be a string, not 2",
            'E304 `seed` must be an integer, not "x"',
            "E304 `dataset_sha256` must be a string, not 1",
        ]),
    ],
)  # fmt: skip
def test_a_wrong_description(tmp_path: Path, changes: dict[str, Any], expected: list[str]) -> None:
    assert sorted(findings(write_small_model(tmp_path, **changes))) == sorted(expected)


NO_NUMBER = 'must be a number, or a string such as "1/3", not'


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        ({"aggregation": "mx"}, '`aggregation` must be "max", "sum", "mean" or {"max-k-sum": k}, not "mx"'),
        ({"aggregation": {"max-k-sum": -1}}, "`aggregation.max-k-sum` must be an integer, at least 0, not -1"),
        ({"aggregation": {"max-k-sum": 1.5}}, "`aggregation.max-k-sum` must be an integer, at least 0, not 1.5"),
        (
            {"activation": "sigmoid"},
            '`activation` must be "relu" or {"points": [[x, y], …], "slope": s}, not "sigmoid"',
        ),
        ({"activation": {"points": [[0, 0], 1], "slope": 1}}, "`activation.points[1]` must be a point [x, y], not 1"),
        (
            {"activation": {"points": [[0, 0, 0]], "slope": 1}},
            "`activation.points[0]` must be a point [x, y], not a list",
        ),
        ({"activation": {"points": [[0, None]], "slope": 1}}, f"`activation.points[0][1]` {NO_NUMBER} null"),
        ({"activation": {"points": [[0, 0]], "slope": "steep"}}, f'`activation.slope` {NO_NUMBER} "steep"'),
    ],
)
def test_a_wrong_layer(tmp_path: Path, layer: dict[str, Any], expected: str) -> None:
    folder = write_small_model(tmp_path, layers=[RELU_LAYER | layer, OTHER_LAYER])
    assert findings(folder) == [f"E304 `layers[0].{expected.removeprefix('`')}"]


@pytest.mark.parametrize("points", [[], [[1, 0], [0, 0]], [[0, 0], [0, 1]]])
def test_points_out_of_order(tmp_path: Path, points: list[list[int]]) -> None:
    folder = write_small_model(
        tmp_path, layers=[RELU_LAYER | {"activation": {"points": points, "slope": 1}}, OTHER_LAYER]
    )
    assert findings(folder) == [
        "E310 `layers[0].activation`: the points of an activation must have increasing arguments"
    ]


@pytest.mark.parametrize(
    ("tensors", "expected"),
    [
        ({"b1": ABSENT}, ["E322 the tensor `b1` is missing"]),
        ({"B1.t": TENSORS["B1.r"]}, ["E321 unknown tensor `B1.t`"]),
        ({"A1": TENSORS["A1"].T}, ["E323 `A1` has shape [2, 3], and [3, 2] is needed"]),
        ({"B2.s": TENSORS["B1.r"]}, ["E323 `B2.s` has shape [3, 2], and [2, 3] is needed"]),
        ({"b2": TENSORS["b1"]}, ["E323 `b2` has shape [3], and [2] is needed"]),
        ({"b2": np.array(1)}, ["E323 `b2` has shape [], and [2] is needed"]),
        ({"b1": TENSORS["A1"]}, ["E323 `b1` has shape [3, 2], and [?] is needed"]),
        ({"A1": TENSORS["A1"][:2], "b1": TENSORS["b1"][:2]}, [
            "E323 `B1.r` has shape [3, 2], and [2, 2] is needed",
            "E323 `A2` has shape [2, 3], and [2, 2] is needed",
            "E323 `B2.s` has shape [2, 3], and [2, 2] is needed",
        ]),
        ({"A1": TENSORS["A1"] > 0}, ["E324 `A1` holds BOOL"]),
        ({"A1": TENSORS["A1"].astype(complex).astype("complex64")}, ["E324 `A1` holds C64"]),
        ({"b1": np.array([0, np.nan, 1])}, ["E325 `b1[2]` is nan"]),
        ({"A1": np.array([[0, 0], [0, -np.inf], [np.nan, 0]], "f4")}, [
            "E325 `A1[2,2]` is -inf, the first of 2 entries that are not finite",
        ]),
    ],
)  # fmt: skip
def test_wrong_tensors(tmp_path: Path, tensors: dict[str, Any], expected: list[str]) -> None:
    assert findings(write_small_model(tmp_path, tensors)) == expected


def test_findings_on_tensors_come_in_order_of_name(tmp_path: Path) -> None:
    nan = {name: np.full(array.shape, np.nan) for name, array in TENSORS.items()}
    assert [line.split("`")[1] for line in findings(write_small_model(tmp_path, nan))] == [
        "A1[1,1]", "A2[1,1]", "B1.r[1,1]", "B2.s[1,1]", "b1[1]", "b2[1]",
    ]  # fmt: skip


def test_everything_at_once(tmp_path: Path) -> None:
    tensors = {"b1": ABSENT, "A2": TENSORS["A1"], "b2": np.array([0, np.inf])}
    folder = write_small_model(tmp_path, tensors, treshold=1, threshold=[1], seed="x")
    codes = [line[:4] for line in findings(folder)]
    assert codes == ["E303", "E304", "E311", "E325", "E322", "E323"]


def test_hints(tmp_path: Path) -> None:
    assert hints(write_small_model(tmp_path, treshold=1)) == ["did you mean `threshold`?"]
    layers = [RELU_LAYER | {"aggregation": "summ"}, OTHER_LAYER]
    assert hints(write_small_model(tmp_path, layers=layers)) == ["did you mean `sum`?"]
    more = {"B1_r": TENSORS["B1.r"], "A3": TENSORS["A1"]}
    assert hints(write_small_model(tmp_path, more)) == ["the last layer is layer 2", "did you mean `B1.r`?"]


def test_too_few_layers_for_the_tensors(tmp_path: Path) -> None:
    assert findings(write_small_model(tmp_path, layers=[RELU_LAYER]))[:3] == [
        "E321 unknown tensor `A2`", "E321 unknown tensor `B2.s`", "E321 unknown tensor `b2`",
    ]  # fmt: skip


def test_broken_json_shows_the_line(tmp_path: Path) -> None:
    folder = write_small_model(tmp_path)
    (folder / "model.json").write_text('{"format": "isolog-network",\n "version": 1\n "scale": 4}\n')
    with pytest.raises(InputError) as raised:
        read_model(folder)
    assert str(raised.value).splitlines() == [
        "E301 broken JSON: expecting ',' delimiter",
        f'  {folder}/model.json:3:2    "scale": 4}}',
        " " * len(f"  {folder}/model.json:3:2    ") + "^",
        "  hint: strings stand in double quotes, and commas between the members of a list or an object",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "E301 broken JSON: expecting value"),
        (b'{"format": "\xff"}', "E301 byte 13 is not UTF-8 text"),
        (b"[" * 100_000, "E301 the JSON is nested too deeply"),
        (b'[{"a": 1, "a": 2}]', "E301 the key `a` appears twice in one object"),
    ],
)
def test_a_description_that_is_no_json(tmp_path: Path, data: bytes, message: str) -> None:
    folder = write_small_model(tmp_path)
    (folder / "model.json").write_bytes(data)
    assert findings(folder)[0] == message


def test_a_repeated_key_is_found(tmp_path: Path) -> None:
    folder = write_small_model(tmp_path)
    text = (folder / "model.json").read_text()
    (folder / "model.json").write_text(text.replace('"scale": 4', '"scale": 4, "scale": 4'))
    assert findings(folder) == ["E301 the key `scale` appears twice in one object"]


@pytest.mark.parametrize("cut", [0, 5, 60, -1])
def test_a_truncated_tensor_file(tmp_path: Path, cut: int) -> None:
    weights = write_small_model(tmp_path) / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:cut])
    assert findings(tmp_path)[0].startswith("E320 broken tensor file: ")


def test_a_tensor_file_of_another_kind_is_never_unpickled(tmp_path: Path) -> None:
    (write_small_model(tmp_path, seed="x") / "weights.safetensors").write_bytes(b"\x80\x04cos\nsystem\n" * 9)
    assert [line[:4] for line in findings(tmp_path)] == ["E304", "E320"]


def test_what_is_no_model_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert findings(tmp_path / "none") == [f"E300 `{tmp_path / 'none'}` does not exist"]
    assert findings(file) == [f"E300 `{file}` is a file"]
    assert findings(tmp_path) == [
        f"E300 `{tmp_path}` has no file `model.json`", f"E300 `{tmp_path}` has no file `weights.safetensors`",
    ]  # fmt: skip


def test_an_unknown_encoding_is_named(tmp_path: Path) -> None:
    folder = write_small_model(tmp_path, encoding={"name": "pairs:2+nominal", "nominals": ["a"]})
    with pytest.raises(UnsupportedError, match="E307 the encoding `pairs:2\\+nominal` is not implemented"):
        read_model(folder)


def test_findings_go_before_an_unknown_encoding(tmp_path: Path) -> None:
    folder = write_small_model(tmp_path, encoding={"name": "pears"}, scale=0)
    assert findings(folder) == ["E304 `scale` must be an integer, at least 1, not 0"]
