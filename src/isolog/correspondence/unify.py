"""Unification (for composition, paper §3.2): the least substitution that makes terms equal, and literals under it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from isolog.datalog.substitution import substitute, substitute_atom
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation
from isolog.facts.terms import Atom, Function, Term, Variable

Bindings: TypeAlias = Mapping[Variable, Term]


def unify(left: Iterable[Term], right: Iterable[Term], bindings: Bindings) -> Bindings | None:
    """The least extension of the bindings that makes the terms equal, one by one; None if there is none.

    >>> X, Y = Variable("X"), Variable("Y")
    >>> resolved(X, unify([X, X], [Y, "a"], {}))
    'a'
    """
    found = dict(bindings)
    waiting = list(zip(left, right, strict=True))
    while waiting:
        one, other = (resolved(term, found) for term in waiting.pop())
        if one == other:
            continue
        if isinstance(other, Variable):
            found[other] = one
        elif isinstance(one, Variable):
            found[one] = other
        elif isinstance(one, Function) and isinstance(other, Function) and one.symbol == other.symbol:
            if len(one.arguments) != len(other.arguments):
                return None
            waiting += zip(one.arguments, other.arguments, strict=True)
        else:
            return None
    return found


def resolved(term: Term, bindings: Bindings) -> Term:
    """The term with every variable replaced by what it is bound to."""

    def value(variable: Variable) -> Term:
        return resolved(bindings[variable], bindings) if variable in bindings else variable

    return substitute(term, value)


def bind_atom(atom: Atom, bindings: Bindings) -> Atom:
    """The atom with its variables replaced."""
    return substitute_atom(atom, lambda variable: resolved(variable, bindings))


def bind_literal(literal: BodyLiteral, bindings: Bindings) -> BodyLiteral:
    """The literal with its variables replaced; what a count binds must not be bound."""
    match literal:
        case Atom():
            return bind_atom(literal, bindings)
        case Inequality():
            return Inequality(resolved(literal.left, bindings), resolved(literal.right, bindings), literal.span)
        case Negation():
            return Negation(bind_atom(literal.atom, bindings), literal.span)
        case Count():
            body = tuple(bind_literal(each, bindings) for each in literal.body)
            return Count(literal.variable, body, literal.at_least, literal.span)
