"""Tokens of Datalog text: what a line of a program or of a fact file is made of, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Line(NamedTuple):
    """A line of text without its line break; lines count from 1."""

    number: int
    text: str


class Token(NamedTuple):
    """A piece of one line. The kind of a punctuation mark is the mark itself; columns count from 1."""

    kind: str
    text: str
    line: Line
    column: int

    @property
    def end(self) -> int:
        """The column after the token."""
        return self.column + len(self.text)


_RAW = r'[^<>"{}|^`\\\x00-\x20]'
_TOKENS = {
    "name": r"[a-z0-9]\w*+(?!:\w)",
    "variable": r"[A-Z_]\w*+(?!:\w)",
    "": r":-|!=(?!=)|>=|\^\^|[(),{}.]|/(?![/*])|:(?![\w=:])",
    "bracketed": rf"<(?:{_RAW}|\\[^<>\s])*+>",
    "string": r'"[^"\\\r]*+(?:\\.[^"\\\r]*+)*+"',
    "blank": r"_:\w+(?:-+\w+)*+",
    "prefixed": r"\w*:\w+(?:-+\w+)*+",
    "word": r"[@#][A-Za-z]++(?:-[A-Za-z0-9]++)*+",
    "unclosed": r'".*|<(?![\s<>=-])[^<>]*+>?+',
    "foreign": r"[<:=>~!\\+&|;/*-]+|\?\w*|[^\x00-\x7f](?:[^\x00-\x7f]|\w)*+|'[^']*+'|[^%\s]",
}
_KINDS = ("", *_TOKENS)
_TOKEN = re.compile(r"(?:\s|%[^\r]*+)*+(?:" + "|".join(f"({pattern})" for pattern in _TOKENS.values()) + ")", re.ASCII)


def lines_of(text: str) -> Iterator[Line]:
    """The numbered lines of a text.

    >>> [line.text for line in lines_of("p(a).\\r\\nq(b).")]
    ['p(a).', 'q(b).']
    """
    return numbered(text.split("\n"))


def numbered(lines: Iterable[str]) -> Iterator[Line]:
    """The lines, counted from 1 and without their line breaks; a byte order mark at the start is left out."""
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        yield Line(number, text.removeprefix("\ufeff") if number == 1 else text)


def scan(line: Line, before: str = "") -> list[Token]:
    """The tokens of a line that comes after a token of the kind `before`. Comments and spaces are none.

    No token spans two lines. What is no token of the language has the kind `unclosed` or `foreign`.

    >>> [token.text for token in scan(Line(1, "p(X) :- ex:q(X, <a b>).  % why"))]
    ['p', '(', 'X', ')', ':-', 'ex:q', '(', 'X', ',', '<a b>', ')', '.']
    """
    tokens: list[Token] = []
    text, position = line.text, 0
    while (match := _TOKEN.match(text, position)) is not None:
        group = match.lastindex or 0
        start, position = match.span(group)
        word = match[group]
        kind = _KINDS[group] or word
        if kind == "prefixed" and before == "{" and word[0] != ":":
            # In `{Y:p(Y)}` the colon is that of the count, not that of a prefix.
            word = word.partition(":")[0]
            kind = "variable" if word[0] == "_" or word[0].isupper() else "name"
            position = start + len(word) + 1
            tokens.append(Token(kind, word, line, start + 1))
            kind, word, start = ":", ":", position - 1
        tokens.append(Token(kind, word, line, start + 1))
        before = kind
    return tokens
