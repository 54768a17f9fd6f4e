"""Formats with one fact a line: how lines of the usual form are read fast, and the others set apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

from isolog.errors import Findings
from isolog.facts.building import Intake
from isolog.facts.streams import Source, blocks
from isolog.source import Span


@dataclass(frozen=True, slots=True)
class LineForm:
    """`usual` matches whole lines, and its groups are the three spellings, with `separator` between and `end` after."""

    separator: str
    end: str
    usual: re.Pattern[str]


def read_usual_lines(source: Source, form: LineForm, intake: Intake, findings: Findings) -> Iterator[list[Span]]:
    """Adds the facts of the usual lines; the other lines, block by block. The last line may be empty."""
    for block in blocks(source, findings):
        text = block.text.replace("\r\n", "\n") if "\r" in block.text else block.text
        *lines, rest = text.split(form.end)
        left = intake.take(map(str.split, lines, repeat(form.separator), repeat(2)))
        unknown = "".join([lines[index] + form.end for index in left]) + rest
        usual = form.usual.findall(unknown)
        for subject, predicate, value in usual:
            intake.add(subject, predicate, value)
        if len(usual) < unknown.count("\n") + (unknown[-1:] not in ("", "\n")):
            yield _unusual_lines(text.removesuffix("\n"), block.line, block.last, source.name, form)


def _unusual_lines(text: str, first: int, last: bool, name: str, form: LineForm) -> list[Span]:
    lines = text.removesuffix("\n").split("\n") if last else text.split("\n")
    places = [Span(name, number, 1, len(line), line) for number, line in enumerate(lines, first)]
    return [place for place in places if not form.usual.fullmatch(place.text)]
