"""N-Triples, as a stream: lines of the usual form are taken apart here, pyoxigraph reads or refuses the others."""

from __future__ import annotations

import re
from urllib.parse import unquote

from isolog.errors import Finding, Findings, InputError
from isolog.facts.building import Intake
from isolog.facts.dataset import Dataset
from isolog.facts.fields import Constant, parse_field
from isolog.facts.lines import LineForm, read_usual_lines
from isolog.facts.streams import Source
from isolog.facts.terms import Literal

NAMESPACE = "urn:isolog:"
_IRI = rf'<(?!{NAMESPACE})[^\x00-\x20<>"{{}}|^`\\]*+>'
_NODE = rf"{_IRI}|_:[A-Za-z0-9_]++"
_LITERAL = rf'"[^"\\\r\n]*+"(?:@[A-Za-z]++(?:-[A-Za-z0-9]++)*+|\^\^{_IRI})?'
_FORM = LineForm(" ", " .\n", re.compile(rf"^({_NODE}) ({_IRI}) ({_NODE}|{_LITERAL}) \.$", re.MULTILINE))
_BAD_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


def parse_word(word: str) -> Constant:
    """The constant of a well-formed N-Triples word without escapes in its IRIs; `<urn:isolog:…>` is the name inside.

    >>> parse_word("<http://ex.org/ann>"), parse_word("<urn:isolog:Ann%20Lee>"), parse_word("_:b0")
    ('http://ex.org/ann', 'Ann Lee', '_:b0')
    """
    if word[0] == "<":
        return _bare_name(word[1:-1])
    if word[0] == "_":
        return word
    literal = parse_field(word)
    if isinstance(literal, Literal) and literal.datatype is not None:
        return Literal(literal.lexical, datatype=_bare_name(literal.datatype))
    return literal


def read_ntriples(source: Source, literals_as_names: bool = False) -> Dataset:
    """The facts of an N-Triples file."""
    intake, findings = Intake(parse_word, literals_as_names), Findings()
    for unusual in read_usual_lines(source, _FORM, intake, findings):
        # pyoxigraph costs 10 MB of memory, and most files have no such lines.
        from isolog.facts.rdf import read_lines

        read_lines(unusual, intake, findings)
    findings.raise_any()
    return intake.dataset()


def _bare_name(iri: str) -> str:
    if not iri.startswith(NAMESPACE):
        return iri
    encoded = iri[len(NAMESPACE) :]
    try:
        name = unquote(encoded, errors="strict")
    except UnicodeDecodeError:
        name = None
    if name is None or _BAD_PERCENT.search(encoded):
        raise InputError(Finding("E132", f"`<{iri}>` is no name: after `%` come the two digits of a byte of UTF-8"))
    return name
