"""The picture in the README is what the command draws of the demo's model; `make golden` draws it again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from isolog.cli.app import main
from support.demo import Demo

PICTURE = Path(__file__).parents[2] / "docs" / "proof.svg"


def test_the_picture_of_a_proof(demo: Demo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, family = demo.place / "isolog-demo" / "model", demo.place / "isolog-demo" / "family.tsv"
    drawn = tmp_path / "proof.svg"
    assert main(["explain", str(model), str(family), "grandparent(ann, sam)", "--svg", str(drawn)]) == 0
    assert capsys.readouterr().out in demo.text
    if os.environ.get("ISOLOG_GOLDEN") == "accept":
        PICTURE.write_bytes(drawn.read_bytes())
    assert PICTURE.read_bytes() == drawn.read_bytes()
