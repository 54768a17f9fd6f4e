"""What a database has to offer, so that programs can be evaluated in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from isolog.engines.sql.terms import Terms
from isolog.facts.terms import Predicate


class Session(ABC):
    """Relations in a database: those of the data, and those that are made of them. Columns are `a1`, `a2`, …

    The relations of data and the tables have distinct rows and no missing values.
    """

    terms: Terms

    @abstractmethod
    def data(self, predicate: Predicate) -> str:
        """The relation of the facts of the predicate, which may be none."""

    @abstractmethod
    def data_terms(self) -> str:
        """The relation of the terms of the data."""

    @abstractmethod
    def empty(self, arity: int) -> str:
        """A relation without rows."""

    @abstractmethod
    def define(self, query: str, *, once: bool = False) -> str:
        """The name of a table with the rows of the query; `once` promises that it is read only once."""

    @abstractmethod
    def extend(self, table: str, query: str) -> None:
        """Adds the rows of the query, which the table does not have, to the table."""

    @abstractmethod
    def has_facts(self, predicate: Predicate) -> bool:
        """Whether the data have facts of the predicate."""

    @abstractmethod
    def numbers(self, query: str) -> list[tuple[int | None, ...]]:
        """The rows of a query for a few numbers."""

    def number(self, query: str) -> int:
        """The one number that the query has as its result, 0 if that is missing."""
        ((number,),) = self.numbers(query)
        return number or 0

    def sizes(self, relations: Sequence[str]) -> list[int]:
        """How many rows the relations have, by one query."""
        counts = [f"SELECT {place} AS p, COUNT(*) AS size FROM {name}" for place, name in enumerate(relations)]
        rows = self.numbers(" UNION ALL ".join(counts)) if counts else []
        found = {row[0]: row[1] or 0 for row in rows}
        return [found[place] for place in range(len(relations))]
