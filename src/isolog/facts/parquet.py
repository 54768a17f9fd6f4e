"""Parquet by DuckDB: the text columns `subject`, `predicate`, `object`, spelled as `fields` says, nothing escaped."""

from __future__ import annotations

import glob
import os

import duckdb
import numpy as np

from isolog.errors import Finding, Findings, InputError
from isolog.facts.building import Intake
from isolog.facts.dataset import Dataset
from isolog.facts.fields import parse_field, print_field
from isolog.facts.saving import replacement
from isolog.facts.streams import Progress, open_source
from isolog.facts.tabular import problems
from isolog.facts.triples import Spelling, triples
from isolog.source import Span

COLUMNS = ("subject", "predicate", "object")
_FROM = "read_parquet(?)"
_ROWS = 4096
_SPELLING = Spelling("Parquet", print_field, print_field, parse_field, "rdf:type")


def read_parquet(path: str, literals_as_names: bool = False, progress: Progress | None = None) -> Dataset:
    """The facts of a Parquet file."""
    with open_source(path):
        size = os.path.getsize(path)
    intake, findings = Intake(parse_field, literals_as_names), Findings()
    try:
        with duckdb.connect(config={"threads": 1}) as connection:
            pattern = glob.escape(path)
            check_columns(connection, _FROM, [pattern], path, findings)
            rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM {_FROM}", [pattern])
            _read_rows(rows, path, intake, findings)
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        hint = "where the suffix is wrong, `--format` says what the file is"
        raise InputError(Finding("E135", f"`{path}` cannot be read as Parquet: {reason}", hint=hint)) from error
    if progress is not None:
        progress(size)
    findings.raise_any()
    return intake.dataset()


def write_parquet(dataset: Dataset, path: str) -> None:
    """Writes the facts in increasing order."""
    rows = sorted(triples(dataset, _SPELLING))
    columns = {name: np.array([row[index] for row in rows], object) for index, name in enumerate(COLUMNS)}
    casts = ", ".join(f"{name}::VARCHAR AS {name}" for name in COLUMNS)
    try:
        with replacement(path) as temporary, duckdb.connect(config={"threads": 1}) as connection:
            connection.register("facts", columns)
            connection.sql(f"SELECT {casts} FROM facts").write_parquet(str(temporary))
    except duckdb.Error as error:
        raise InputError(Finding("E110", f"`{path}`: {error}")) from error


def check_columns(
    connection: duckdb.DuckDBPyConnection, relation: str, parameters: list[str], path: str, findings: Findings
) -> None:
    """Finds the columns that a relation of facts does not have, or not as text, and raises what was found."""
    described = connection.execute(f"DESCRIBE SELECT * FROM {relation}", parameters).fetchall()
    types = {str(column[0]): str(column[1]) for column in described}
    for name in COLUMNS:
        if name not in types:
            hint = f"it has {', '.join(f'`{column}`' for column in types)}"
            findings.add("E136", f"there is no column `{name}`", Span(path), hint)
        elif types[name] != "VARCHAR":
            findings.add("E136", f"the column `{name}` is of type {types[name]}, not text", Span(path))
    findings.raise_any()


def _read_rows(rows: duckdb.DuckDBPyConnection, path: str, intake: Intake, findings: Findings) -> None:
    first = 1
    while batch := rows.fetchmany(_ROWS):
        for index in intake.take(batch):
            fields = batch[index]
            wrong = [Finding("E137", "a missing value")] if None in fields else problems(fields, parse_field).values()
            if not wrong:
                intake.add(*fields)
            for finding in wrong:
                findings.add(finding.code, f"row {first + index:,}: {finding.message}", Span(path), finding.hint)
        first += len(batch)
