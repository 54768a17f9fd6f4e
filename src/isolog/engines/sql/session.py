"""What a database has to offer, so that programs can be evaluated in it."""

from __future__ import annotations

from abc import ABC, abstractmethod

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
    def number(self, query: str) -> int:
        """The one number that the query has as its result, 0 if that is missing."""

    def size(self, relation: str) -> int:
        """How many rows the relation has."""
        return self.number(f"SELECT COUNT(*) AS size FROM {relation}")
