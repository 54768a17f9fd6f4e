"""Bodies of rules as SQL: joins of their atoms, `not` as NOT EXISTS, counts as grouped relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count as integers
from typing import Protocol, TypeAlias

from isolog.datalog.scope import ANONYMOUS, ScopedRule, free_variables, positive_variables
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, literal_variables
from isolog.engines.sql.query import Query, columns
from isolog.engines.sql.terms import Terms
from isolog.facts.terms import Atom, Variable

Given: TypeAlias = tuple[str, Sequence[Variable]]


class Surroundings(Protocol):
    """What a rule is evaluated in."""

    def relation(self, atom: Atom) -> str:
        """The relation that the atom is looked up in."""
        ...

    def all_terms(self) -> str:
        """The relation, with the column `a1`, of the terms of the data."""
        ...

    def define(self, query: str) -> str:
        """The name of a relation with the rows of the query."""
        ...


def rule_query(rule: ScopedRule, terms: Terms, around: Surroundings) -> str:
    """The query for the facts that follow by the rule, with the columns of its head."""
    head = rule.rule.head
    query = _Writer(rule, terms, around).query(rule.rule.body, dict.fromkeys(literal_variables(head)))
    return query.select(dict(zip(columns(len(head.arguments)), map(query.value, head.arguments))))


class _Writer:
    """Writes the scopes of one rule, much as the reference engine searches them."""

    def __init__(self, rule: ScopedRule, terms: Terms, around: Surroundings) -> None:
        self.rule = rule
        self.terms = terms
        self.around = around
        self.aliases = integers(1)
        self.numbers: dict[Variable, int] = {}

    def query(self, body: Iterable[BodyLiteral], wanted: Collection[Variable], given: Given | None = None) -> Query:
        """A query whose rows have the values of the wanted variables for which the body is true.

        `given` is a relation of values from outside. What shares no variable with what is wanted is only asked for
        one row.
        """
        linked, apart = _parts(body, {*wanted, *(given[1] if given else ())})
        checks = [self.joined(literals, ()).select({}) for literals in apart]
        return self.joined(linked, wanted, given, [f"({check} LIMIT 1)" for check in checks])

    def joined(
        self,
        body: Sequence[BodyLiteral],
        wanted: Collection[Variable],
        given: Given | None = None,
        checks: Iterable[str] = (),
    ) -> Query:
        """The same for a body whose literals belong together, beside relations that must have a row."""
        query = Query(self.terms, self.aliases)
        for check in checks:
            query.source(check)
        if given is not None:
            query.rows(given[0], self.columns(given[1]))
        for literal in body:
            if isinstance(literal, Atom):
                query.atom(literal, self.around.relation(literal))
        return self.tested(query, [literal for literal in body if not isinstance(literal, Atom)], wanted)

    def tested(self, query: Query, rest: list[BodyLiteral], wanted: Collection[Variable]) -> Query:
        """The query with all tests and counts, each as soon as what it needs is bound; what nothing else binds
        takes all values that it may have."""
        while True:
            for test in [each for each in rest if not isinstance(each, Count) and self.is_ready(each, query)]:
                rest.remove(test)
                self.test(test, query)
            ready = next((each for each in rest if isinstance(each, Count) and self.is_ready(each, query)), None)
            if ready is not None:
                rest.remove(ready)
                query = self.counted(ready, query, rest, wanted)
                continue
            missing = [v for v in [*(v for each in rest for v in self.needs(each)), *wanted] if v not in query.values]
            if not missing:
                return query
            query.rows(self.range(missing[0], rest, wanted), {missing[0]: "a1"})

    def needs(self, literal: BodyLiteral) -> list[Variable]:
        """The variables that must be bound before the literal can be asked."""
        if not isinstance(literal, Count):
            return [variable for variable in literal_variables(literal) if variable != ANONYMOUS]
        inside = {*positive_variables(literal.body)}
        return [variable for variable in self.rule.outer[literal] if variable not in inside]

    def is_ready(self, literal: BodyLiteral, query: Query) -> bool:
        """Whether all that the literal needs is bound."""
        return all(variable in query.values for variable in self.needs(literal))

    def test(self, literal: BodyLiteral, query: Query) -> None:
        """Adds an inequality or a negation."""
        match literal:
            case Inequality():
                query.differ(literal)
            case Negation():
                query.absent(literal.atom, self.around.relation(literal.atom))
            case _:
                raise AssertionError(f"{literal} is no test")

    def counted(self, count: Count, query: Query, rest: Sequence[BodyLiteral], wanted: Collection[Variable]) -> Query:
        """The query joined with the values of the outer variables that leave the counted one enough values."""
        needs, outer = self.needs(count), self.rule.outer[count]
        given: Given | None = None
        if needs:
            later = {*wanted, *outer, *(v for literal in rest for v in self.seen(literal))}
            kept = self.columns([variable for variable in query.values if variable in later])
            name = self.around.define(query.select({column: query.values[v] for v, column in kept.items()}))
            query = Query(self.terms, self.aliases)
            query.rows(name, kept)
            given = f"(SELECT DISTINCT {', '.join(self.columns(needs).values())} FROM {name})", needs
        inner = self.query(count.body, [*outer, count.variable], given)
        around = self.columns(outer)
        values = {column: inner.values[variable] for variable, column in around.items()}
        if count.at_least == 1:
            query.rows(f"({inner.select(values)})", around)
        else:
            query.rows(
                f"({_enough(inner.select({**values, 'counted': inner.values[count.variable]}), count, values)})", around
            )
        return query

    def seen(self, literal: BodyLiteral) -> Iterable[Variable]:
        """The variables of the scope that the literal speaks of."""
        return self.rule.outer[literal] if isinstance(literal, Count) else free_variables(literal)

    def range(self, variable: Variable, rest: Sequence[BodyLiteral], wanted: Collection[Variable]) -> str:
        """What a variable may be that no atom of its scope binds: a term of the data, or what an atom within one of
        its counts allows. If it only has to differ from others, one more than there are of these are enough."""
        if variable not in self.rule.unsafe:
            atom = next(_atoms_with(variable, rest))
            query = Query(self.terms, self.aliases)
            query.atom(atom, self.around.relation(atom))
            return f"({query.select({'a1': query.values[variable]})})"
        terms = self.around.all_terms()
        speaking = [literal for literal in rest if variable in self.seen(literal)]
        if variable in wanted or not all(isinstance(literal, Inequality) for literal in speaking):
            return terms
        return f"(SELECT a1 FROM {terms} LIMIT {len(speaking) + 1})"

    def columns(self, variables: Iterable[Variable]) -> dict[Variable, str]:
        """The names of columns for the variables."""
        return {v: f"v{self.numbers.setdefault(v, len(self.numbers))}" for v in variables}


def _enough(rows: str, count: Count, around: Iterable[str]) -> str:
    """The values around for which the rows, which are distinct, have enough counted ones."""
    listed = ", ".join(around)
    sums = f"SELECT {listed}{', ' if listed else ''}COUNT(*) AS times FROM ({rows}) AS counted_once"
    grouped = f"{sums} GROUP BY {listed}" if listed else sums
    return f"SELECT {listed or 'times'} FROM ({grouped}) AS sums WHERE times >= {count.at_least}"


def _parts(body: Iterable[BodyLiteral], anchors: set[Variable]) -> tuple[list[BodyLiteral], list[list[BodyLiteral]]]:
    """The literals that are linked to the anchors by shared variables, or have none; and the rest, in parts that
    share no variables."""
    linked: tuple[set[Variable], list[BodyLiteral]] = ({*anchors}, [])
    apart: list[tuple[set[Variable], list[BodyLiteral]]] = []
    for literal in body:
        variables = {*free_variables(literal)}
        touched = [part for part in (linked, *apart) if part[0] & variables or (part is linked and not variables)]
        merged = touched[0] if touched else ({*variables}, [])
        if not touched:
            apart.append(merged)
        merged[0].update(variables, *(part[0] for part in touched[1:]))
        merged[1].extend([literal, *(each for part in touched[1:] for each in part[1])])
        apart = [part for part in apart if not any(part is other for other in touched[1:])]
    return linked[1], [part for _, part in apart]


def _atoms_with(variable: Variable, literals: Iterable[BodyLiteral]) -> Iterator[Atom]:
    """The atoms with the variable, those within counts too."""
    for literal in literals:
        if isinstance(literal, Atom) and variable in literal_variables(literal):
            yield literal
        elif isinstance(literal, Count):
            yield from _atoms_with(variable, literal.body)
