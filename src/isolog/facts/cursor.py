"""A place in Datalog text: moving over its tokens clause by clause, and keeping what is wrong on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

from isolog.errors import Findings
from isolog.facts.mistakes import RULE, misread
from isolog.facts.scan import Line, Token, scan
from isolog.source import Span

MAX_NESTING = 200
_CLAUSE_STARTS = frozenset({"name", "variable", "bracketed", "prefixed", "blank", "word"})
_T = TypeVar("_T")


class Unreadable(Exception):
    """The clause at the cursor says nothing; the finding that tells why is kept."""


class Cursor:
    """The next token of a text, and what is known before it: prefixes, and the variables of the clause so far.

    At the end of the text stands an empty token. With `open_end`, the last clause needs no `.`.
    """

    def __init__(self, lines: Iterator[Line], file: str, findings: Findings, open_end: bool = False) -> None:
        self.lines = lines
        self.file = file
        self.findings = findings
        self.open_end = open_end
        self.prefixes: dict[str, str] = {}
        self.variables: list[Token] = []
        self.token = self.previous = self._first = Token("", "", Line(1, ""), 1)
        self._tokens: list[Token] = []
        self._taken = 0
        self._nesting = 0

    def clauses(self, line: Line, read: Callable[[Cursor], _T | None]) -> Iterator[_T]:
        """What `read` makes of the clauses that begin on the line, the next one; a clause with findings is left out.

        `read` leaves the cursor at the `.` of the clause, so that no line is taken before it is needed.
        """
        self._enter(line)
        while self._taken < len(self._tokens):
            self.advance()
            self._first = self.token
            self._nesting = 0
            self.variables.clear()
            findings = len(self.findings)
            try:
                found = read(self)
            except Unreadable:
                while self.token.text and not _looks_final(self.token):
                    self.advance()
            else:
                if found is not None and len(self.findings) == findings:
                    yield found

    def advance(self) -> Token:
        """Takes the token, whatever it is."""
        self.previous = taken = self.token
        while self._taken == len(self._tokens):
            line = next(self.lines, None)
            if line is None:
                self.token = Token("", "", taken.line, taken.end)
                return taken
            self._enter(line)
        self.token = self._tokens[self._taken]
        self._taken += 1
        return taken

    def expect(self, kind: str, expected: str) -> Token:
        """Takes a token of that kind."""
        if self.token.kind != kind:
            self.fail(expected)
        return self.advance()

    def end(self, expected: str) -> None:
        """The clause ends here: with a `.`, or without it before another clause, which is a finding."""
        token, last = self.token, self.previous
        if token.kind == "." or (self.open_end and not token.text):
            return
        next_line = token.line.number > last.line.number and token.kind in _CLAUSE_STARTS
        if token.text and not next_line:
            self.fail(expected)
        self.add("E201", f"{expected} is missing", Token("", "", last.line, last.end), RULE)
        if not next_line or token.column > self._first.column:
            raise Unreadable  # what is indented belongs to this clause
        self._taken -= 1

    def nest(self) -> None:
        """One more parenthesis or brace is open; `unnest` undoes it."""
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            hint = "write the clause without so many terms or braces within one another"
            self.stop("E210", f"nested more than {MAX_NESTING} levels deep", self.token, hint)

    def unnest(self) -> None:
        """One fewer is open."""
        self._nesting -= 1

    def span(self, first: Token, last: Token | None = None) -> Span:
        """The place of the token; with `last`, the place from one to the other, as far as the line goes."""
        line, end = first.line, (last or first).end
        if last is not None and last.line.number != line.number:
            end = len(line.text.rstrip()) + 1
        return Span(self.file, line.number, first.column, (end - first.column) or 1, line.text)

    def add(self, code: str, message: str, token: Token, hint: str | None = None) -> None:
        """Keeps a finding at the token."""
        self.findings.add(code, message, self.span(token), hint)

    def stop(self, code: str, message: str, token: Token, hint: str | None = None) -> NoReturn:
        """Keeps a finding that leaves the clause without a meaning."""
        self.add(code, message, token, hint)
        raise Unreadable

    def fail(self, expected: str) -> NoReturn:
        """Something else is expected here."""
        code, message, hint = misread(self.token, expected)
        self.stop(code, message, self.token, hint)

    def _enter(self, line: Line) -> None:
        self._tokens, self._taken = scan(line, self.token.kind), 0
        if not self.token.text:
            self.token = Token("", "", line, 1)


def _looks_final(token: Token) -> bool:
    """Whether the clause seems to end here; the `.` in `3.14` or in an IRI without brackets does not end it."""
    if token.kind == ".":
        return token.line.text[token.end - 1 : token.end] in ("", " ", "\t", "%")
    return token.kind == "unclosed" and token.text.rstrip().endswith(".")
