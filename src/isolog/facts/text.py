"""How terms and atoms are written in Datalog text: the canonical form, which the parser reads back exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import repeat
from typing import TypeAlias, assert_never

from isolog.errors import Finding, InputError
from isolog.facts.terms import Atom, Function, Literal, Term, Variable

Prefixes: TypeAlias = Iterable[tuple[str, str]]
KEYWORDS = frozenset({"not", "true"})
_PLAIN_NAME = re.compile(r"[a-z0-9][A-Za-z0-9_]*")
_PLAIN_PREDICATE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")
_PLAIN_VARIABLE = re.compile(r"[A-Z_][A-Za-z0-9_]*")
_LOCAL = re.compile(r"\w+(?:-+\w+)*", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*")
_ESCAPES = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}
_IN_LITERAL = re.compile(r'["\\\x00-\x1f\x7f\ud800-\udfff]')
_IN_NAME = re.compile(r'[<>"{}|^`\\\x00-\x20\x7f\ud800-\udfff]')


def print_name(name: str, prefixes: Prefixes = ()) -> str:
    """A name as it is written in rules: bare if it can be, else by the prefix that shortens it most, else in brackets.

    >>> print_name("ann"), print_name("Ann Lee"), print_name("http://ex.org/ann", [("ex", "http://ex.org/")])
    ('ann', '<Ann\\\\u0020Lee>', 'ex:ann')
    """
    if _PLAIN_NAME.fullmatch(name) and name not in KEYWORDS:
        return name
    return _print_long_name(name, prefixes)


def print_term(term: Term, prefixes: Prefixes = ()) -> str:
    """A term as it is written in rules; an `InputError` if it cannot be written.

    >>> print_term(Function("f", (Variable("X"), Literal("ann"), "Ann")))
    'f(X, "ann", <Ann>)'
    """
    match term:
        case str():
            return print_name(term, prefixes)
        case Literal():
            return print_literal(term, prefixes)
        case Variable():
            return _print_variable(term)
        case Function():
            return f"{print_name(term.symbol, prefixes)}({_print_terms(term.arguments, prefixes)})"
        case _:
            assert_never(term)


def print_literal(literal: Literal, prefixes: Prefixes = ()) -> str:
    """A literal in N-Triples' own syntax, but for prefixes; every format but Parquet's plain names shares it.

    >>> print_literal(Literal("ann", language="en")), print_literal(Literal("1", datatype="n#int"), [("n", "n#")])
    ('"ann"@en', '"1"^^n:int')
    """
    text = '"' + _IN_LITERAL.sub(lambda m: _ESCAPES.get(m[0]) or numeric_escape(m), literal.lexical) + '"'
    if literal.language is not None:
        if literal.datatype is not None or not _LANGUAGE.fullmatch(literal.language):
            hint = "a language is a tag such as `en` or `de-AT`, and excludes a datatype"
            raise InputError(Finding("E213", f"the language `{literal.language}` cannot be written", hint=hint))
        return f"{text}@{literal.language}"
    if literal.datatype is not None:
        return f"{text}^^{_print_long_name(literal.datatype, prefixes)}"
    return text


def print_atom(atom: Atom, prefixes: Prefixes = ()) -> str:
    """An atom as it is written in rules; an atom without arguments has no parentheses.

    >>> print_atom(Atom("parent", ("ann", "bob")))
    'parent(ann, bob)'
    """
    name = print_predicate_name(atom.name, prefixes)
    return f"{name}({_print_terms(atom.arguments, prefixes)})" if atom.arguments else name


def print_predicate_name(name: str, prefixes: Prefixes = ()) -> str:
    """The name of a predicate: it may also start with a capital, unlike a constant.

    >>> print_predicate_name("Person"), print_predicate_name("not")
    ('Person', '<not>')
    """
    if _PLAIN_PREDICATE.fullmatch(name) and name not in KEYWORDS:
        return name
    return _print_long_name(name, prefixes)


def print_bracketed(name: str) -> str:
    """The name between angle brackets, as in N-Triples.

    >>> print_bracketed("a")
    '<a>'
    """
    return f"<{_IN_NAME.sub(numeric_escape, name)}>"


def numeric_escape(match: re.Match[str]) -> str:
    """The matched character as `\\uXXXX`, or longer if it has to be."""
    code = ord(match[0])
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _print_terms(terms: Iterable[Term], prefixes: Prefixes) -> str:
    return ", ".join(map(print_term, terms, repeat(prefixes)))


def _print_long_name(name: str, prefixes: Prefixes) -> str:
    matching = [(namespace, prefix) for prefix, namespace in prefixes if name.startswith(namespace)]
    for namespace, prefix in sorted(matching, key=lambda pair: -len(pair[0])):
        if _LOCAL.fullmatch(name, len(namespace)):
            return f"{prefix}:{name[len(namespace) :]}"
    return print_bracketed(name)


def _print_variable(variable: Variable) -> str:
    if not _PLAIN_VARIABLE.fullmatch(variable.name):
        hint = "variables consist of letters, digits and `_`, and start with a capital or `_`"
        raise InputError(Finding("E213", f"the variable `{variable.name}` cannot be written", hint=hint))
    return variable.name
