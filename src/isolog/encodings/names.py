"""Names of encodings: a base, perhaps with a number, and modifiers, as in `pairs:2+inverses+nominals`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from isolog.errors import Finding, UnsupportedError

_PART = re.compile(r"([a-z][a-z-]*)(?::([1-9][0-9]{0,8}))?")


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart; numbers that are not given are None."""

    base: str
    number: int | None
    modifiers: tuple[tuple[str, int | None], ...]


def parse_name(text: str, bases: Iterable[str], modifiers: Iterable[str]) -> Name:
    """The parts of a name; an error says which encodings there are.

    >>> parse_name("pairs:2+nominals", ["pairs"], ["nominals"])
    Name(base='pairs', number=2, modifiers=(('nominals', None),))
    """
    matches = [_PART.fullmatch(part) for part in text.split("+")]
    parts = [(match[1], int(match[2]) if match[2] else None) for match in matches if match]
    named = [name for name, _ in parts]
    well_formed = len(parts) == len(matches) and len({*named}) == len(named)
    if not well_formed or named[0] not in bases or not {*named[1:]} <= {*modifiers}:
        shown = [", ".join(f"`{name}`" for name in names) for names in (bases, modifiers)]
        hint = f"the encodings are {shown[0]}, with modifiers as in `pairs+inverses`: {shown[1]}"
        raise UnsupportedError(Finding("E307", f"the encoding `{text}` is not implemented", hint=hint))
    return Name(*parts[0], tuple(parts[1:]))
