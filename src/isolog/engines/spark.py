"""The engine Spark (extra `[spark]`): the same SQL as for DuckDB, on one machine or on a cluster."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import count as integers
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from isolog.datalog.syntax import Program
from isolog.engines.engine import Engine, Options
from isolog.engines.sql.dataset_terms import DatasetTerms, deepest_term
from isolog.engines.sql.evaluation import least_model, one_round
from isolog.engines.sql.query import columns
from isolog.engines.sql.session import Session
from isolog.errors import Finding, IsologError, MissingExtraError
from isolog.facts.dataset import Dataset, Table
from isolog.facts.terms import Predicate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOCAL = "local[*]"
_FEW_ROWS = 2_000
_JAVA = (8, 21)
_names = integers(1)


@contextmanager
def session(master: str = LOCAL) -> Generator[SparkSession]:
    """A session on the cluster at the URL, by default on all cores of this machine, which is stopped at the end."""
    require_spark()
    from pyspark.sql import SparkSession

    settings = {"spark.ui.enabled": "false", "spark.log.level": "ERROR", "spark.sql.adaptive.enabled": "false"}
    if master.startswith("local"):
        settings["spark.sql.shuffle.partitions"] = str(2 * (os.cpu_count() or 1))
    builder = SparkSession.Builder().appName("isolog").master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        opened = builder.getOrCreate()
    except Exception as error:
        raise reported(error, master) from error
    try:
        yield opened
    finally:
        opened.stop()


def require_spark() -> None:
    """An error that says what to install, unless pyspark and a Java that it runs on are there."""
    try:
        import pyspark  # noqa: F401  # pyright: ignore[reportUnusedImport]  only whether it is there matters
    except ImportError as error:
        hint = "pip install 'isolog[spark]'"
        raise MissingExtraError(Finding("E507", "the engine `spark` needs the package pyspark", hint=hint)) from error
    version = java_version()
    if version is None or not _JAVA[0] <= version <= _JAVA[1]:
        found = "none was found" if version is None else f"Java {version} was found"
        hint = "install Java 17, for example `apt install openjdk-17-jre-headless`, and let JAVA_HOME name its folder"
        raise MissingExtraError(Finding("E508", f"Spark runs on Java {_JAVA[0]} to {_JAVA[1]}; {found}", hint=hint))


def java_version() -> int | None:
    """The version of the Java that Spark would start, if there is one."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    if shutil.which(java) is None:
        return None
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match[1]) if match else None


