"""docs/formats.md shows a program, a model and a split that are read as they stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import numpy as np
import yaml

from isolog.cli.app import main
from isolog.datalog.checks import check
from isolog.datalog.parser import parse
from isolog.facts.split_files import read_split
from isolog.networks.model_folder import read_model
from support.models import write_small_model

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
PROGRAM, MODEL = (dedent(block) for block in re.findall(r"(?:^    .*\n)+", PAGE, re.M))


def test_the_program() -> None:
    program = parse(PROGRAM)
    assert not list(check(program)) and len(program) == 5
    assert program.signature is not None and program.auxiliary


def test_the_rules_of_other_systems(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `(loginfer|anyburl)` \| `(.*?)` \| `(.*?)` \|$", PAGE, re.M)
    assert [name for name, _, _ in rows] == ["loginfer", "loginfer", "anyburl"]
    for name, line, rule in rows:
        (tmp_path / "rules").write_text(line.replace("<TAB>", "\t") + "\n", encoding="utf-8")
        assert main(["convert", str(tmp_path / "rules"), str(tmp_path / "rules.dl"), "--format", name]) == 0
        assert (tmp_path / "rules.dl").read_text(encoding="utf-8").partition("  %")[0].strip() == rule


def test_the_model(tmp_path: Path) -> None:
    matrices = {name: np.eye(2, dtype=np.int8) for name in ("A1", "B1.r", "A2")}
    biases = {name: np.zeros(2, np.int8) for name in ("b1", "b2")}
    folder = write_small_model(tmp_path / "model", {**matrices, **biases, "B2.s": matrices["A1"]})
    (folder / "model.json").write_text(MODEL.replace('["r"]', '["r", "s"]'), encoding="utf-8")
    assert read_model(folder).dimensions == (2, 2, 2)
    assert set(json.loads(MODEL)) <= set(re.findall(r"`(\w+)`", PAGE)) | {"format", "version"}


def test_the_split(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
    (tmp_path / "split.yaml").write_text(block, encoding="utf-8")
    for name in yaml.safe_load(block).values():
        (tmp_path / name).write_text("", encoding="utf-8")
    assert not len(read_split(tmp_path).test.graph)
