"""Malformed files and command lines (tests/corpus/bad): each ends with coded findings and leaves nothing behind."""

from __future__ import annotations

import base64
import gzip
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.models import ABSENT, TENSORS, write_small_model

CASES = yaml.safe_load((Path(__file__).parents[1] / "corpus" / "bad" / "cases.yaml").read_text("utf-8"))


def write(path: Path, content: Any) -> None:
    """Makes one file of a case: text as it is, or what the key of a mapping says."""
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
        return
    ((how, what),) = content.items()
    match how:
        case "folder":
            path.mkdir()
        case "base64":
            path.write_bytes(base64.b64decode(what))
        case "truncated_gzip":
            path.write_bytes(gzip.compress(what.encode() * 50)[:-12])
        case "truncated_xz":
            path.write_bytes(lzma.compress(what.encode() * 50)[:-12])
        case "long_line":
            path.write_text("x" * int(what), encoding="utf-8")
        case "nested":
            path.write_text("p(" + "f(" * int(what) + "a" + ")" * int(what) + ").", encoding="utf-8")
        case "repeated":
            path.write_text("\n".join(what.replace("%d", str(n)) for n in range(60)), encoding="utf-8")
        case "model":
            write_model(path, what)
        case _:
            raise AssertionError(f"a case cannot make {how!r}")


def write_model(path: Path, changes: dict[str, Any]) -> None:
    """A valid model folder with changed keys and tensors; `absent` takes one away, raw files replace whole ones."""
    changes = dict(changes)
    raw = changes.pop("raw", {})
    tensors: dict[str, Any] = {}
    for name, change in changes.pop("tensors", {}).items():
        like = TENSORS.get(name, TENSORS["A1"])
        tensors[name] = ABSENT if change == "absent" else like.astype(change["dtype"]).copy()
        if change != "absent" and "shape" in change:
            tensors[name] = (
                tensors[name].reshape(-1)[:1].repeat(change["shape"][0] * change["shape"][1]).reshape(change["shape"])
            )
        if change != "absent" and "first" in change:
            tensors[name].flat[0] = float(change["first"])
    write_small_model(path, tensors, **{key: ABSENT if value == "absent" else value for key, value in changes.items()})
    for name, text in raw.items():
        (path / name).unlink(missing_ok=True)
        if text is not None:
            (path / name).write_text(text, encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below the folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_bad_input(case: dict[str, Any], tmp_path: Path) -> None:
    for name, content in case.get("files", {}).items():
        write(tmp_path / name, content)
    before = contents(tmp_path)
    environment = {**os.environ, "COLUMNS": "120"}
    result = subprocess.run(
        [sys.executable, "-m", "isolog", *case["command"]],
        cwd=tmp_path, env=environment, capture_output=True, text=True, input=case.get("stdin", ""), timeout=60,
    )  # fmt: skip
    assert result.returncode == case["exit"], result.stderr
    # Which engine runs is said before it finds anything wrong.
    error = re.sub(r"\Aengine [^\n]*\n", "", result.stderr) if case["command"][0] == "run" else result.stderr
    assert re.match(r"E[1-6]\d\d ", error), result.stderr
    assert "Traceback" not in result.stderr
    position = 0
    for said in case["says"]:
        assert said in result.stderr[position:], result.stderr
        position = result.stderr.index(said, position) + len(said)
    for finding in re.split(r"(?m)^(?=E\d\d\d )", result.stderr)[1:]:
        assert "\n  hint: " in finding or finding.startswith("E100 "), finding
    assert result.stdout == ""
    assert contents(tmp_path) == before


def test_there_are_enough_cases_and_all_differ() -> None:
    assert len(CASES) >= 60
    assert len({case["name"] for case in CASES}) == len(CASES)
    assert len({str((case.get("files"), case["command"])) for case in CASES}) == len(CASES)
