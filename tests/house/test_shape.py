"""Files hold one idea, functions fit on a screen, and public things say what they are."""

import ast
from pathlib import Path

import pytest

import isolog

SOURCE = Path(isolog.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> list[Function]:
    """All functions of a file, methods and nested ones included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_and_functions_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    long = [f"{f.name}: {f.end_lineno - f.lineno + 1} lines" for f in functions(path) if f.end_lineno - f.lineno >= 40]
    assert not long


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_public_things_have_docstrings(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), f"{path.name} has no docstring"
    named = [node for node in tree.body if isinstance(node, Function | ast.ClassDef)]
    members = [inner for node in named if isinstance(node, ast.ClassDef) for inner in node.body]
    public = [node for node in [*named, *members] if isinstance(node, Function | ast.ClassDef)]
    bare = [node.name for node in public if not node.name.startswith("_") and not ast.get_docstring(node)]
    assert not bare, f"{path.name}: no docstring on {bare}"


def test_no_vague_names() -> None:
    vague = {"utils", "util", "common", "misc", "helpers", "helper", "manager", "factory"}
    assert not [path for path in FILES if path.stem in vague]
