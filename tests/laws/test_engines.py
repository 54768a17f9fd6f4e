"""All engines derive the same facts: those that the reference engine derives."""

from hypothesis import given
from hypothesis import strategies as st

from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program
from isolog.engines.duckdb import DuckDB
from isolog.engines.engine import Options
from isolog.engines.reference import Reference
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from support.small_programs import AUXILIARY, DATA, small_datasets, small_programs

ANY = (*DATA, *AUXILIARY)


def facts_of(engine: Reference | DuckDB, program: Program, dataset: Dataset, rounds: Rounds) -> Dataset | str:
    """What the engine derives, or the code of the limit that it reaches."""
    try:
        return engine.run(program, dataset, Options(rounds, max_term_depth=2))
    except LimitError as error:
        return error.findings[0].code


@given(small_programs(), small_datasets(ANY))
def test_one_round_in_duckdb(program: Program, dataset: Dataset) -> None:
    assert facts_of(DuckDB(), program, dataset, 1) == facts_of(Reference(), program, dataset, 1)


@given(st.booleans().flatmap(lambda deep: small_programs("fixpoint", invention=deep)), small_datasets(ANY))
def test_the_least_model_in_duckdb(program: Program, dataset: Dataset) -> None:
    assert facts_of(DuckDB(), program, dataset, "fixpoint") == facts_of(Reference(), program, dataset, "fixpoint")
