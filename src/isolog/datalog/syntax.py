"""Rules and programs (paper §2), with inequalities, `not`, counting atoms and the directives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate, Term, Variable, variables_of
from isolog.source import Span


@dataclass(frozen=True, slots=True)
class Inequality:
    """`left != right`."""

    left: Term
    right: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Negation:
    """`not atom`; a `_` in the atom is existential inside it."""

    atom: Atom
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Count:
    """`#count{variable : body} >= at_least`: at least so many distinct values of the variable satisfy the body.

    Variables that occur nowhere else in the rule are existential inside, for each value.
    """

    variable: Variable
    body: tuple[BodyLiteral, ...]
    at_least: int
    span: Span | None = field(default=None, compare=False, repr=False)


BodyLiteral: TypeAlias = Atom | Inequality | Negation | Count


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body`; the empty body is `true`."""

    head: Atom
    body: tuple[BodyLiteral, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def body_atoms(self) -> tuple[Atom, ...]:
        """The positive atoms of the body, those inside counts not included."""
        return tuple(literal for literal in self.body if isinstance(literal, Atom))


@dataclass(frozen=True, slots=True)
class Program:
    """Rules in order, and what the directives say."""

    rules: tuple[Rule, ...] = ()
    auxiliary: frozenset[Predicate] = frozenset()
    signature: Signature | None = None
    prefixes: tuple[tuple[str, str], ...] = ()

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)


def literal_variables(literal: BodyLiteral) -> Iterator[Variable]:
    """The variables of a body literal, once per occurrence, those inside counts included."""
    match literal:
        case Atom():
            for argument in literal.arguments:
                yield from variables_of(argument)
        case Inequality():
            yield from variables_of(literal.left)
            yield from variables_of(literal.right)
        case Negation():
            yield from literal_variables(literal.atom)
        case Count():
            yield literal.variable
            for inner in literal.body:
                yield from literal_variables(inner)


def rule_variables(rule: Rule) -> tuple[Variable, ...]:
    """The distinct variables of a rule in order of first occurrence, head first."""
    found = dict.fromkeys(literal_variables(rule.head))
    for literal in rule.body:
        found.update(dict.fromkeys(literal_variables(literal)))
    return tuple(found)
