"""Places in text files, and how an error message points at them."""

from __future__ import annotations

from dataclasses import dataclass

_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Span:
    """`length` characters of one line; `line` and `column` count from 1, and 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0
    length: int = 1
    text: str = ""

    def place(self) -> str:
        """The clickable place: `file:line:column` as far as it is known.

        >>> Span("rules.dl", 3, 13).place()
        'rules.dl:3:13'
        """
        known = [self.file, *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(known)

    def excerpt(self) -> list[str]:
        """The place with its line of text, and carets below; a long line is cut around the span."""
        if not self.text:
            return [f"  {self.place()}"]
        start = max(0, min(self.column - 1 - _SHOWN // 2, len(self.text) - _SHOWN))
        shown = self.text[start : start + _SHOWN].replace("\t", " ").rstrip()
        head = f"  {self.place()}   "
        offset = max(self.column - 1 - start, 0)
        carets = "^" * max(1, min(self.length, len(shown) - offset))
        return [head + shown, " " * (len(head) + offset) + carets]
