"""What verbs print: data on standard output, talk on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from isolog.errors import Finding


def say(line: str, quiet: bool = False) -> None:
    """A remark for a person, on standard error."""
    if not quiet:
        print(line, file=sys.stderr)


def warn(findings: Iterable[Finding], quiet: bool = False) -> None:
    """Findings that do not stop the work."""
    for finding in findings:
        say("warning: " + finding.render(), quiet)


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on standard output; exact numbers become strings when JSON could not hold them."""
    print(json.dumps(value, default=_as_json, ensure_ascii=False, indent=2))


def _as_json(value: object) -> object:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def table(rows: list[tuple[str, ...]], indent: str = "") -> str:
    """Rows of text in aligned columns."""
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(indent + line for line in lines)
