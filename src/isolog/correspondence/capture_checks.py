"""What a network can be asked about: positive rules over the unary and binary predicates that it knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isolog.datalog.rule_checks import rule_errors
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Rule
from isolog.datalog.treelike import TreeRule
from isolog.errors import Findings, InputError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function, Predicate, Term
from isolog.facts.text import print_atom, print_term
from isolog.source import Span


def check_rules(rules: Sequence[Rule], signature: Signature) -> None:
    """Raises what is wrong with the rules, or else everything that a network over the signature cannot speak of."""
    wrong = [finding for rule in rules for finding in rule_errors(rule)]
    if wrong:
        raise InputError(wrong)
    findings = Findings()
    for rule in rules:
        _check_atom(rule.head, signature, findings)
        _check_body(rule.body, signature, findings)
    findings.raise_any(UnsupportedError)


def check_tree_rules(rules: Sequence[TreeRule], signature: Signature) -> None:
    """Raises the predicates in the rules that are not in the signature."""
    findings = Findings()
    for predicate in {predicate: None for rule in rules for predicate in _predicates(rule)}:
        if predicate not in signature:
            _add_unknown(predicate, signature, findings)
    findings.raise_any(UnsupportedError)


def _predicates(rule: TreeRule) -> Iterator[Predicate]:
    formulas = [rule.body]
    yield Predicate(rule.head, 1)
    for formula in formulas:
        yield from (Predicate(label, 1) for label in formula.labels)
        yield from (Predicate(siblings.colour, 2) for siblings in formula.groups)
        formulas += formula.children


def _add_unknown(predicate: Predicate, signature: Signature, findings: Findings, span: Span | None = None) -> None:
    hint = signature.nearest(predicate) or "`isolog inspect` lists the predicates of a network"
    findings.add("E251", f"the network does not know `{predicate}`", span, hint)


def _check_body(body: Sequence[BodyLiteral], signature: Signature, findings: Findings) -> None:
    for literal in body:
        match literal:
            case Atom():
                _check_atom(literal, signature, findings)
            case Inequality():
                _check_terms((literal.left, literal.right), literal, findings)
            case Negation():
                hint = "leave it out: a network that captures that rule captures this one"
                findings.add("E252", f"`not {print_atom(literal.atom)}` cannot be tested", literal.span, hint)
            case Count():
                _check_body(literal.body, signature, findings)


def _check_atom(atom: Atom, signature: Signature, findings: Findings) -> None:
    if len(atom.arguments) not in (1, 2):
        hint = "make a term of each of its facts, and a binary predicate of each argument"
        findings.add("E250", f"`{atom.predicate}` is neither unary nor binary", atom.span, hint)
    elif atom.predicate not in signature:
        _add_unknown(atom.predicate, signature, findings, atom.span)
    _check_terms(atom.arguments, atom, findings)


def _check_terms(terms: Sequence[Term], within: Atom | Inequality, findings: Findings) -> None:
    for term in terms:
        if isinstance(term, Function):
            hint = "put a variable in its place: a network that captures that rule captures this one"
            findings.add("E253", f"`{print_term(term)}` is a function term", within.span, hint)
