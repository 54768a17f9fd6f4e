"""Rule files of other systems, one rule a line: read as rules of our own, everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal as OneOf
from typing import TypeAlias, get_args

from isolog.datalog.anyburl import parse_anyburl
from isolog.datalog.loginfer import parse_loginfer
from isolog.datalog.printer import print_rule
from isolog.datalog.syntax import Program, Rule
from isolog.errors import Findings, InputError
from isolog.facts.streams import blocks, open_source
from isolog.source import Span

RuleFormat: TypeAlias = OneOf["loginfer", "anyburl"]
RULE_FORMATS: tuple[RuleFormat, ...] = get_args(RuleFormat)
_Parse: TypeAlias = Callable[[Span], tuple[Rule, str]]


@dataclass(frozen=True, slots=True)
class ForeignRules:
    """The rules of a file in order, and what the file says beside each, such as its confidence."""

    rules: tuple[Rule, ...]
    notes: tuple[str, ...]

    @property
    def program(self) -> Program:
        """The rules as a program."""
        return Program(self.rules)

    def lines(self) -> Iterator[str]:
        """The program as text, with the notes as comments."""
        for rule, note in zip(self.rules, self.notes, strict=True):
            yield f"{print_rule(rule)}  % {note}" if note else print_rule(rule)


def read_rules(path: str | Path, format: RuleFormat) -> ForeignRules:
    """The rules in a file, compressed or not, `-` for standard input; empty lines say nothing.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "rules.txt").write_text("r(x,y) and not s(y,z) implies t(x,y)")
    ...     list(read_rules(f"{folder}/rules.txt", "loginfer").lines())
    ['t(X, Y) :- r(X, Y), not s(Y, _).']
    """
    parse: _Parse = parse_loginfer if format == "loginfer" else parse_anyburl
    findings = Findings()
    found: list[tuple[Rule, str]] = []
    with open_source(str(path)) as source:
        for block in blocks(source, findings):
            for number, text in enumerate(block.text.removesuffix("\n").split("\n"), block.line):
                line = Span(source.name, number, 1, len(text.rstrip("\r")) or 1, text.rstrip("\r"))
                if not line.text.strip():
                    continue
                try:
                    found.append(parse(line))
                except InputError as error:
                    for finding in error.findings:
                        findings.add(finding.code, finding.message, finding.span, finding.hint)
    findings.raise_any()
    return ForeignRules(tuple(rule for rule, _ in found), tuple(note for _, note in found))
