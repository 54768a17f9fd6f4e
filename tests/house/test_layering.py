"""Who may import whom. The packages form layers; an import against them is an error here."""

import ast
from pathlib import Path

import pytest

import isolog

SOURCE = Path(isolog.__file__).parent
MAY_IMPORT = {
    "source": set(),
    "errors": {"source"},
    "facts": {"errors", "source"},
    "graphs": {"facts"},
    "datalog": {"facts"},
    "encodings": {"facts", "datalog", "graphs"},
    "networks": {"facts", "graphs", "encodings"},
    "concepts": {"facts", "datalog", "graphs"},
    "engines": {"facts", "datalog", "graphs", "encodings", "concepts"},
    "export": {"facts", "datalog", "concepts"},
    "correspondence": {"facts", "graphs", "datalog", "networks", "encodings", "concepts", "engines"},
    "learning": {"facts", "graphs", "networks", "encodings", "correspondence"},
    "report": {"facts", "datalog", "networks", "engines", "correspondence", "learning"},
}
TORCH_SIDE = {
    *("layers.py", "objective.py", "prune.py", "training.py", "views.py", "checkpoint.py", "train.py", "begin.py")
}
EVERYWHERE = {"errors", "source"}
FILES = sorted(
    path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.name in {"errors.py", "source.py"}
)


def imported_modules(path: Path) -> list[str]:
    """The modules that a file imports anywhere, inside functions too."""
    modules: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            modules.append(node.module or "")
    return modules


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_follow_the_layers(path: Path) -> None:
    package = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if package == "cli":
        return
    imported = {name.split(".")[1] for name in imported_modules(path) if name.startswith("isolog.")}
    allowed = MAY_IMPORT[package] | EVERYWHERE | {package}
    assert imported <= allowed, f"{path.name} imports {sorted(imported - allowed)}"


def test_torch_stays_in_the_torch_side_files() -> None:
    importers = [path for path in FILES if any(name.split(".")[0] == "torch" for name in imported_modules(path))]
    assert {path.name for path in importers} <= TORCH_SIDE
