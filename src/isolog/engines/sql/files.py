"""Programs on files of facts that stay where they are: what is asked for, and what came of it."""

from __future__ import annotations

import glob
from dataclasses import dataclass, field
from pathlib import Path

from isolog.engines.engine import Options

DATABASES = (".duckdb", ".db", ".ddb")


@dataclass(frozen=True, slots=True)
class Request:
    """Where the facts are, where a Parquet file goes if anywhere, and what is written beside what is derived."""

    source: str
    target: str | None = None
    with_input: bool = False
    new: bool = False
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many facts were derived, how many of them were new, and how many were written."""

    derived: int
    new: int
    written: int


def is_database(path: str) -> bool:
    """Whether the suffix is that of a DuckDB database."""
    return Path(path).suffix.lower() in DATABASES


def stays_in_place(path: str) -> bool:
    """Whether facts can be read from there without a dataset: Parquet, and DuckDB databases.

    >>> stays_in_place("facts.parquet"), stays_in_place("facts.tsv")
    (True, False)
    """
    return is_database(path) or Path(path).suffix.lower() == ".parquet"


def parquet_pattern(path: str) -> str:
    """The pattern for the files of one Parquet file, or of a folder of them."""
    exact = glob.escape(path)
    return f"{exact}/*.parquet" if Path(path).is_dir() else exact
