"""RDF by pyoxigraph: Turtle, what is unusual in N-Triples, and how constants are written in both.

A name that is no absolute IRI is written `<urn:isolog:…>`, percent-encoded; read back it is the name again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import BinaryIO, TypeAlias, cast
from urllib.parse import quote

import pyoxigraph as rdf

from isolog.errors import Finding, Findings, InputError
from isolog.facts.building import Intake
from isolog.facts.dataset import Dataset
from isolog.facts.fields import RDF_TYPE, Constant
from isolog.facts.ntriples import NAMESPACE, parse_word
from isolog.facts.streams import Source
from isolog.facts.terms import Literal
from isolog.facts.text import print_literal
from isolog.facts.triples import Spelling, triples
from isolog.source import Span

_Words: TypeAlias = tuple[str, str, str]
_IRI = re.compile(r'<[^\x00-\x20<>"{}|^`\\]*+>')
_LABEL = re.compile(rb"_:(?:[a-f][0-9a-f]{23,31}|anonymous[0-9]+)")
_LONGEST_LABEL = 40
_LINE = 'a line is `<subject> <predicate> <object> .`, the object perhaps a `"literal"`'


def print_node(constant: Constant) -> str:
    """The N-Triples word of a constant; names `_:label` are blank nodes.

    >>> print_node("http://ex.org/ann"), print_node("Ann Lee"), print_node("_:b0"), print_node(Literal("ann"))
    ('<http://ex.org/ann>', '<urn:isolog:Ann%20Lee>', '_:b0', '"ann"')
    """
    if isinstance(constant, Literal):
        if constant.language is not None:
            rdf.Literal("", language=constant.language)
        datatype = None if constant.datatype is None else print_iri(constant.datatype)[1:-1]
        return print_literal(Literal(constant.lexical, constant.language, datatype))
    if constant.startswith("_:") and ":" not in constant[2:] and _is_valid(rdf.BlankNode, constant[2:]):
        return constant
    return print_iri(constant)


def print_iri(name: str) -> str:
    """The IRI of a name, in angle brackets.

    >>> print_iri("http://ex.org/knows"), print_iri("knows")
    ('<http://ex.org/knows>', '<urn:isolog:knows>')
    """
    if not name.startswith(NAMESPACE) and _is_valid(rdf.NamedNode, name):
        return f"<{name}>"
    return f"<{NAMESPACE}{quote(name, safe='')}>"


def ntriples_lines(dataset: Dataset) -> Iterator[str]:
    """The facts as lines of N-Triples, which Turtle has in common, without line ends."""
    spelling = Spelling("RDF", print_node, print_iri, parse_word, f"<{RDF_TYPE}>", literal_subjects=False)
    return (f"{subject} {predicate} {value} ." for subject, predicate, value in triples(dataset, spelling))


def _is_valid(node: Callable[[str], object], value: str) -> bool:
    try:
        node(value)
    except ValueError:
        return False
    return True


def read_turtle(source: Source, literals_as_names: bool = False) -> Dataset:
    """The facts of a Turtle file; nodes without a label are named `_:anonymous1` and so on, in order."""
    labels = _Labels(source)
    intake, findings = Intake(labels.parse, literals_as_names), Findings()
    quads = rdf.parse(cast(BinaryIO, labels), rdf.RdfFormat.TURTLE)
    while len(findings) < findings.limit:
        try:
            quad = next(quads)
        except StopIteration:
            break
        except SyntaxError as error:
            _add(findings, error, Span(source.name))
        except MemoryError as error:
            raise InputError(Finding("E115", f"`{source.name}` has too long a word: {error}")) from error
        else:
            try:
                intake.add(*_words(quad))
            except InputError as error:
                _add(findings, error, Span(source.name))
    findings.raise_any()
    return intake.dataset()


def read_lines(lines: list[Span], intake: Intake, findings: Findings) -> None:
    """Adds the facts of single lines of N-Triples."""
    try:
        triples = _parsed("\n".join(line.text for line in lines))
    except (SyntaxError, InputError):
        triples = [words for line in lines for words in _parsed_alone(line, findings)]
    for words in triples:
        intake.add(*words)


def _parsed_alone(line: Span, findings: Findings) -> list[_Words]:
    try:
        return _parsed(line.text)
    except (SyntaxError, InputError) as error:
        triples = _parsed_by_grammar(line.text)
        if triples is None:
            _add(findings, error, line)
        return triples or []


def _parsed_by_grammar(line: str) -> list[_Words] | None:
    """What the line says by the grammar of N-Triples alone, which allows for IRIs that are relative or odd."""
    try:
        triples = _parsed(line, lenient=True)
    except (SyntaxError, InputError):
        return None
    iris = [word for words in triples for word in words if word[0] == "<"]
    return triples if "\r" not in line and all(map(_IRI.fullmatch, iris)) else None


def _parsed(text: str, lenient: bool = False) -> list[_Words]:
    return [_words(quad) for quad in rdf.parse(text, rdf.RdfFormat.N_TRIPLES, lenient=lenient)]


def _words(quad: rdf.Quad) -> _Words:
    value = quad.object
    if isinstance(value, rdf.Triple):
        raise InputError(Finding("E131", "a triple about a triple: facts are about names and literals only"))
    if isinstance(value, rdf.Literal) and value.direction is not None:
        raise InputError(Finding("E131", "a literal with a base direction", hint="leave `--ltr` or `--rtl` out"))
    words = str(quad.subject), str(quad.predicate), str(value)
    for word in words:
        parse_word(word)
    return words


def _add(findings: Findings, error: SyntaxError | InputError, place: Span) -> None:
    if isinstance(error, InputError):
        for finding in error.findings:
            findings.add(finding.code, finding.message, place, finding.hint)
        return
    message = error.msg.partition(": ")[2] or error.msg
    column, end = error.offset or 0, error.end_offset or 0
    line = place.line or error.lineno or 0
    hint = _LINE if place.line else "what is missing may be at the end of the line before"
    findings.add("E130", message, replace(place, line=line, column=column, length=max(end - column, 1)), hint)


class _Labels:
    """The bytes of a Turtle file, and the labels in it that pyoxigraph or this class could have made up."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._tail = b""
        self._written: set[str] = set()
        self._names: dict[str, str] = {}
        self._fresh = (name for n in count(1) if (name := f"_:anonymous{n}") not in self._written)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        data = self._source.read(size)
        text = self._tail + data
        self._written.update(label.decode() for label in _LABEL.findall(text))
        self._tail = text[-_LONGEST_LABEL:]
        return data

    def parse(self, word: str) -> Constant:
        """The constant of a word, once the whole file is read; a made-up label is replaced by a stable name."""
        if not _LABEL.fullmatch(word.encode()) or word in self._written:
            return parse_word(word)
        if word not in self._names:
            self._names[word] = next(self._fresh)
        return self._names[word]
