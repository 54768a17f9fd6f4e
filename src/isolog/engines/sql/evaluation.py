"""Programs in a session: one round, or the least model by semi-naive evaluation, stratum by stratum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from isolog.datalog.stratify import Dependency, auxiliary_dependencies, dependencies, strata
from isolog.datalog.syntax import Program
from isolog.engines.limits import too_deep
from isolog.engines.sql.query import columns
from isolog.engines.sql.rules import Compiled, Relations, compiled, union
from isolog.engines.sql.session import Session
from isolog.engines.sql.terms import depth
from isolog.facts.terms import Predicate


def one_round(program: Program, session: Session) -> dict[Predicate, str]:
    """T_P: relations of what the rules derive from the data, per predicate that is not auxiliary."""
    relations, rules = compiled(program, session, lambda rule, predicate: True)
    for stratum in strata(program.auxiliary, auxiliary_dependencies(program)):
        for predicate in sorted(stratum):
            queries = [rule.query() for rule in rules if rule.head == predicate]
            relations.tables[predicate] = session.define(union(queries, predicate, session))
    heads = sorted({rule.head for rule in rules} - program.auxiliary)
    queries_of = {head: [rule.query() for rule in rules if rule.head == head] for head in heads}
    return {head: session.define(union(queries, head, session), once=True) for head, queries in queries_of.items()}


def least_model(program: Program, session: Session, deepest: int | None) -> dict[Predicate, str]:
    """Tables of what the rules derive in the least model of program and data; function terms may be so deep."""
    order = strata({rule.head.predicate for rule in program}, dependencies(program))
    stratum_of = {predicate: stratum for stratum in order for predicate in stratum}
    relations, rules = compiled(program, session, lambda rule, p: p not in stratum_of[rule.head.predicate])
    growth = _Growth(program, session, relations, deepest)
    if any(rule.rule.unsafe for rule in rules):
        relations.terms = session.define(f"SELECT a1 FROM {session.data_terms()}")
    for level in _levels(order, dependencies(program)):
        members = [rule for rule in rules if rule.head in level]
        if members:
            growth.settle(members, lambda predicate, level=level: predicate not in level)
    return {predicate: table for predicate, table in growth.derived.items() if predicate not in program.auxiliary}


def _levels(order: Sequence[frozenset[Predicate]], found: Iterable[Dependency]) -> list[frozenset[Predicate]]:
    """Strata that do not depend on each other are settled together: the predicates by the length of the longest chain
    of strata below them."""
    on: dict[Predicate, set[Predicate]] = {}
    for dependency in found:
        on.setdefault(dependency.head, set()).add(dependency.on)
    depth_of: dict[Predicate, int] = {}
    for stratum in order:
        below = {other for predicate in stratum for other in on.get(predicate, ())} - stratum
        depth_of |= dict.fromkeys(stratum, 1 + max((depth_of[other] for other in below), default=-1))
    levels: dict[int, set[Predicate]] = {}
    for predicate, level in depth_of.items():
        levels.setdefault(level, set()).add(predicate)
    return [frozenset(levels[level]) for level in sorted(levels)]


class _Growth:
    """The least model as it grows: `derived` has what rules derived, `relations` that and the data."""

    def __init__(self, program: Program, session: Session, relations: Relations, deepest: int | None) -> None:
        self.auxiliary = program.auxiliary
        self.session = session
        self.relations = relations
        self.deepest = deepest
        self.derived: dict[Predicate, str] = {}
        self.rounds = 0

    def settle(self, rules: list[Compiled], settled: Callable[[Predicate], bool]) -> None:
        """Adds what follows by the rules of some strata, which do not depend on each other, until nothing is new."""
        for head in dict.fromkeys(rule.head for rule in rules):
            listed = ", ".join(columns(head.arity))
            nothing = self.session.empty(head.arity)
            given = nothing if head in self.auxiliary else self.session.data(head)
            self.relations.tables[head] = self.session.define(f"SELECT {listed} FROM {given}")
            has_data = head not in self.auxiliary and self.session.has_facts(head)
            self.derived[head] = self.session.define(f"SELECT {listed} FROM {nothing}") if has_data else ""
        news = self.absorb({head: [rule.query() for rule in rules if rule.head == head] for head in self._heads(rules)})
        while news:
            found = {
                head: [q for r in rules if r.head == head for q in r.changes(news, settled)]
                for head in self._heads(rules)
            }
            news = self.absorb({head: queries for head, queries in found.items() if queries})
        for head, table in self.derived.items():
            self.derived[head] = table or self.relations.tables[head]

    def _heads(self, rules: Iterable[Compiled]) -> list[Predicate]:
        return sorted({rule.head for rule in rules})

    def absorb(self, queries: dict[Predicate, list[str]]) -> dict[Predicate, str]:
        """Adds the rows of the queries; tables of those that are new, per predicate that has some."""
        self.rounds += 1
        found = {head: self.session.define(union(each, head, self.session)) for head, each in queries.items()}
        for head, table in found.items():
            self.check_depth(head, table)
        fresh: dict[Predicate, str] = {}
        for head, table in found.items():
            if self.derived[head]:
                self.session.extend(self.derived[head], self.without(head, table, self.derived[head]))
            fresh[head] = self.session.define(self.without(head, table, self.relations.tables[head]))
        sizes = self.session.sizes([*fresh.values()])
        news = {head: table for (head, table), size in zip(fresh.items(), sizes) if size}
        for head, table in news.items():
            self.session.extend(self.relations.tables[head], f"SELECT {', '.join(columns(head.arity))} FROM {table}")
        self.add_terms(news)
        return news

    def without(self, head: Predicate, table: str, other: str) -> str:
        """The rows of one table that another does not have."""
        listed = ", ".join(columns(head.arity))
        return f"SELECT {listed} FROM {table} EXCEPT SELECT {listed} FROM {other}"

    def check_depth(self, head: Predicate, table: str) -> None:
        """Refuses function terms that are nested too deeply."""
        if self.deepest is None or not head.arity:
            return
        depths = " UNION ALL ".join([f"SELECT {depth(column)} AS d FROM {table}" for column in columns(head.arity)])
        if self.session.number(f"SELECT MAX(d) AS deepest FROM ({depths}) AS depths") > self.deepest:
            known = [self.derived[p] or self.relations.tables[p] for p in self.derived if p not in self.auxiliary]
            raise too_deep(head, self.deepest, self.rounds, sum(self.session.sizes(known)))

    def add_terms(self, news: dict[Predicate, str]) -> None:
        """The arguments of new facts are terms of the data."""
        terms = self.relations.terms
        parts = [
            f"SELECT {column} AS a1 FROM {table}"
            for predicate, table in news.items()
            if predicate not in self.auxiliary and predicate.arity
            for column in columns(predicate.arity)
        ]
        if terms is not None and parts:
            self.session.extend(
                terms, f"SELECT a1 FROM ({' UNION '.join(parts)}) AS added EXCEPT SELECT a1 FROM {terms}"
            )
