"""How terms and atoms are written in Datalog text: the canonical form, which the parser reads back exactly."""

from __future__ import annotations

import re
from typing import assert_never

from isolog.facts.terms import Atom, Function, Literal, Term, Variable

_PLAIN_NAME = re.compile(r"[a-z0-9][A-Za-z0-9_]*")
_ESCAPES = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}
_IN_LITERAL = re.compile(r'["\\\x00-\x1f\x7f\ud800-\udfff]')
_IN_NAME = re.compile(r'[<>"{}|^`\\\x00-\x20\x7f\ud800-\udfff]')
_KEYWORDS = frozenset({"not", "true"})


def print_name(name: str) -> str:
    """A name as it is written in rules: bare if it can be, else between angle brackets.

    >>> print_name("ann"), print_name("Ann Lee")
    ('ann', '<Ann\\\\u0020Lee>')
    """
    if _PLAIN_NAME.fullmatch(name) and name not in _KEYWORDS:
        return name
    return "<" + _IN_NAME.sub(_numeric_escape, name) + ">"


def print_term(term: Term) -> str:
    """A term as it is written in rules."""
    match term:
        case str():
            return print_name(term)
        case Literal():
            return print_literal(term)
        case Variable():
            return term.name
        case Function():
            return f"{print_name(term.symbol)}({', '.join(map(print_term, term.arguments))})"
        case _:
            assert_never(term)


def print_literal(literal: Literal) -> str:
    """A literal in N-Triples' own syntax, which every format but Parquet's plain names shares."""
    text = '"' + _IN_LITERAL.sub(lambda m: _ESCAPES.get(m[0]) or _numeric_escape(m), literal.lexical) + '"'
    if literal.language is not None:
        return f"{text}@{literal.language}"
    if literal.datatype is not None:
        return f"{text}^^<{_IN_NAME.sub(_numeric_escape, literal.datatype)}>"
    return text


def print_atom(atom: Atom) -> str:
    """An atom as it is written in rules; an atom without arguments has no parentheses.

    >>> print_atom(Atom("parent", ("ann", "bob")))
    'parent(ann, bob)'
    """
    if not atom.arguments:
        return print_predicate_name(atom.name)
    return f"{print_predicate_name(atom.name)}({', '.join(map(print_term, atom.arguments))})"


def print_predicate_name(name: str) -> str:
    """The name of a predicate: it may also start with a capital, unlike a constant."""
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_]*", name) and name not in _KEYWORDS:
        return name
    return print_name(name)


def _numeric_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
