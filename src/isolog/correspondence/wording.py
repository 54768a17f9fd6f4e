"""Rules as people read them: short names of variables, atoms that connect from the head on, inequalities last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Rule, literal_variables, rule_variables
from isolog.facts.terms import Atom, Variable


def readable(rule: Rule) -> Rule:
    """The same rule with the variables X, Y, Z, … and its literals in a natural order.

    >>> from isolog.datalog.parser import parse_rule
    >>> from isolog.datalog.printer import print_rule
    >>> print_rule(readable(parse_rule("p(V1, V2) :- V1 != V3, r(V3, V2), q(V1, V3).")))
    'p(X, Y) :- q(X, Z), r(Z, Y), X != Z.'
    """
    ordered = Rule(rule.head, tuple(_ordered(rule)), rule.span)
    names = dict(zip(rule_variables(ordered), _letters()))
    return rename_rule(ordered, lambda variable: names.get(variable, variable))


def _ordered(rule: Rule) -> Iterator[BodyLiteral]:
    """Atoms that share variables with what stands before them first, then what only tests."""
    known = dict.fromkeys(literal_variables(rule.head))
    waiting: list[Atom | Count] = [each for each in rule.body if isinstance(each, Atom | Count)]
    while waiting:
        chosen = min(waiting, key=lambda each: _place(each, list(known)))
        waiting.remove(chosen)
        known |= dict.fromkeys(literal_variables(chosen))
        yield chosen
    yield from (each for each in rule.body if isinstance(each, Negation))
    yield from (each for each in rule.body if isinstance(each, Inequality))


def _place(literal: Atom | Count, known: Sequence[Variable]) -> tuple[bool, int, int]:
    """Atoms before counts; those of variables that are known for longest first, and of these those that add least."""
    variables = set(literal_variables(literal))
    first = next((place for place, variable in enumerate(known) if variable in variables), len(known))
    return isinstance(literal, Count), first, len(variables - set(known))


def _letters() -> Iterator[Variable]:
    letters: Sequence[str] = "XYZWVUTSRQPONMLKJIHGFEDCBA"
    for number in count():
        for letter in letters:
            yield Variable(letter + str(number or ""))
