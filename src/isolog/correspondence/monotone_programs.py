"""Programs that can be compared: without `not`, so that they grow with the data, and without function terms."""

from __future__ import annotations

from collections.abc import Iterator

from isolog.datalog.printer import print_rule
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Program, Rule
from isolog.errors import Finding, UnsupportedError
from isolog.facts.terms import Atom, Function, Term
from isolog.facts.text import print_term


def require_monotone(program: Program) -> None:
    """Raises what keeps the program from deriving ever more from ever more facts, or makes it invent terms."""
    findings = [finding for rule in program for finding in (*_negations(rule), *_functions(rule))]
    if findings:
        raise UnsupportedError(findings)


def _negations(rule: Rule) -> Iterator[Finding]:
    for atom, negated in body_atoms(rule.body):
        if negated:
            hint = "only programs without `not` are compared"
            yield Finding("E464", f"`{print_rule(rule)}` has a negation", atom.span, hint)


def _functions(rule: Rule) -> Iterator[Finding]:
    for term in (term for literal in (rule.head, *rule.body) for term in literal_terms(literal)):
        if isinstance(term, Function):
            hint = "only programs without function terms are compared"
            yield Finding("E465", f"`{print_rule(rule)}` has the function term `{print_term(term)}`", rule.span, hint)


def literal_terms(literal: BodyLiteral) -> Iterator[Term]:
    """The terms of a literal, those inside counts included."""
    match literal:
        case Atom():
            yield from literal.arguments
        case Inequality():
            yield from (literal.left, literal.right)
        case Count():
            yield from (term for inner in literal.body for term in literal_terms(inner))
        case _:
            yield from literal.atom.arguments
