"""Scopes (paper §2, with counting): which part of a rule a variable belongs to.

A variable belongs to the innermost part (the rule, or the body of a count) that contains all its occurrences; a
counted variable belongs to its count. Every `_` is a variable of its own, under `not` one that belongs to the `not`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count as integers
from typing import assert_never

from isolog.datalog.substitution import Renaming, rename_literal, substitute_atom
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Rule, literal_variables
from isolog.facts.terms import Atom, Variable

ANONYMOUS = Variable("_")


@dataclass(frozen=True, slots=True)
class ScopedRule:
    """A rule in which every variable has one scope and a name of its own; `_` is left under `not` only.

    `unsafe` are the variables in no positive atom, those of counts included: they range over the terms of the data.
    `outer` says which variables of a count are bound from outside; its others are local to it.
    """

    rule: Rule
    unsafe: frozenset[Variable]
    outer: Mapping[Count, tuple[Variable, ...]]


def scoped(rule: Rule) -> ScopedRule:
    """The same rule with scopes made explicit; names change only where two scopes share one.

    >>> from isolog.facts.text import print_atom
    >>> X, Y = Variable("X"), Variable("Y")
    >>> rule = scoped(Rule(Atom("p", (X, Y)), (Atom("r", (X, ANONYMOUS)),)))
    >>> print_atom(rule.rule.body_atoms[0]), rule.unsafe
    ('r(X, _1)', frozenset({Variable(name='Y')}))
    """
    naming = _Naming()
    names = naming.of_scope([rule.head, *rule.body], {})
    head = substitute_atom(rule.head, naming.renaming(names))
    body = tuple(naming.literal(literal, names) for literal in rule.body)
    unsafe = dict.fromkeys(v for literal in (head, *body) for v in literal_variables(literal) if v != ANONYMOUS)
    return ScopedRule(Rule(head, body, rule.span), frozenset(unsafe) - {*positive_variables(body)}, naming.outer)


def positive_variables(literals: Iterable[BodyLiteral]) -> Iterator[Variable]:
    """The variables of the positive atoms, those inside counts included, once per occurrence."""
    for literal in literals:
        match literal:
            case Atom():
                yield from literal_variables(literal)
            case Count():
                yield from positive_variables(literal.body)
            case Inequality() | Negation():
                pass
            case _:
                assert_never(literal)


def free_variables(literal: BodyLiteral) -> dict[Variable, None]:
    """The named variables of the literal, in order of occurrence, without the counted ones."""
    if isinstance(literal, Count):
        inner = {variable: None for part in literal.body for variable in free_variables(part)}
        return {variable: None for variable in inner if variable != literal.variable}
    return {variable: None for variable in literal_variables(literal) if variable != ANONYMOUS}


def shared_variables(literals: Iterable[BodyLiteral]) -> tuple[dict[Variable, None], dict[Variable, None]]:
    """The variables whose scope encloses all these literals: those that occur outside the counts among
    them, and those that occur only in counts, but in several."""
    direct: dict[Variable, None] = {}
    counts: Counter[Variable] = Counter()
    for literal in literals:
        if isinstance(literal, Count):
            counts.update(free_variables(literal).keys())
        else:
            direct |= free_variables(literal)
    return direct, {variable: None for variable, times in counts.items() if times > 1 and variable not in direct}


class _Naming:
    """Hands out the names of the variables, scope by scope."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.outer: dict[Count, tuple[Variable, ...]] = {}

    def of_scope(
        self, literals: Iterable[BodyLiteral], names: Mapping[Variable, Variable], *local: Variable
    ) -> dict[Variable, Variable]:
        """The names that are visible among the literals of one scope; `local` belong to it in any case."""
        direct, joint = shared_variables(literals)
        own = dict.fromkeys(local) | {variable: None for variable in (direct | joint) if variable not in names}
        return {**names, **{variable: self.new(variable) for variable in own}}

    def new(self, variable: Variable) -> Variable:
        """The variable itself if its name is free, else one with a free name."""
        name = variable.name
        if name in self.taken or variable == ANONYMOUS:
            candidates = (f"{variable.name}{number}" for number in integers(1))
            name = next(name for name in candidates if name not in self.taken)
        self.taken.add(name)
        return Variable(name)

    def renaming(self, names: Mapping[Variable, Variable]) -> Renaming:
        """Looks a name up; `_` is a new variable each time."""
        return lambda variable: self.new(variable) if variable == ANONYMOUS else names[variable]

    def literal(self, literal: BodyLiteral, names: Mapping[Variable, Variable]) -> BodyLiteral:
        """The literal of a scope in which these names are visible."""
        match literal:
            case Atom() | Inequality():
                return rename_literal(literal, self.renaming(names))
            case Negation():
                return rename_literal(literal, lambda variable: names.get(variable, variable))
            case Count():
                inner = self.of_scope(literal.body, names, literal.variable)
                body = tuple(self.literal(part, inner) for part in literal.body)
                count = Count(inner[literal.variable], body, literal.at_least, literal.span)
                visible = set(names.values())
                self.outer[count] = tuple(v for v in free_variables(count) if v in visible)
                return count
            case _:
                assert_never(literal)
