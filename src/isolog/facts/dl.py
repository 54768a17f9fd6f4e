"""`.dl` fact files: facts of any arity, with function terms, `@prefix` and comments, read as a stream."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from isolog.errors import Findings
from isolog.facts.cursor import Cursor
from isolog.facts.grammar import read_fact, read_prefix
from isolog.facts.scan import numbered
from isolog.facts.terms import Atom
from isolog.facts.text import print_atom

_NAME = r'(?:[a-z0-9]\w*+|<[^<>"{}|^`\\\x00-\x20]*+>)'
_SIMPLE = re.compile(
    rf"(?!(?:not|true)\b)([A-Z]\w*+|{_NAME})\(\s*+({_NAME})\s*+(?:,\s*+({_NAME})\s*+)?\)\s*+\.\s*+", re.ASCII
)


def read_dl(text: Iterable[str], name: str, findings: Findings | None = None) -> Iterator[Atom]:
    """The facts in the lines of the file `name`, in order. What is wrong goes to the findings, or is raised at the end.

    >>> from io import StringIO
    >>> list(read_dl(StringIO("go.  parent(ann, bob)."), "family.dl"))
    [Atom(name='go', arguments=()), Atom(name='parent', arguments=('ann', 'bob'))]
    """
    found = Findings() if findings is None else findings
    cursor = Cursor(numbered(text), name, found)
    for line in cursor.lines:
        # Most lines of large files hold one simple fact, for which a regular expression is ten times faster.
        if simple := _SIMPLE.fullmatch(line.text):
            predicate, *arguments = [group.strip("<>") for group in simple.groups() if group is not None]
            yield Atom(predicate, tuple(arguments))
        else:
            yield from cursor.clauses(line, _read_clause)
    if findings is None:
        found.raise_any()


def dl_line(fact: Atom) -> str:
    """The fact as a line of a `.dl` file, without the line break.

    >>> dl_line(Atom("parent", ("ann", "Bob")))
    'parent(ann, <Bob>).'
    """
    return f"{print_atom(fact)}."


def _read_clause(cursor: Cursor) -> Atom | None:
    first = cursor.token
    if first.text == "@prefix":
        return read_prefix(cursor)
    if first.kind == "word":
        cursor.stop("E207", f"`{first.text}` in a fact file", first, "the only directive of fact files is `@prefix`")
    return read_fact(cursor)
