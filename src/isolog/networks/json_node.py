"""Strict JSON with exact numbers: every value knows its path, and all that is wrong with a file is found at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import TypeVar, cast

from isolog.errors import Finding, Findings, InputError, UnsupportedError
from isolog.facts.streams import open_source
from isolog.source import Span

_LONGEST_NUMBER = 4000  # digits; Python itself refuses to read or print integers beyond 4,300
T = TypeVar("T")
ABSENT = object()
PAGES = "docs/formats.md describes model folders, docs/foreign-networks.md the networks of others"
_NUMBER = re.compile(r"-?\d+(/\d+|(\.\d+)?([eE](?P<exponent>[+-]?\d+))?)", re.ASCII)


class Numeral(str):
    """A JSON number as it is written."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value with its path, such as `layers[0].slope`, and where to put what is wrong with it."""

    value: object
    path: str
    file: str
    findings: Findings

    @property
    def is_absent(self) -> bool:
        """Whether there is no such value; whatever is asked of it then is None or empty, and no finding."""
        return self.value is ABSENT

    @property
    def shown(self) -> str:
        """The value, or what kind of value it is, short enough for a message."""
        if isinstance(self.value, (list, dict)):
            return "a list" if isinstance(self.value, list) else "an object"
        text = self.value if isinstance(self.value, Numeral) else json.dumps(self.value, ensure_ascii=False)
        return (text if len(text) <= 60 else text[:57] + "…").encode(errors="backslashreplace").decode()

    def fields(self, required: Sequence[str], optional: Sequence[str] = (), closed: bool = True) -> dict[str, Node]:
        """The named members of an object, some perhaps absent; if `closed`, others may not be there."""
        known = [*required, *optional]
        members = self.members()
        for name in required if isinstance(self.value, dict) else ():
            if name not in members:
                self.findings.add("E302", f"the key `{self._member(name)}` is missing", Span(self.file), PAGES)
        for name in members if closed else ():
            if name not in known:
                hint = nearest(name, known) or "the keys here are " + ", ".join(f"`{name}`" for name in known)
                self.findings.add("E303", f"unknown key `{self._member(name)}`", Span(self.file), hint)
        return {name: members.get(name, self._at(self._member(name), ABSENT)) for name in known}

    def members(self) -> dict[str, Node]:
        """All members of an object, whatever their names."""
        if not isinstance(self.value, dict):
            self.reject("an object")
            return {}
        members = cast(Mapping[str, object], self.value)
        return {name: self._at(self._member(name), value) for name, value in members.items()}

    def items(self) -> list[Node]:
        """The elements of a list."""
        if not isinstance(self.value, list):
            self.reject("a list")
            return []
        elements = cast(list[object], self.value)
        return [self._at(f"{self.path}[{i}]", element) for i, element in enumerate(elements)]

    def text(self) -> str | None:
        """A string, of whole characters."""
        if isinstance(self.value, Numeral) or not isinstance(self.value, str):
            return self.reject("a string")
        lone_surrogate = any("\ud800" <= character <= "\udfff" for character in self.value)
        return self.reject("Unicode text, without lone surrogates") if lone_surrogate else self.value

    def texts(self) -> tuple[str, ...] | None:
        """A list of strings."""
        if not isinstance(self.value, list):
            return self.reject("a list")
        texts = [item.text() for item in self.items()]
        return None if None in texts else tuple(text for text in texts if text is not None)

    def number(self) -> Fraction | None:
        """The number that the decimal, or the string with a decimal or a fraction, stands for."""
        if not isinstance(self.value, str) or not (match := _NUMBER.fullmatch(self.value)):
            return self.reject('a number, or a string such as "1/3"')
        if len(self.value) > _LONGEST_NUMBER or abs(int(match["exponent"] or 0)) + len(self.value) > _LONGEST_NUMBER:
            return self.reject(f"a number of at most {_LONGEST_NUMBER:,} digits")
        try:
            return Fraction(str(self.value))
        except ZeroDivisionError:
            return self.reject("a number, with a denominator that is not 0")

    def whole(self, least: int | None = None) -> int | None:
        """An integer, at least `least`."""
        bound = "" if least is None else f", at least {least}"
        if isinstance(self.value, str) and _NUMBER.fullmatch(self.value):
            number = self.number()
            if number is None:
                return None
            if number.denominator == 1 and (least is None or number >= least):
                return int(number)
        return self.reject("an integer" + bound)

    def each(self, count: int, of: str, read: Callable[[Node], T | None]) -> tuple[T, ...] | None:
        """One value for each of `count` things, from a list as long or from one value for all of them."""
        if not isinstance(self.value, list):
            value = read(self)
            return None if value is None else (value,) * count
        values = [read(item) for item in self.items()]
        if len(values) != count:
            message = f"`{self.path}` has {len(values)} values, and there are {count} {of}s"
            self.findings.add("E311", message, Span(self.file), f"give one for all, or one per {of}")
        return tuple(value for value in values if value is not None) if len(values) == count else None

    def reject(self, expected: str, hint: str | None = None) -> None:
        """Finds that the value, unless it is absent, is not what it must be."""
        if self.is_absent:
            return
        where = f"`{self.path}`" if self.path else "the file"
        self.findings.add("E304", f"{where} must be {expected}, not {self.shown}", Span(self.file), hint or PAGES)

    def _member(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def _at(self, path: str, value: object) -> Node:
        return Node(value, path, self.file, self.findings)


def nearest(name: str, known: Sequence[str]) -> str | None:
    """A hint that names what may have been meant.

    >>> nearest("treshold", ["scale", "threshold"])
    'did you mean `threshold`?'
    """
    close = get_close_matches(name, known, 1)
    return f"did you mean `{close[0]}`?" if close else None


def read_json(path: Path, findings: Findings) -> Node:
    """The value in the file; text that is not JSON is an error at once, repeated keys go to the findings."""
    file = str(path)

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, value in pairs:
            if name in found:
                findings.add("E301", f"the key `{name}` appears twice in one object", Span(file), "keep one of them")
            found[name] = value
        return found

    try:
        with open_source(file) as source:
            text = source.read().decode()
        value = json.loads(text, parse_float=Numeral, parse_int=Numeral, object_pairs_hook=members)
    except UnicodeDecodeError as error:
        hint = "convert the file to UTF-8, with `iconv` for example"
        raise InputError(Finding("E301", f"byte {error.start + 1:,} is not UTF-8 text", Span(file), hint)) from error
    except RecursionError as error:
        raise InputError(Finding("E301", "the JSON is nested too deeply", Span(file), PAGES)) from error
    except json.JSONDecodeError as error:
        line = error.doc.split("\n")[error.lineno - 1]
        span = Span(file, error.lineno, error.colno, 1, line)
        hint = "strings stand in double quotes, and commas between the members of a list or an object"
        raise InputError(Finding("E301", f"broken JSON: {error.msg[:1].lower()}{error.msg[1:]}", span, hint)) from error
    return Node(value, "", file, findings)


def number_to_json(number: Fraction) -> int | float | str:
    """What `Node.number` reads back as this number: a JSON integer or decimal where it can be, else a string.

    >>> number_to_json(Fraction(4)), number_to_json(Fraction(1, 10)), number_to_json(Fraction(1, 3))
    (4, 0.1, '1/3')
    """
    if number.numerator.bit_length() + number.denominator.bit_length() > 3 * _LONGEST_NUMBER:
        hint = "a model file holds numbers of a few thousand digits; round this one"
        raise UnsupportedError(Finding("E331", "a number is too long to be written", hint=hint))
    if number.denominator == 1:
        return int(number)
    decimal = float(number) if abs(number) < 2**53 else 0.0
    return decimal if Fraction(repr(decimal)) == number else str(number)
