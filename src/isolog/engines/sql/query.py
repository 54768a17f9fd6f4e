"""A conjunctive query in the making: sources, conditions, and which expression each variable has as its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count as integers

from isolog.datalog.scope import ANONYMOUS
from isolog.datalog.syntax import Inequality
from isolog.engines.sql.terms import Terms
from isolog.facts.terms import Atom, Function, Term, Variable, variables_of

NOTHING = "a0"
"""The only column of a relation without arguments."""


def columns(arity: int) -> list[str]:
    """The columns of a relation with so many arguments; one without any has a column of ones."""
    return [f"a{place}" for place in range(1, arity + 1)] or [NOTHING]


class Query:
    """`SELECT DISTINCT … FROM … WHERE …` over relations with the columns `a1`, `a2`, …; relations for `v` have `v`."""

    def __init__(self, terms: Terms, aliases: Iterator[int] | None = None) -> None:
        self.terms = terms
        self.values: dict[Variable, str] = {}
        self._sources: list[str] = []
        self._conditions: list[str] = []
        self._aliases = integers(1) if aliases is None else aliases

    def source(self, relation: str) -> str:
        """Joins a relation, and gives it a name of its own."""
        alias = f"t{next(self._aliases)}"
        self._sources.append(f"{relation} AS {alias}")
        return alias

    def atom(self, atom: Atom, relation: str) -> None:
        """The atom is a row of the relation."""
        alias = self.source(relation)
        for place, argument in enumerate(atom.arguments, 1):
            self._conditions += self._matching(argument, f"{alias}.a{place}")

    def rows(self, relation: str, bound: Mapping[Variable, str]) -> None:
        """The variables have the values of these columns in some row of the relation."""
        alias = self.source(relation)
        for variable, column in bound.items():
            self._conditions += self._matching(variable, f"{alias}.{column}")

    def absent(self, atom: Atom, relation: str) -> None:
        """The atom, whose variables are bound but for `_`, is no row of the relation."""
        alias = f"t{next(self._aliases)}"
        arguments = enumerate(atom.arguments, 1)
        found = [part for place, term in arguments for part in self._matching(term, f"{alias}.a{place}")]
        self._conditions.append(f"NOT EXISTS (SELECT 1 FROM {relation} AS {alias}{_where(found)})")

    def differ(self, inequality: Inequality) -> None:
        """The two sides, whose variables are bound, differ."""
        self._conditions.append(f"{self.value(inequality.left)} <> {self.value(inequality.right)}")

    def value(self, term: Term) -> str:
        """The expression for a term whose variables are bound."""
        return self.terms.expression(term, self.values.__getitem__)

    def select(self, expressions: Mapping[str, str]) -> str:
        """The distinct values of the expressions, by column; for none of them, whether there is a row."""
        listed = ", ".join([f"{value} AS {column}" for column, value in expressions.items()]) or f"1 AS {NOTHING}"
        sources = f" FROM {' CROSS JOIN '.join(self._sources)}" if self._sources else ""
        return f"SELECT DISTINCT {listed}{sources}{_where(self._conditions)}"

    def _matching(self, pattern: Term, value: str) -> Iterator[str]:
        """The conditions under which the value matches; unbound variables become bound."""
        if pattern == ANONYMOUS:
            return
        if isinstance(pattern, Variable) and pattern not in self.values:
            self.values[pattern] = value
        elif isinstance(pattern, Function) and not all(v in self.values for v in variables_of(pattern)):
            yield self.terms.is_made(pattern, value)
            for place, argument in enumerate(pattern.arguments):
                yield from self._matching(argument, self.terms.part(pattern, value, place))
        else:
            yield f"{value} = {self.value(pattern)}"


def _where(conditions: Iterable[str]) -> str:
    text = " AND ".join(conditions)
    return f" WHERE {text}" if text else ""
