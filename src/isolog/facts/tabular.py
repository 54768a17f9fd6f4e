"""TSV and CSV: one fact a line, `subject predicate object`, spelled as `fields` says.

In a plain TSV field, tabs, line breaks and backslashes are escaped; a CSV field is quoted instead (RFC 4180).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from isolog.errors import Finding, Findings, InputError
from isolog.facts.building import Intake
from isolog.facts.dataset import Dataset
from isolog.facts.fields import Constant, parse_field, print_field
from isolog.facts.lines import LineForm, read_usual_lines
from isolog.facts.streams import Block, Source, blocks
from isolog.facts.terms import Literal
from isolog.facts.triples import Spelling, triples
from isolog.source import Span

_TSV_ESCAPE = re.compile(r"\\(.?)")
_TSV_CHARACTERS = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
_TSV_ESCAPES = str.maketrans({character: f"\\{short}" for short, character in _TSV_CHARACTERS.items()})
_NAME = r'[^\t\n\r"<\\][^\t\n\r\\]*+|<[^\x00-\x20<>"{}|^`\\]*+>'
_LITERAL = r'"[^"\\\t\r\n]*+"(?:@[A-Za-z]++(?:-[A-Za-z0-9]++)*+|\^\^<[^\x00-\x20<>"{}|^`\\]*+>)?'
_TSV = LineForm("\t", "\n", re.compile(rf"^({_NAME}|{_LITERAL})\t({_NAME})\t({_NAME}|{_LITERAL})$", re.MULTILINE))
_CSV_FIELD = re.compile(r'(?:"([^"]*+(?:""[^"]*+)*+)"|([^",\r\n]*+))(,|\r?\n|\Z)')
_NEEDS_QUOTES = re.compile(r'[",\r\n]')


def parse_tsv_field(field: str) -> Constant:
    r"""The constant of a TSV field.

    >>> print(parse_tsv_field(r"C:\\temp"))
    C:\temp
    """
    if "\r" in field:
        raise InputError(Finding("E127", "a carriage return within a line", hint=r"inside a name it is written `\r`"))
    if "\\" in field and field[0] not in '<"':
        return _TSV_ESCAPE.sub(_tsv_character, field)
    return parse_field(field)


def print_tsv_field(constant: Constant) -> str:
    r"""The TSV field that is read back as the constant.

    >>> print(print_tsv_field("two\nlines"))
    two\nlines
    """
    field = print_field(constant)
    return field if field[0] in '<"' else field.translate(_TSV_ESCAPES)


def tsv_lines(dataset: Dataset) -> Iterator[str]:
    """The facts as lines of TSV, without line ends."""
    return map("\t".join, triples(dataset, _TSV_SPELLING))


def csv_lines(dataset: Dataset) -> Iterator[str]:
    """The facts as records of CSV, without line ends."""
    for words in triples(dataset, _CSV_SPELLING):
        quoted = ['"' + word.replace('"', '""') + '"' if _NEEDS_QUOTES.search(word) else word for word in words]
        yield ",".join(quoted)


def read_tsv(source: Source, literals_as_names: bool = False) -> Dataset:
    """The facts of a TSV file."""
    intake, findings = Intake(parse_tsv_field, literals_as_names), Findings()
    for unusual in read_usual_lines(source, _TSV, intake, findings):
        for line in unusual:
            fields = line.text.split("\t")
            wrong = problems(fields, parse_tsv_field)
            if not wrong:
                intake.add(*fields)
            for index, finding in wrong.items():
                column = len("\t".join(["", *fields][: index + 1])) + 1
                place = replace(line, column=column, length=len(fields[index]))
                findings.add(finding.code, finding.message, place, finding.hint)
    findings.raise_any()
    return intake.dataset()


def read_csv(source: Source, literals_as_names: bool = False) -> Dataset:
    """The facts of a CSV file."""
    intake, findings = Intake(parse_field, literals_as_names), Findings()
    for block in blocks(source, findings, quoted=True):
        records = list(csv_records(block, source.name, findings))
        for index in intake.take([fields for _, fields in records]):
            start, fields = records[index]
            wrong = problems(fields, parse_field)
            if not wrong:
                intake.add(*fields)
            for finding in wrong.values():
                findings.add(finding.code, finding.message, place_in(block, start, source.name), finding.hint)
    findings.raise_any()
    return intake.dataset()


def problems(fields: Sequence[str], parse: Callable[[str], Constant]) -> dict[int, Finding]:
    """What keeps the fields from being a fact, by the index of the field."""
    if len(fields) != 3:
        hint = "subject, predicate and object; a unary fact `A(a)` is written as `a`, `rdf:type`, `A`"
        return {0: Finding("E120", f"a fact has 3 fields, this line has {len(fields)}", hint=hint)}
    wrong: dict[int, Finding] = {}
    for index, field in enumerate(fields):
        try:
            constant = parse(field)
        except InputError as error:
            wrong[index] = error.findings[0]
        else:
            if index == 1 and isinstance(constant, Literal):
                wrong[index] = Finding("E126", f"the predicate `{field}` is a literal", hint="a predicate is a name")
    return wrong


def csv_records(block: Block, name: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """The fields of each record, their quotes removed, and where it starts in the block. The last may be empty."""
    start = position = 0
    fields: list[str] = []
    while position < len(block.text) or fields:
        match = _CSV_FIELD.match(block.text, position)
        if match is None:
            hint = 'a field with a `"` is quoted as a whole, and each `"` inside doubled: `"""ann""@en"`'
            findings.add("E125", "a quote within a field", place_in(block, position, name), hint)
            position = block.text.find("\n", position) + 1 or len(block.text)
            start, fields = position, []
            continue
        quoted, plain, end = match.groups()
        fields.append(plain if quoted is None else quoted.replace('""', '"'))
        position = match.end()
        if end != ",":
            if fields != [""] or not block.last or position < len(block.text):
                yield start, fields
            start, fields = position, []


def place_in(block: Block, position: int, name: str) -> Span:
    """The place of the character in the text that the block is of."""
    start = block.text.rfind("\n", 0, position) + 1
    line = block.text[start:].partition("\n")[0]
    return Span(name, block.line + block.text.count("\n", 0, start), position - start + 1, 1, line)


def _tsv_character(match: re.Match[str]) -> str:
    if match[1] not in _TSV_CHARACTERS:
        hint = r"known are `\t`, `\n`, `\r` and `\\`; a backslash is written `\\`"
        raise InputError(Finding("E121", f"unknown escape `{match[0]}`", hint=hint))
    return _TSV_CHARACTERS[match[1]]


_TSV_SPELLING = Spelling("TSV", print_tsv_field, print_tsv_field, parse_tsv_field, "rdf:type")
_CSV_SPELLING = Spelling("CSV", print_field, print_field, parse_field, "rdf:type")
