"""What exports look like, byte for byte; `make golden` accepts the present text."""

import os
from pathlib import Path

import pytest

from isolog.datalog.parser import parse, read_program
from isolog.export.targets import export_program

FOLDER = Path(__file__).parent / "export"
SUFFIXES = {"asp": "lp", "nemo": "rls", "souffle": "dl.txt", "sparql": "ru", "sql": "sql"}
TREES = "popular(X) :- #count{Y : follows(X, Y), active(Y)} >= 3. both(X) :- r(X, Y), a(Y), r(X, Z), b(Z), Y != Z."


def check(name: str, text: str) -> None:
    """The text is the golden one, or becomes it."""
    file = FOLDER / name
    if os.environ.get("ISOLOG_GOLDEN") == "accept":
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("target", sorted(SUFFIXES))
def test_export(target: str) -> None:
    program = read_program(FOLDER / "program.dl")
    text = export_program(program, target)
    assert text == export_program(program, target)
    check(f"program.{SUFFIXES[target]}", text)


def test_owl() -> None:
    check("trees.ofn", export_program(parse(TREES), "owl"))
