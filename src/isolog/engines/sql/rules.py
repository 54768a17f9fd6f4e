"""The rules of a program, ready to become SQL: tree-like parts cut out, predicates and parts found in a session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from isolog.datalog.scope import ScopedRule, scoped
from isolog.datalog.stratify import TERMS, body_atoms
from isolog.datalog.syntax import Program, Rule
from isolog.engines.sql.bodies import rule_query
from isolog.engines.sql.concepts import ConceptRelations
from isolog.engines.sql.query import columns
from isolog.engines.sql.session import Session
from isolog.engines.sql.tree_parts import TreeParts
from isolog.facts.terms import Atom, Predicate

IsSettled = Callable[[Rule, Predicate], bool]


class Relations:
    """Where each predicate, each tree-like part and the terms of the data are at the moment."""

    def __init__(self, session: Session, parts: TreeParts) -> None:
        self.session = session
        self.tables: dict[Predicate, str] = {}
        self.terms: str | None = None
        self._parts = parts
        self.concepts = ConceptRelations(parts.concepts, self._feature, self._colour, session.define)

    def of(self, predicate: Predicate) -> str:
        """The relation of a predicate: its table, or that of the data."""
        return self.tables.get(predicate) or self.session.data(predicate)

    def relation(self, atom: Atom) -> str:
        """The relation that an atom is looked up in."""
        node = self._parts.node_of(atom)
        return self.of(atom.predicate) if node is None else self.concepts.relation(node)

    def all_terms(self) -> str:
        """The relation of the terms of the data."""
        return self.terms or self.session.data_terms()

    def define(self, query: str) -> str:
        """The name of a relation with the rows of the query."""
        return self.session.define(query)

    def _feature(self, number: int) -> str:
        return self.of(Predicate(list(self._parts.features)[number], 1))

    def _colour(self, number: int) -> str:
        name = list(self._parts.colours)[number]
        if name.startswith(self._parts.inverse):
            edges = self.of(Predicate(name.removeprefix(self._parts.inverse), 2))
            return f"(SELECT a2 AS a1, a1 AS a2 FROM {edges})"
        return self.of(Predicate(name, 2))


@dataclass(frozen=True, slots=True)
class _Instead:
    """The same relations, but for one atom."""

    relations: Relations
    atom: Atom
    table: str

    def relation(self, atom: Atom) -> str:
        """The table for the one atom, what it was for others."""
        return self.table if atom is self.atom else self.relations.relation(atom)

    def all_terms(self) -> str:
        """The terms of the data."""
        return self.relations.all_terms()

    def define(self, query: str) -> str:
        """The name of a relation with the rows of the query."""
        return self.relations.define(query)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A rule without its tree-like parts, and the relations it is evaluated in."""

    rule: ScopedRule
    relations: Relations

    @property
    def head(self) -> Predicate:
        """What it derives."""
        return self.rule.rule.head.predicate

    def query(self) -> str:
        """The facts that follow."""
        return rule_query(self.rule, self.relations.session.terms, self.relations)

    def changes(self, news: Mapping[Predicate, str], settled: Callable[[Predicate], bool]) -> list[str]:
        """Queries for all facts that follow by means of news; `news` are tables of what is new, per predicate.

        Direct atoms are matched with news one at a time. A rule that reads what is not settled in another way is
        evaluated as a whole.
        """
        body = self.rule.rule.body
        direct = [literal for literal in body if isinstance(literal, Atom) and not settled(literal.predicate)]
        others = [literal for literal in body if not isinstance(literal, Atom)]
        if any(not settled(atom.predicate) for atom, _ in body_atoms(others)):
            return [self.query()]
        if self.rule.unsafe and not settled(TERMS):
            return [self.query()]
        terms = self.relations.session.terms
        return [
            rule_query(self.rule, terms, _Instead(self.relations, atom, news[atom.predicate]))
            for atom in direct
            if atom.predicate in news
        ]


def compiled(program: Program, session: Session, is_settled: IsSettled) -> tuple[Relations, list[Compiled]]:
    """The rules of the program in order; `is_settled` says whether a predicate is complete before a rule is used."""
    parts = TreeParts.of(program)
    cut = [parts.cut(rule, lambda predicate, rule=rule: is_settled(rule, predicate)) for rule in program]
    relations = Relations(session, parts)
    atoms = [atom for rule in cut for atom, _ in body_atoms(rule.body)]
    relations.concepts.expect(node for atom in atoms if (node := parts.node_of(atom)) is not None)
    return relations, [Compiled(scoped(rule), relations) for rule in cut]


def union(queries: Iterable[str], predicate: Predicate, session: Session) -> str:
    """One query for the rows of all of them."""
    listed = ", ".join(columns(predicate.arity))
    parts = [f"SELECT {listed} FROM ({query}) AS part" for query in queries]
    return " UNION ".join(parts) or f"SELECT {listed} FROM {session.empty(predicate.arity)}"
