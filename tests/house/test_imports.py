"""`import isolog` is instant: it loads nothing heavy, and its public names resolve on first use."""

import subprocess
import sys

import pytest

import isolog

HEAVY = [
    "torch",
    "scipy",
    "duckdb",
    "pyspark",
    "pyoxigraph",
    "numpy",
    "typer",
    "rich",
    "pydantic",
    "safetensors",
    "yaml",
]


def test_import_loads_nothing_heavy() -> None:
    program = f"import sys, isolog; print([m for m in {HEAVY} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sorted(set(dir(isolog)) - {"__version__"}))
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(isolog, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'predcit'"):
        isolog.predcit  # noqa: B018  the access is the test
