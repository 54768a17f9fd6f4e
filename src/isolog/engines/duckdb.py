"""The engine DuckDB: programs as SQL in an embedded database."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

import duckdb
import numpy as np

from isolog.datalog.syntax import Program
from isolog.engines.engine import Engine, Options
from isolog.engines.sql.dataset_terms import DatasetTerms, deepest_term
from isolog.engines.sql.evaluation import least_model, one_round
from isolog.engines.sql.session import Session
from isolog.errors import Finding, InputError, IsologError, LimitError
from isolog.facts.dataset import Dataset, Table
from isolog.facts.terms import Predicate


@dataclass(frozen=True, slots=True)
class Resources:
    """What DuckDB may use: memory as it writes it (`"4GB"`), threads, and a folder for what does not fit."""

    memory: str | None = None
    threads: int | None = None
    folder: str | None = None


@contextmanager
def connection(resources: Resources) -> Generator[duckdb.DuckDBPyConnection]:
    """An empty database in memory, which spills into a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="isolog-", dir=resources.folder) as folder:
        settings: dict[str, str | bool | int | float | list[str]] = {"temp_directory": folder}
        settings["preserve_insertion_order"] = False
        settings |= {"memory_limit": resources.memory} if resources.memory else {}
        settings |= {"threads": resources.threads} if resources.threads else {}
        with duckdb.connect(":memory:", config=settings) as opened:
            yield opened


class DuckDBSession(Session):
    """Tables in a DuckDB database."""

    def __init__(self, opened: duckdb.DuckDBPyConnection) -> None:
        self.connection = opened
        self._defined = 0

    def define(self, query: str, *, once: bool = False) -> str:
        """A table, made at once."""
        self._defined += 1
        name = f"r{self._defined}"
        self.connection.execute(f"CREATE TABLE {name} AS {query}")
        return name

    def extend(self, table: str, query: str) -> None:
        """Inserts the rows."""
        self.connection.execute(f"INSERT INTO {table} {query}")

    def numbers(self, query: str) -> list[tuple[int | None, ...]]:
        """The rows of the query."""
        return self.connection.execute(query).fetchall()


class DatasetSession(DuckDBSession):
    """The tables of a dataset, copied into the database when they are first asked for."""

    def __init__(self, opened: duckdb.DuckDBPyConnection, dataset: Dataset, program: Program) -> None:
        super().__init__(opened)
        self._dataset = dataset
        self._held = DatasetTerms(dataset, program)
        self.terms = self._held.terms
        self._loaded: dict[Predicate | None, str] = {}

    def data(self, predicate: Predicate) -> str:
        """A table with the facts."""
        if predicate not in self._loaded:
            nothing = np.empty((0, predicate.arity), np.int32)
            self._loaded[predicate] = self._load(self._dataset.tables.get(predicate, nothing))
        return self._loaded[predicate]

    def has_facts(self, predicate: Predicate) -> bool:
        """Whether the dataset has facts of the predicate."""
        return predicate in self._dataset.tables

    def data_terms(self) -> str:
        """A table with the terms."""
        if None not in self._loaded:
            self._loaded[None] = self._load(self._dataset.term_numbers[:, None])
        return self._loaded[None]

    def empty(self, arity: int) -> str:
        """A table without rows."""
        return self._load(np.empty((0, arity), np.int32))

    def derived(self, relations: dict[Predicate, str]) -> Dataset:
        """The facts of the relations."""
        tables = {}
        for predicate, relation in relations.items():
            columns = self.connection.execute(f"SELECT * FROM {relation}").fetchnumpy().values()
            tables[predicate] = self._held.table([np.ma.getdata(column) for column in columns], predicate.arity)
        return Dataset.from_tables(self._dataset.vocabulary, tables)

    def _load(self, table: Table) -> str:
        columns = self._held.columns(table)
        kind = "VARCHAR" if self._held.structured and table.shape[1] else "INTEGER"
        listed = ", ".join([f"CAST({column} AS {kind}) AS {column}" for column in columns])
        self.connection.register("incoming", columns)
        name = self.define(f"SELECT {listed} FROM incoming")
        self.connection.unregister("incoming")
        return name


class DuckDB(Engine):
    """Evaluates programs in an embedded DuckDB."""

    name: ClassVar[str] = "duckdb"

    def __init__(self, resources: Resources | None = None) -> None:
        self.resources = resources or Resources()

    def derive(self, program: Program, dataset: Dataset, options: Options) -> Dataset:
        """Copies the tables that the program reads into the database, and reads from it what was derived."""
        try:
            return self._derive(program, dataset, options)
        except duckdb.Error as error:
            raise reported(error, "the database in memory") from error

    def _derive(self, program: Program, dataset: Dataset, options: Options) -> Dataset:
        with connection(self.resources) as opened:
            session = DatasetSession(opened, dataset, program)
            if options.rounds == 1:
                return session.derived(one_round(program, session))
            deepest = deepest_term(program, dataset, options)
            return session.derived(least_model(program, session, deepest))


def reported(error: duckdb.Error, name: str) -> IsologError:
    """The error for what DuckDB could not do."""
    message = str(error).partition("\n")[0]
    if isinstance(error, duckdb.OutOfMemoryException):
        hint = "allow more memory, or a folder with more room for what does not fit"
        return LimitError(Finding("E504", f"DuckDB ran out of room: {message}", hint=hint))
    if "lock" in message:
        hint = "another program has it open; close that, or work on a copy"
        return InputError(Finding("E502", f"`{name}` is locked: {message}", hint=hint))
    return InputError(Finding("E503", f"`{name}`: DuckDB stopped: {message}"))
