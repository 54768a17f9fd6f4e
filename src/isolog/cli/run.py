"""`isolog run`: apply a program."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.delivery import Delivery
from isolog.cli.options import Data, Format, IgnoreUnknown, Json, New, Out, ProgramFile, Quiet, WithInput
from isolog.cli.output import say, warn
from isolog.cli.support import with_support

if TYPE_CHECKING:
    from isolog.datalog.syntax import Program
    from isolog.engines.engine import Engine, Options
    from isolog.facts.dataset import Dataset


SparkMaster: TypeAlias = Annotated[
    str, typer.Option("--spark-master", metavar="URL", help="The cluster for the engine spark.")
]


class Rounds(StrEnum):
    """One round of the rules, or as many as it takes."""

    ONE = "1"
    FIXPOINT = "fixpoint"


class EngineName(StrEnum):
    """The engines there are."""

    AUTO = "auto"
    GRAPH = "graph"
    DUCKDB = "duckdb"
    SPARK = "spark"
    REFERENCE = "reference"


def command(
    program: ProgramFile,
    data: Data,
    output: Out = "-",
    with_input: WithInput = False,
    new: New = False,
    rounds: Annotated[Rounds, typer.Option("--rounds", help="One round, or the least fixpoint.")] = Rounds.ONE,
    support: Annotated[
        bool, typer.Option("--support", help="Say what each rule derives, and how much of it the data have.")
    ] = False,
    engine: Annotated[EngineName, typer.Option("--engine", help="What evaluates the program.")] = EngineName.AUTO,
    spark_master: SparkMaster = "local[*]",
    ignore_unknown: IgnoreUnknown = False,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the facts that a program derives from data.

    Parquet files, and DuckDB databases with a table `facts`, are read in place by the engines duckdb and spark.
    """
    from isolog.datalog.checks import check
    from isolog.datalog.parser import read_program
    from isolog.engines.engine import Options

    if support and rounds is Rounds.FIXPOINT:
        raise typer.BadParameter("--support speaks of one round")
    delivery = Delivery(output, Formats.parse(format), with_input, new, json, quiet)
    rules = read_program(program)
    options = Options(1 if rounds is Rounds.ONE else "fixpoint", ignore_unknown)
    warn(check(rules, rounds=options.rounds), quiet)
    if not support and _in_place(data, engine, delivery, ignore_unknown):
        _run_in_place(rules, data, engine, delivery, options, spark_master)
        return
    dataset = read_data(data, delivery.formats, quiet)
    with _engine(engine, rules, dataset, spark_master, quiet) as chosen:
        told = with_support(delivery, rules, dataset, chosen, ignore_unknown) if support else delivery
        told.deliver(chosen.run(rules, dataset, options), dataset, chosen.name)


def _in_place(data: str, engine: EngineName, delivery: Delivery, ignore_unknown: bool) -> bool:
    """Whether the facts stay where they are; what `--ignore-unknown` leaves out could not be written with the input."""
    from isolog.engines.sql.files import is_database, stays_in_place
    from isolog.errors import Finding, UnsupportedError

    if is_database(data) and engine not in (EngineName.AUTO, EngineName.DUCKDB):
        hint = "use the engine `duckdb`, or export the table to Parquet"
        raise UnsupportedError(Finding("E506", f"the engine `{engine}` does not read DuckDB databases", hint=hint))
    suits = engine in (EngineName.AUTO, EngineName.DUCKDB, EngineName.SPARK) and delivery.formats.read is None
    left_out = ignore_unknown and delivery.with_input and not is_database(data)
    return suits and stays_in_place(data) and not left_out


def _run_in_place(
    program: Program, data: str, engine: EngineName, delivery: Delivery, options: Options, master: str
) -> None:
    from isolog.engines.sql.files import Request
    from isolog.facts.files import format_of

    target = delivery.output if format_of(delivery.output, delivery.formats.write) == "parquet" else None
    request = Request(data, target, delivery.with_input, delivery.new, options)
    if engine is EngineName.SPARK:
        from isolog.engines.spark import session
        from isolog.engines.spark_files import run_files as run_spark

        with session(master) as spark:
            tally, chosen = run_spark(program, request, spark)
    else:
        from isolog.engines.duckdb_files import run_files

        if engine is EngineName.AUTO:
            say(f"engine duckdb: `{data}` is read in place", delivery.quiet)
        tally, chosen = run_files(program, request)
    name = "spark" if engine is EngineName.SPARK else "duckdb"
    if chosen is not None:
        delivery.hand_over(chosen, tally.derived, tally.new, name)
    else:
        delivery.report({"derived": tally.derived, "new": tally.new, "written": tally.written, "engine": name})


@contextmanager
def _engine(wanted: EngineName, program: Program, dataset: Dataset, master: str, quiet: bool) -> Generator[Engine]:
    """The engine by that name, or the one that suits; a Spark session ends with it."""
    from isolog.engines.choice import choose, engine_named

    if wanted is EngineName.SPARK:
        from isolog.engines.spark import Spark, session

        with session(master) as spark:
            yield Spark(spark)
        return
    if wanted is EngineName.AUTO:
        choice = choose(program, len(dataset))
        say(f"engine {choice.name}: {choice.why}", quiet)
        yield choice.engine
        return
    yield engine_named(wanted.value)
