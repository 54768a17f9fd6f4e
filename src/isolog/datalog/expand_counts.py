"""Counts written out: as many variables as are counted, pairwise different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, count

from isolog.datalog.scope import scoped
from isolog.datalog.substitution import rename_literal
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Program, Rule, literal_variables, rule_variables
from isolog.facts.terms import Variable


def expand_counts(program: Program) -> Program:
    """The program without counts, which means the same.

    >>> from isolog.datalog.parser import parse
    >>> from isolog.datalog.printer import print_rule
    >>> print_rule(expand_counts(parse("U(X) :- #count{Y : r(X, Y), A(Y)} >= 2.")).rules[0])
    'U(X) :- r(X, Y1), A(Y1), r(X, Y2), A(Y2), Y1 != Y2.'
    """
    return replace(program, rules=tuple(map(_expanded, program.rules)))


def _expanded(rule: Rule) -> Rule:
    scopes = scoped(rule)
    taken = {variable.name for variable in rule_variables(scopes.rule)}
    names = (Variable(f"Y{number}") for number in count(1))
    fresh = (variable for variable in names if variable.name not in taken)
    body = tuple(each for literal in scopes.rule.body for each in _literals(literal, scopes.outer, fresh))
    return replace(scopes.rule, body=body)


def _literals(
    literal: BodyLiteral, outer: Mapping[Count, tuple[Variable, ...]], fresh: Iterator[Variable]
) -> Iterator[BodyLiteral]:
    if not isinstance(literal, Count):
        yield literal
        return
    around = set(outer[literal])
    inner = [each for part in literal.body for each in _literals(part, outer, fresh)]
    own = dict.fromkeys(v for each in inner for v in literal_variables(each) if v not in around)
    counted: list[Variable] = []
    for _ in range(literal.at_least):
        named = {variable: next(fresh) for variable in [literal.variable, *(v for v in own if v != literal.variable)]}
        counted.append(named[literal.variable])
        yield from (rename_literal(each, lambda v, named=named: named.get(v, v)) for each in inner)
    yield from (Inequality(one, other) for one, other in combinations(counted, 2))
