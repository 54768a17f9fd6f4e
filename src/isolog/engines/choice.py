"""Which engine applies a program, by name or by what suits the program and the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from isolog.datalog.checks import Rounds, check
from isolog.datalog.parser import program_of
from isolog.datalog.syntax import Program
from isolog.engines.engine import MAX_TERM_DEPTH, Engine, Options
from isolog.errors import Finding, InputError, LimitError, UnsupportedError
from isolog.facts.dataset import Dataset

AUTO = "auto"
FEW_FACTS = 500


def _reference() -> Engine:
    from isolog.engines.reference import Reference

    return Reference()


def _graph() -> Engine:
    from isolog.engines.graph import Graph

    return Graph()


def _duckdb() -> Engine:
    from isolog.engines.duckdb import DuckDB

    return DuckDB()


def _spark() -> Engine:
    from isolog.engines.spark import Spark

    return Spark()


ENGINES: dict[str, Callable[[], Engine]] = {
    "graph": _graph,
    "duckdb": _duckdb,
    "spark": _spark,
    "reference": _reference,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """An engine by its name, and why it is the one."""

    name: str
    why: str

    @property
    def engine(self) -> Engine:
        """The engine."""
        return ENGINES[self.name]()


def choose(program: Program, facts: int) -> Choice:
    """The engine for a program on so many facts in memory.

    >>> from isolog.datalog.parser import parse
    >>> choose(parse("p(X) :- r(X, Y), A(Y)."), 1_000_000)
    Choice(name='graph', why='all rules are tree-like')
    """
    from isolog.engines.graph import Prepared

    if facts <= FEW_FACTS:
        return Choice("reference", f"no more than {FEW_FACTS:,} facts")
    try:
        Prepared(program)
    except UnsupportedError as error:
        return Choice("duckdb", f"not all rules are tree-like: {error.findings[0].message}")
    except LimitError as error:
        return Choice("duckdb", error.findings[0].message)
    return Choice("graph", "all rules are tree-like")


def engine_named(name: str) -> Engine:
    """The engine with this name."""
    if name not in ENGINES:
        known = ", ".join(f"`{each}`" for each in (AUTO, *ENGINES))
        raise InputError(Finding("E501", f"there is no engine `{name}`", hint=f"the engines are {known}"))
    return ENGINES[name]()


def run(
    program: Program | str | Path,
    dataset: Dataset,
    *,
    engine: str | Engine = AUTO,
    rounds: Rounds = 1,
    ignore_unknown: bool = False,
    max_term_depth: int = MAX_TERM_DEPTH,
) -> Dataset:
    """The facts that the program derives from the dataset, also those that the dataset has; no auxiliary ones.

    The program may be given as text or by its file. All engines derive the same facts; `auto` takes the one that suits
    the program and the data.

    >>> from isolog.facts.terms import Atom
    >>> friends = Dataset.from_facts([Atom("friend", ("ann", "bob"))])
    >>> [fact.arguments for fact in run("friend(X, Y) :- friend(Y, X).", friends, engine="duckdb")]
    [('bob', 'ann')]
    """
    program = program_of(program)
    if isinstance(engine, str):
        if engine == AUTO:
            check(program, rounds)
            engine = choose(program, len(dataset)).name
        engine = engine_named(engine)
    return engine.run(program, dataset, Options(rounds, ignore_unknown, max_term_depth))
