"""How one constant is spelled in a field of a table: plain, `<name>` or `"literal"`."""

from __future__ import annotations

import re
from typing import NoReturn, TypeAlias

from isolog.errors import Finding, InputError
from isolog.facts.terms import Literal
from isolog.facts.text import print_literal, print_name

Constant: TypeAlias = str | Literal

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
TYPE_NAMES = frozenset({"rdf:type", RDF_TYPE})

_RAW = r'[^\x00-\x20<>"{}|^`\\]'
_NAME = re.compile(rf"<((?:{_RAW}|\\[uU])*+)>")
_LITERAL = re.compile(
    r'"([^"\\\x00]*+(?:\\.[^"\\\x00]*+)*+)"(?:@([A-Za-z]++(?:-[A-Za-z0-9]++)*+)|\^\^(<.*+))?', re.DOTALL
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_CHARACTERS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


def parse_field(field: str) -> Constant:
    """The name or literal of a field; `ann` and `<ann>` are the same name.

    >>> parse_field("<ann>"), parse_field('"ann"@en')
    ('ann', Literal(lexical='ann', language='en', datatype=None))
    """
    if field[:1] == '"':
        return _parse_literal(field)
    if field[:1] == "<":
        return _parse_name(field)
    if not field:
        _fail("E124", "the field is empty", 'the empty name is written `<>`, the empty literal `""`')
    if "\0" in field:
        _fail("E122", "a plain name cannot have a NUL character", r"it is written `\u0000` inside `<…>`")
    return field


def print_field(constant: Constant) -> str:
    """The field that `parse_field` reads back: a name is plain unless it would be taken for something else.

    >>> print_field("Ann Lee"), print_field("<ann>"), print_field(Literal("ann"))
    ('Ann Lee', '<\\\\u003Cann\\\\u003E>', '"ann"')
    """
    if isinstance(constant, Literal):
        return print_literal(constant)
    if not constant or constant[0] in '<"\ufeff' or "\0" in constant:
        return print_name(constant)
    return constant


def _parse_name(field: str) -> str:
    match = _NAME.fullmatch(field)
    if match is None:
        shown = print_name(field)
        _fail("E122", f"`{field}` is not a name between `<` and `>`", f"the name that is meant may be `{shown}`")
    return _unescape(match[1], {}, "E122")


def _parse_literal(field: str) -> Literal:
    match = _LITERAL.fullmatch(field)
    if match is None:
        hint = f'a literal is written `"…"`, `"…"@en` or `"…"^^<…>`; a name may be `{print_name(field)}`'
        _fail("E123", f"`{field}` starts with a quote but is no literal", hint)
    lexical, language, datatype = match.groups()
    name = None if datatype is None else _parse_name(datatype)
    return Literal(_unescape(lexical, _CHARACTERS, "E123"), language, name)


def _unescape(text: str, characters: dict[str, str], code: str) -> str:
    if "\\" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        number = int(match[1] or match[2] or "D800", 16)
        if match[3] in characters:
            return characters[match[3]]
        if number > 0x10FFFF or 0xD800 <= number < 0xE000:
            _fail(code, f"unknown escape `{match[0]}`", f"known are {_known(characters)}")
        return chr(number)

    return _ESCAPE.sub(character, text)


def _known(characters: dict[str, str]) -> str:
    return ", ".join(f"`\\{short}`" for short in [*characters, "uXXXX", "UXXXXXXXX"]) + ", but no surrogates"


def _fail(code: str, message: str, hint: str) -> NoReturn:
    raise InputError(Finding(code, message, hint=hint))
