"""The picture in the README is what the command draws of the demo's model; `make golden` draws it again."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from isolog.cli.app import main
from support.demo import Demo

PICTURE = Path(__file__).parents[2] / "docs" / "proof.svg"


def without_numbers(picture: str) -> str:
    """The picture but for sums and sizes: on another processor training may give other weights, and the same rules."""
    return re.sub(r"-?\d[\d./]*", "0", re.sub(r'<title>[^<]*</title>|<text class="by"[^<]*</text>', "", picture))


def test_the_picture_of_a_proof(demo: Demo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, family = demo.place / "isolog-demo" / "model", demo.place / "isolog-demo" / "family.tsv"
    drawn = tmp_path / "proof.svg"
    assert main(["explain", str(model), str(family), "grandparent(ann, sam)", "--svg", str(drawn)]) == 0
    assert capsys.readouterr().out in demo.text
    if os.environ.get("ISOLOG_GOLDEN") == "accept":
        PICTURE.write_bytes(drawn.read_bytes())
    accepted, found = (path.read_text("utf-8") for path in (PICTURE, drawn))
    assert without_numbers(accepted) == without_numbers(found)
    assert "parent(ida, sam)" in without_numbers(accepted)
