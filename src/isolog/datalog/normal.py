"""The normal form of a rule up to variable renaming (paper §2): rules are equal up to it iff their forms are equal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias, assert_never

from isolog.datalog.labelling import Edge, canonical_order
from isolog.datalog.scope import ANONYMOUS, free_variables, scoped
from isolog.datalog.substitution import rename_literal, rename_rule
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Rule, literal_variables
from isolog.facts.terms import Atom, Variable

_Body: TypeAlias = tuple[BodyLiteral, ...]
_Outer: TypeAlias = Mapping[Count, tuple[Variable, ...]]
_HOLE = Variable("")
_KINDS = (Atom, Negation, Count, Inequality)


def normal_form(rule: Rule) -> Rule:
    """The rule with variables `X1`, `X2`, … and its distinct literals in a fixed order.

    Two rules have the same form iff a bijection of their variables makes the heads equal and the sets of conjuncts
    equal. Inequalities are symmetric, `_` is a variable of its own, and what a count binds is local to it.

    >>> from isolog.datalog.parser import parse_rule
    >>> one = parse_rule("p(X) :- r(X, Y), r(X, Z), q(Z), Y != Z")
    >>> normal_form(one) == normal_form(parse_rule("p(A) :- q(B), B != C, r(A, C), r(A, B)"))
    True
    """
    explicit = scoped(rule)
    head = explicit.rule.head
    body = _distinct(explicit.rule.body, free_variables(head), explicit.outer)
    order = canonical_order([_edge(head, (), (), "head"), *_edges(body, (), ())])
    names = {name: Variable(f"X{place}") for place, name in enumerate(order, 1)} | {ANONYMOUS.name: ANONYMOUS}
    renamed = rename_rule(Rule(head, body), lambda variable: names[variable.name])
    return Rule(renamed.head, _ordered(renamed.body))


def _distinct(literals: _Body, enclosing: Collection[Variable], outer: _Outer) -> _Body:
    """The literals without repetitions; counts are the same if they differ in what is local to them at most.

    A variable that occurs only in repetitions of one count belongs to the scope around them. One of them alone
    would make it local, so two of them stay.
    """
    classes: dict[object, list[BodyLiteral]] = {}
    for literal in literals:
        key: object = literal
        if isinstance(literal, Count):
            around = outer[literal]
            body = _distinct(literal.body, {*around, literal.variable}, outer)
            literal = Count(literal.variable, body, literal.at_least)
            key = _count_key(literal, around)
        classes.setdefault(key, []).append(literal)
    found: list[BodyLiteral] = []
    for alike in classes.values():
        found.append(alike[0])
        if len(alike) > 1 and isinstance(alike[0], Count):
            joined = free_variables(alike[0]).keys() & free_variables(alike[1]).keys()
            rest = [literal for others in classes.values() if others is not alike for literal in others]
            if not joined <= {*enclosing}.union(*map(free_variables, rest)):
                found.append(alike[1])
    return tuple(found)


def _count_key(count: Count, around: Collection[Variable]) -> object:
    """What a count is, up to the names of the variables that are local to it."""
    edges = list(_edges((count,), (), around))
    places = {name: place for place, name in enumerate(canonical_order(edges))}
    return frozenset((label, tuple([places[name] for name in names])) for label, names in edges)


def _edges(literals: _Body, scope: tuple[str, ...], constant: Collection[Variable]) -> Iterator[Edge]:
    """The literals as labelled tuples of variables; the counted variable stands for the count that it belongs to."""
    for literal in literals:
        match literal:
            case Atom() | Negation():
                yield _edge(literal, scope, constant)
            case Inequality():
                yield _edge(literal, scope, constant)
                yield _edge(Inequality(literal.right, literal.left), scope, constant)
            case Count():
                yield f"number {literal.at_least}", (*scope, literal.variable.name)
                yield from _edges(literal.body, (literal.variable.name,), constant)
            case _:
                assert_never(literal)


def _edge(literal: BodyLiteral, scope: tuple[str, ...], constant: Collection[Variable], label: str = "literal") -> Edge:
    fixed = {*constant, ANONYMOUS}
    names = [variable.name for variable in literal_variables(literal) if variable not in fixed]
    skeleton = rename_literal(literal, lambda variable: variable if variable in fixed else _HOLE)
    return f"{label} {skeleton!r}", (*scope, *names)


def _ordered(literals: _Body) -> _Body:
    """The literals, whose variables are numbered, in order: by kind, then what they say, then the variables."""
    return tuple(sorted({_inner_ordered(literal) for literal in literals}, key=_key))


def _inner_ordered(literal: BodyLiteral) -> BodyLiteral:
    match literal:
        case Inequality():
            turned = Inequality(literal.right, literal.left)
            return min(literal, turned, key=lambda one: (not isinstance(one.left, Variable), _key(one)))
        case Count():
            return Count(literal.variable, _ordered(literal.body), literal.at_least)
        case _:
            return literal


def _key(literal: BodyLiteral) -> tuple[int, str, list[int]]:
    numbers = [int(variable.name[1:]) for variable in literal_variables(literal) if variable != ANONYMOUS]
    says = repr(rename_literal(literal, lambda variable: variable if variable == ANONYMOUS else _HOLE))
    return _KINDS.index(type(literal)), says, numbers