class SparkRelations(Session):
    """Views of a Spark session; nothing is computed before a number or a result is asked for."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self._prefix = f"isolog_{os.getpid()}_{next(_names)}"
        self._frames: dict[str, DataFrame] = {}

    def define(self, query: str, *, once: bool = False) -> str:
        """A view; what is read more than once is kept after it was computed first."""
        frame = self.spark.sql(query)
        return self.named(frame if once else self.kept(frame))

    def named(self, frame: DataFrame, name: str | None = None) -> str:
        """The frame as a view."""
        name = name or f"{self._prefix}_{len(self._frames)}"
        frame.createOrReplaceTempView(name)
        self._frames[name] = frame
        return name

    def kept(self, frame: DataFrame) -> DataFrame:
        """The frame, computed once, when it is needed first; a leaf of the plans that read it, which stay small."""
        return frame.localCheckpoint(False)

    def extend(self, table: str, query: str) -> None:
        """A new frame under the old name, a leaf of later plans, so that these do not grow with the rounds."""
        self.named(self.kept(self.spark.table(table).unionAll(self.spark.sql(query))), table)

    def numbers(self, query: str) -> list[tuple[int | None, ...]]:
        """The rows of the query."""
        return [tuple(row) for row in self.spark.sql(query).collect()]

    def forget(self) -> None:
        """Drops the views; what was kept of them goes with them."""
        for name in self._frames:
            self.spark.catalog.dropTempView(name)


class DatasetRelations(SparkRelations):
    """The tables of a dataset, sent to Spark when they are first asked for."""

    def __init__(self, spark: SparkSession, dataset: Dataset, program: Program) -> None:
        super().__init__(spark)
        self._dataset = dataset
        self._terms = DatasetTerms(dataset, program)
        self.terms = self._terms.terms
        self._loaded: dict[Predicate | None, str] = {}

    def data(self, predicate: Predicate) -> str:
        """A view of the facts."""
        if predicate not in self._loaded:
            table = self._dataset.tables.get(predicate)
            self._loaded[predicate] = self.empty(predicate.arity) if table is None else self._load(table)
        return self._loaded[predicate]

    def has_facts(self, predicate: Predicate) -> bool:
        """Whether the dataset has facts of the predicate."""
        return predicate in self._dataset.tables

    def data_terms(self) -> str:
        """A view of the terms."""
        if None not in self._loaded:
            numbers = self._dataset.term_numbers
            self._loaded[None] = self._load(numbers[:, None]) if len(numbers) else self.empty(1)
        return self._loaded[None]

    def empty(self, arity: int) -> str:
        """A view without rows."""
        kind = "STRING" if self._terms.structured and arity else "INT"
        return self.define(nothing(arity, kind), once=True)

    def derived(self, relations: dict[Predicate, str]) -> Dataset:
        """The facts of the relations, in one job."""
        widest = max((predicate.arity for predicate in relations), default=0)
        parts: list[str] = []
        for number, (predicate, relation) in enumerate(relations.items()):
            own = [*columns(predicate.arity), *["NULL"] * (widest - max(predicate.arity, 1))]
            listed = ", ".join([f"{column} AS b{place}" for place, column in enumerate(own)])
            parts.append(f"SELECT {number} AS p, {listed} FROM {relation}")
        rows: dict[int, list[tuple[object, ...]]] = {}
        for row in self.spark.sql(" UNION ALL ".join(parts)).collect() if parts else ():
            rows.setdefault(row[0], []).append(tuple(row[1:]))
        tables = {}
        for number, predicate in enumerate(relations):
            found = np.array(rows.get(number, []), object).reshape(-1, max(widest, 1))
            tables[predicate] = self._terms.table(found.T[: max(predicate.arity, 1)], predicate.arity)
        return Dataset.from_tables(self._dataset.vocabulary, tables)

    def _load(self, table: Table) -> str:
        listed = self._terms.columns(table)
        kind = "STRING" if self._terms.structured and table.shape[1] else "INT"
        schema = ", ".join([f"{column} {kind}" for column in listed])
        rows = list(zip(*(column.tolist() for column in listed.values())))
        if len(rows) > _FEW_ROWS:
            return self.named(self.spark.createDataFrame(rows, schema))
        quote = self.terms.quote
        values = ", ".join([f"({', '.join(quote(str(value)) for value in row)})" for row in rows])
        names = ", ".join(listed)
        return self.named(self.spark.sql(f"SELECT * FROM VALUES {values} AS given({names})"))


class Spark(Engine):
    """Evaluates programs on a Spark session: the given one, one that is made when it is needed, or by default one of
    its own on all cores of this machine."""

    name: ClassVar[str] = "spark"

    def __init__(self, spark: SparkSession | Callable[[], SparkSession] | None = None) -> None:
        self.spark = spark

    def derive(self, program: Program, dataset: Dataset, options: Options) -> Dataset:
        """Sends the tables that the program reads to Spark, and collects what was derived."""
        if self.spark is None:
            with session() as opened:
                return Spark(opened).derive(program, dataset, options)
        opened = self.spark() if callable(self.spark) else self.spark
        relations = DatasetRelations(opened, dataset, program)
        try:
            if options.rounds == 1:
                return relations.derived(one_round(program, relations))
            return relations.derived(least_model(program, relations, deepest_term(program, dataset, options)))
        except IsologError:
            raise
        except Exception as error:
            raise reported(error, "the session") from error
        finally:
            relations.forget()


def nothing(arity: int, kind: str) -> str:
    """A query without rows; the arguments are of this type."""
    return f"SELECT {', '.join(f'CAST(NULL AS {kind}) AS {column}' for column in columns(arity))} WHERE 1 = 0"


def reported(error: Exception, name: str) -> IsologError:
    """The error for what Spark could not do; anything that is not Spark's is raised as it is."""
    if not type(error).__module__.startswith(("py4j", "pyspark")):
        raise error
    first = str(error).strip().partition("\n")[0]
    return IsologError(Finding("E509", f"`{name}`: Spark stopped: {first}"))
