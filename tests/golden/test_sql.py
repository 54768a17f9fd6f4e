"""Both databases understand every statement: it parses in both dialects, and says the same in both."""

from __future__ import annotations

import pytest
import sqlglot

from isolog.engines.sql.dataset_terms import DatasetTerms
from isolog.engines.sql.evaluation import one_round
from isolog.engines.sql.query import columns
from isolog.engines.sql.session import Session
from isolog.facts.files import read_facts
from isolog.facts.terms import Predicate
from support.corpus import CASES, Case

WORDS = """
    SELECT DISTINCT FROM AS JOIN CROSS ON WHERE AND OR NOT EXISTS GROUP BY UNION ALL EXCEPT LIMIT CASE WHEN THEN ELSE
    END CAST INTEGER COUNT substring length concat greatest
"""
ALLOWED = frozenset(WORDS.split())
CAN_BE_MISSING = {"CAST", "concat"}
"""Where the dialects differ, but only on missing values, which relations do not have."""
NAMES = frozenset({"sums", "times", "part", "counted", "terms"})


class Recorder(Session):
    """Writes statements down instead of running them."""

    def __init__(self, case: Case) -> None:
        self.statements: list[str] = []
        self.terms = DatasetTerms(read_facts(case.data_file), case.program()).terms

    def data(self, predicate: Predicate) -> str:
        return f"data{predicate.arity}"

    def has_facts(self, predicate: Predicate) -> bool:
        return True

    def data_terms(self) -> str:
        return "terms"

    def empty(self, arity: int) -> str:
        return f"empty{len(columns(arity))}"

    def define(self, query: str, *, once: bool = False) -> str:
        self.statements.append(query)
        return f"r{len(self.statements)}"

    def extend(self, table: str, query: str) -> None:
        self.statements.append(query)

    def numbers(self, query: str) -> list[tuple[int | None, ...]]:
        raise AssertionError("one round asks for no numbers")


@pytest.mark.parametrize("case", [case for case in CASES if case.expected.name == "expected.dl"], ids=lambda c: c.name)
def test_statements_are_common_to_both(case: Case) -> None:
    session = Recorder(case)
    one_round(case.program(), session)
    for statement in session.statements:
        duck, spark = (sqlglot.parse_one(statement, read=dialect) for dialect in ("duckdb", "spark"))
        if not CAN_BE_MISSING & {*statement.replace("(", " ").split()}:
            assert duck.sql() == spark.sql()
        words = [token for token in sqlglot.tokenize(statement) if token.token_type.name != "STRING"]
        assert {token.text for token in words if token.text.isalpha() and len(token.text) > 1} <= ALLOWED | NAMES
