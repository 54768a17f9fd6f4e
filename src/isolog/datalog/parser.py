"""From text to programs: Prolog-style rules with inequalities, `not`, `#count` and directives."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule
from isolog.errors import Findings
from isolog.facts.cursor import Cursor
from isolog.facts.grammar import as_atom, read_atom, read_fact, read_name, read_prefix, read_term, refuse_variables
from isolog.facts.scan import Token, lines_of
from isolog.facts.signature import Signature
from isolog.facts.streams import blocks, open_source
from isolog.facts.terms import Atom, Predicate, Variable

_T = TypeVar("_T")
_DIRECTIVES = ("@prefix", "@auxiliary", "@signature")


def parse(text: str, file: str = "<text>") -> Program:
    """The program that the text says; everything that is wrong with its syntax is one `InputError`.

    >>> program = parse("@auxiliary h/1.  h(X) :- parent(X, _).  has_child(X) :- h(X), not lost(X).")
    >>> len(program), sorted(map(str, program.auxiliary))
    (2, ['h/1'])
    """
    return _parse(text, file, Findings())


def read_program(path: str | Path) -> Program:
    """The program in a file of UTF-8 text, compressed or not; `-` is standard input."""
    findings = Findings()
    with open_source(str(path)) as source:
        text = "".join([block.text for block in blocks(source, findings)])
    return _parse(text, source.name, findings)


def program_of(given: Program | str | Path, name: str = "<text>") -> Program:
    """A program as it is, the one in a file, or the one that a text says: a text has an atom, and no file has its name.

    >>> len(program_of("has_child(X) :- parent(X, _)."))
    1
    """
    if isinstance(given, Program):
        return given
    is_text = isinstance(given, str) and "(" in given and not os.path.isfile(given)
    return parse(str(given), name) if is_text else read_program(given)


def parse_rule(text: str) -> Rule:
    """The one rule that the text says; the `.` at its end may be missing.

    >>> parse_rule("thing(X) :- true").body
    ()
    """
    return _read_one(text, _read_rule, "rule")


def parse_fact(text: str) -> Atom:
    """The one fact that the text says; the `.` at its end may be missing.

    >>> parse_fact("parent(ann, bob)").predicate
    Predicate(name='parent', arity=2)
    """
    return _read_one(text, read_fact, "fact")


def _parse(text: str, file: str, findings: Findings) -> Program:
    cursor = Cursor(lines_of(text), file, findings)
    auxiliary: set[Predicate] = set()
    signature: list[Predicate] | None = None

    def read_clause(cursor: Cursor) -> Rule | None:
        nonlocal signature
        match cursor.token.text:
            case "@prefix":
                read_prefix(cursor)
            case "@auxiliary":
                auxiliary.update(_read_predicates(cursor))
            case "@signature":
                signature = [*(signature or ()), *_read_predicates(cursor)]
            case _:
                return _read_rule(cursor)
        return None

    rules = tuple([rule for line in cursor.lines for rule in cursor.clauses(line, read_clause)])
    findings.raise_any()
    known = None if signature is None else Signature(tuple(dict.fromkeys(signature)))
    return Program(rules, frozenset(auxiliary), known, tuple(cursor.prefixes.items()))


def _read_one(text: str, read: Callable[[Cursor], _T], what: str) -> _T:
    cursor = Cursor(lines_of(text), "<text>", Findings(), open_end=True)
    found = [clause for line in cursor.lines for clause in cursor.clauses(line, read)]
    if len(found) != 1 and not cursor.findings:
        cursor.add("E200", f"expected one {what}, found {len(found) or 'none'}", cursor.token)
    cursor.findings.raise_any()
    return found[0]


def _read_rule(cursor: Cursor) -> Rule:
    first = cursor.token
    if first.text[0] == "@":
        close = get_close_matches(first.text, _DIRECTIVES, 1)
        hint = f"did you mean `{close[0]}`?" if close else "directives are " + ", ".join(_DIRECTIVES)
        cursor.stop("E207", f"unknown directive `{first.text}`", first, hint)
    head = read_atom(cursor, "a rule")
    if cursor.token.kind != ":-":
        cursor.end("`:-` or `.`")
        refuse_variables(cursor, "; a rule about all terms ends in `:- true.`")
        return Rule(head, (), head.span)
    for variable in cursor.variables:
        _require_name(cursor, variable, "in the head of a rule")
    cursor.advance()
    body = _read_body(cursor)
    cursor.end("`,` or `.`")
    return Rule(head, body, cursor.span(first, cursor.previous))


def _read_body(cursor: Cursor) -> tuple[BodyLiteral, ...]:
    literals: list[BodyLiteral] = []
    truths: list[Token] = []
    while True:
        if cursor.token.text == "true":
            truths.append(cursor.advance())
        else:
            literals.append(_read_literal(cursor))
        if cursor.token.kind != ",":
            break
        cursor.advance()
    if truths and len(truths) + len(literals) > 1:
        cursor.add("E209", "`true` beside other literals", truths[0], "it is the whole body, or can be left out")
    return tuple(literals)


def _read_literal(cursor: Cursor) -> BodyLiteral:
    first = cursor.token
    if first.text == "#count":
        return _read_count(cursor)
    if first.text == "not":
        cursor.advance()
        atom = read_atom(cursor)
        return Negation(atom, cursor.span(first, cursor.previous))
    left = read_term(cursor, "a literal")
    if cursor.token.kind != "!=":
        return as_atom(cursor, left, first)
    cursor.advance()
    right = read_term(cursor)
    return Inequality(left, right, cursor.span(first, cursor.previous))


def _read_count(cursor: Cursor) -> Count:
    cursor.nest()
    first = cursor.advance()
    cursor.expect("{", "`{`")
    counted = cursor.expect("variable", "the variable that is counted")
    _require_name(cursor, counted, "as the variable that is counted")
    cursor.expect(":", "`:`")
    body = _read_body(cursor)
    cursor.expect("}", "`,` or `}`")
    cursor.unnest()
    if cursor.token.kind != ">=":
        hint = "more than n is `>=` n + 1" if cursor.token.text == ">" else "counts have a lower bound only"
        cursor.stop("E211", "a count that is not followed by `>=`", cursor.token, hint)
    cursor.advance()
    at_least = _read_number(cursor)
    return Count(Variable(counted.text), body, at_least, cursor.span(first, cursor.previous))


def _read_number(cursor: Cursor) -> int:
    digits = cursor.token.text
    if cursor.token.kind != "name" or not digits.isdecimal() or len(digits) > 18:
        cursor.fail("a whole number")
    cursor.advance()
    return int(digits)


def _read_predicates(cursor: Cursor) -> list[Predicate]:
    cursor.advance()
    predicates: list[Predicate] = []
    while predicates or cursor.token.kind != ".":
        capital = cursor.token.kind == "variable" and cursor.token.text[0] != "_"
        name = cursor.advance().text if capital else read_name(cursor, "a predicate such as `parent/2`")
        cursor.expect("/", "`/` and the arity")
        predicates.append(Predicate(name, _read_number(cursor)))
        if cursor.token.kind != ",":
            break
        cursor.advance()
    cursor.end("`,` or `.`")
    return predicates


def _require_name(cursor: Cursor, variable: Token, place: str) -> None:
    if variable.text == "_":
        cursor.add("E208", f"`_` {place}", variable, "give the variable a name")
