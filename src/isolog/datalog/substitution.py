"""Substitutions (paper §2): variables replaced by terms, in terms, atoms, literals and rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Rule
from isolog.facts.terms import Atom, Function, Term, Variable

Substitution: TypeAlias = Callable[[Variable], Term]
Renaming: TypeAlias = Callable[[Variable], Variable]


def substitute(term: Term, substitution: Substitution) -> Term:
    """The term with every occurrence of a variable replaced.

    >>> substitute(Function("g", ("a", Variable("X"))), lambda variable: "b")
    Function(symbol='g', arguments=('a', 'b'))
    """
    match term:
        case Variable():
            return substitution(term)
        case Function():
            return Function(term.symbol, tuple([substitute(argument, substitution) for argument in term.arguments]))
        case _:
            return term


def substitute_atom(atom: Atom, substitution: Substitution) -> Atom:
    """The atom with every occurrence of a variable replaced."""
    return Atom(atom.name, tuple([substitute(argument, substitution) for argument in atom.arguments]), atom.span)


def rename_literal(literal: BodyLiteral, renaming: Renaming) -> BodyLiteral:
    """The literal with every occurrence of a variable renamed, counted ones included."""
    match literal:
        case Atom():
            return substitute_atom(literal, renaming)
        case Inequality():
            return Inequality(substitute(literal.left, renaming), substitute(literal.right, renaming), literal.span)
        case Negation():
            return Negation(substitute_atom(literal.atom, renaming), literal.span)
        case Count():
            body = tuple(rename_literal(inner, renaming) for inner in literal.body)
            return Count(renaming(literal.variable), body, literal.at_least, literal.span)
        case _:
            assert_never(literal)


def rename_rule(rule: Rule, renaming: Renaming) -> Rule:
    """The rule with every occurrence of a variable renamed."""
    body = tuple(rename_literal(literal, renaming) for literal in rule.body)
    return Rule(substitute_atom(rule.head, renaming), body, rule.span)
