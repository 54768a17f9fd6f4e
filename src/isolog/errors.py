"""The error tree: every error carries coded findings, each with its place and a hint, all of a check at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from isolog.source import Span


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a stable code, a sentence, where, and what to do about it."""

    code: str
    message: str
    span: Span | None = None
    hint: str | None = None

    def render(self) -> str:
        """The finding as the lines a user reads.

        >>> print(Finding("E223", "unknown predicate `parnet/2`", hint="did you mean `parent/2`?").render())
        E223 unknown predicate `parnet/2`
          hint: did you mean `parent/2`?
        """
        lines = [f"{self.code} {self.message}"]
        if self.span is not None:
            lines += self.span.excerpt()
        if self.hint is not None:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class IsologError(Exception):
    """What isolog raises on purpose; anything else that escapes is a bug."""

    exit_code: ClassVar[int] = 70

    def __init__(self, findings: Finding | Iterable[Finding]) -> None:
        self.findings = (findings,) if isinstance(findings, Finding) else tuple(findings)
        super().__init__("\n".join(finding.render() for finding in self.findings))


class InputError(IsologError):
    """A file, a program, a fact or a signature that does not say anything well formed."""

    exit_code = 1


class UnsupportedError(IsologError):
    """Well formed, but outside the fragment or the engine; the hint names the way out."""

    exit_code = 1


class MissingExtraError(IsologError):
    """An optional dependency is not installed; the hint is the line that installs it."""

    exit_code = 1


class LimitError(IsologError):
    """A budget was reached; the message says how far the work came and what it would have needed."""

    exit_code = 4


class Findings:
    """Collects what a check finds, up to a limit, and raises it in one go."""

    def __init__(self, limit: int = 20) -> None:
        self.limit = limit
        self._found: list[Finding] = []
        self._beyond = 0

    def add(self, code: str, message: str, span: Span | None = None, hint: str | None = None) -> None:
        """Keeps the finding, or counts it once the limit is reached."""
        if len(self._found) < self.limit:
            self._found.append(Finding(code, message, span, hint))
        else:
            self._beyond += 1

    def __len__(self) -> int:
        return len(self._found) + self._beyond

    def raise_any(self, error: type[IsologError] = InputError) -> None:
        """Raises `error` with everything found; does nothing when nothing was."""
        if not self._found:
            return
        if self._beyond:
            last = Finding("E100", f"and {self._beyond:,} more findings like these")
            raise error([*self._found, last])
        raise error(self._found)
