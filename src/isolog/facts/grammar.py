"""The part of the grammar that programs and fact files share: names, terms, atoms, facts and prefixes."""

from __future__ import annotations

import re

from isolog.facts.cursor import Cursor
from isolog.facts.scan import Token
from isolog.facts.terms import Atom, Function, Literal, Term, Variable
from isolog.facts.text import KEYWORDS

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_CHARACTERS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_ESCAPES_ARE = r"""`\uXXXX` and `\UXXXXXXXX` are (but no surrogates), in strings also `\t \b \n \r \f \" \' \\`"""
_DATATYPE = "a datatype such as `<http://www.w3.org/2001/XMLSchema#date>`"


def read_prefix(cursor: Cursor) -> None:
    """Reads `@prefix ex: <http://ex.org/> .`, after which `ex:a` is the name `<http://ex.org/a>`."""
    cursor.advance()
    short = cursor.token
    named = short.kind in ("name", "variable") and short.text != "_"
    prefix = cursor.advance().text if named else ""
    cursor.expect(":", "a prefix of letters, digits and `_`, and `:`")
    if cursor.token.kind != "bracketed":
        cursor.fail("a namespace such as `<http://example.org/>`")
    namespace = read_name(cursor)
    known = cursor.prefixes.setdefault(prefix, namespace)
    if known != namespace:
        cursor.add("E206", f"the prefix `{prefix}:` stands for `<{known}>` already", short, "choose another prefix")
    cursor.end("`.`")


def read_fact(cursor: Cursor) -> Atom:
    """Reads a fact: a clause that is an atom without variables."""
    fact = read_atom(cursor, "a fact")
    if cursor.token.kind == ":-":
        cursor.stop("E212", "a rule among facts", cursor.token, "rules stand in a program, in a file of their own")
    cursor.end("`.`")
    refuse_variables(cursor)
    return fact


def refuse_variables(cursor: Cursor, otherwise: str = "") -> None:
    """There are no variables in the atom that was read; else the hint says what to write, `otherwise` at its end."""
    if cursor.variables:
        variable = cursor.variables[0]
        hint = f"the name is written `<{variable.text}>`{otherwise}"
        cursor.add("E101", f"the variable `{variable.text}` in a fact", variable, hint)


def read_atom(cursor: Cursor, expected: str = "an atom") -> Atom:
    """Reads an atom."""
    first = cursor.token
    return as_atom(cursor, read_term(cursor, expected), first)


def as_atom(cursor: Cursor, term: Term, first: Token) -> Atom:
    """The atom that was read as a term, from the token `first` on: its variable is a predicate without arguments."""
    if first.text in KEYWORDS:
        hint = f"a predicate of that name is written `<{first.text}>`"
        cursor.stop("E200", f"expected an atom, found the keyword `{first.text}`", first, hint)
    span = cursor.span(first, cursor.previous)
    if isinstance(term, Function):
        return Atom(term.symbol, term.arguments, span)
    if isinstance(term, str):
        return Atom(term, (), span)
    if isinstance(term, Literal) or term.name[0] == "_":
        cursor.stop("E200", f"expected an atom, found `{first.text}`", first)
    cursor.variables.pop()
    return Atom(term.name, (), span)


def read_term(cursor: Cursor, expected: str = "a term") -> Term:
    """Reads a term."""
    token = cursor.token
    if token.kind == "string":
        return _read_literal(cursor)
    if token.kind != "variable":
        name = read_name(cursor, expected)
        return Function(name, _read_arguments(cursor)) if cursor.token.kind == "(" else name
    cursor.advance()
    if cursor.token.kind != "(":
        cursor.variables.append(token)
        return Variable(token.text)
    if token.text[0] == "_":
        cursor.stop("E200", f"the variable `{token.text}` before `(`", token, f"the name is written `<{token.text}>`")
    return Function(token.text, _read_arguments(cursor))


def read_name(cursor: Cursor, expected: str = "a name") -> str:
    """Reads a name."""
    token = cursor.token
    match token.kind:
        case "name" | "blank":
            name = token.text
        case "bracketed":
            name = _decoded(cursor, token)
        case "prefixed":
            name = _resolved(cursor, token)
        case _:
            cursor.fail(expected)
    cursor.advance()
    return name


def _read_arguments(cursor: Cursor) -> tuple[Term, ...]:
    cursor.nest()
    cursor.advance()
    arguments: list[Term] = []
    if cursor.token.kind != ")":
        arguments.append(read_term(cursor))
        while cursor.token.kind == ",":
            cursor.advance()
            arguments.append(read_term(cursor))
    cursor.expect(")", "`,` or `)`")
    cursor.unnest()
    return tuple(arguments)


def _read_literal(cursor: Cursor) -> Literal:
    lexical = _decoded(cursor, cursor.advance())
    mark = cursor.token
    if mark.kind == "word" and mark.text[0] == "@":
        return Literal(lexical, language=cursor.advance().text[1:])
    if mark.kind != "^^":
        return Literal(lexical)
    cursor.advance()
    datatype = cursor.token.kind
    if datatype != "bracketed" and datatype != "prefixed":
        cursor.fail(_DATATYPE)
    return Literal(lexical, datatype=read_name(cursor))


def _resolved(cursor: Cursor, token: Token) -> str:
    prefix, _, local = token.text.partition(":")
    if prefix not in cursor.prefixes:
        hint = f"declare it before: `@prefix {prefix}: <http://example.org/> .`"
        cursor.add("E205", f"unknown prefix `{prefix}:`", token, hint)
    return cursor.prefixes.get(prefix, "") + local


def _decoded(cursor: Cursor, token: Token) -> str:
    """What stands between the quotes or brackets of the token, without escapes."""

    def character(match: re.Match[str]) -> str:
        code, short = int(match[1] or match[2] or "D800", 16), match[3]
        if short in _CHARACTERS and token.kind == "string":
            return _CHARACTERS[short]
        if code <= 0x10FFFF and not 0xD800 <= code < 0xE000:
            return chr(code)
        place = Token("", match[0], token.line, token.column + 1 + match.start())
        cursor.add("E204", f"unknown escape `{match[0]}`", place, _ESCAPES_ARE)
        return ""

    raw = token.text[1:-1]
    return _ESCAPE.sub(character, raw) if "\\" in raw else raw
