"""From programs to text: the canonical form, which the parser reads back exactly."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import assert_never

from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule
from isolog.errors import Finding, InputError
from isolog.facts.terms import Atom, Predicate, is_ground
from isolog.facts.text import Prefixes, print_atom, print_bracketed, print_predicate_name, print_term

_WIDTH = 100
_PREFIX = re.compile(r"(?!_$)\w*", re.ASCII)


def print_program(program: Program, comments: Iterable[str] = ()) -> str:
    """The program as text: the comments, the directives, then the rules, one a line.

    >>> from isolog.datalog.parser import parse
    >>> print(print_program(parse("p(X):-q(X),X!=ann.@auxiliary q/1."), ["An example."]), end="")
    % An example.
    @auxiliary q/1.
    p(X) :- q(X), X != ann.
    """
    lines = [f"% {line}".rstrip() for comment in comments for line in comment.splitlines() or [""]]
    lines += _prefix_directives(program.prefixes)
    if program.signature is not None:
        lines += _predicate_directive("@signature", program.signature.predicates, program.prefixes)
    if program.auxiliary:
        lines += _predicate_directive("@auxiliary", sorted(program.auxiliary), program.prefixes)
    lines += [print_rule(rule, program.prefixes) for rule in program.rules]
    return "".join(f"{line}\n" for line in lines)


def print_rule(rule: Rule, prefixes: Prefixes = ()) -> str:
    """The rule as one line of text; a rule without body is a fact if it is ground.

    >>> from isolog.datalog.parser import parse_rule
    >>> print_rule(parse_rule("go:-true")), print_rule(parse_rule("thing(X):-true"))
    ('go.', 'thing(X) :- true.')
    """
    head = print_atom(rule.head, prefixes)
    if not rule.body and all(map(is_ground, rule.head.arguments)):
        return f"{head}."
    return f"{head} :- {_print_body(rule.body, prefixes)}."


def print_body_literal(literal: BodyLiteral, prefixes: Prefixes = ()) -> str:
    """The literal as it is written in the body of a rule.

    >>> print_body_literal(Inequality("ann", "Bob"))
    'ann != <Bob>'
    """
    match literal:
        case Atom():
            return print_atom(literal, prefixes)
        case Inequality():
            return f"{print_term(literal.left, prefixes)} != {print_term(literal.right, prefixes)}"
        case Negation():
            return f"not {print_atom(literal.atom, prefixes)}"
        case Count():
            body = _print_body(literal.body, prefixes)
            return f"#count{{{print_term(literal.variable)} : {body}}} >= {literal.at_least}"
        case _:
            assert_never(literal)


def _print_body(body: tuple[BodyLiteral, ...], prefixes: Prefixes) -> str:
    return ", ".join([print_body_literal(literal, prefixes) for literal in body]) or "true"


def _predicate_directive(name: str, predicates: Iterable[Predicate], prefixes: Prefixes) -> list[str]:
    named = ", ".join([f"{print_predicate_name(p.name, prefixes)}/{p.arity}" for p in predicates])
    text = f"{name} {named}".rstrip() + "."
    return textwrap.wrap(text, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _prefix_directives(prefixes: Prefixes) -> list[str]:
    lines: dict[str, str] = {}
    for prefix, namespace in prefixes:
        if prefix in lines or not _PREFIX.fullmatch(prefix):
            hint = "prefixes are distinct and consist of letters, digits and `_`; `_` alone is for blank nodes"
            raise InputError(Finding("E213", f"the prefix `{prefix}:` cannot be written", hint=hint))
        lines[prefix] = f"@prefix {prefix}: {print_bracketed(namespace)} ."
    return list(lines.values())
