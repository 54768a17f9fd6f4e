"""Rule files of AnyBURL: how often a rule predicts, how often it is right, its confidence and the rule, with tabs
between. Variables are single capitals; names may contain commas, parentheses and spaces."""

from __future__ import annotations

import re
from dataclasses import replace

from isolog.datalog.syntax import Rule
from isolog.errors import Finding, InputError
from isolog.facts.terms import Atom, Term, Variable
from isolog.source import Span

_RULE = re.compile(r"(.*?\)) <=\s*(.*?)\s*")
_RELATION = r"(?:(?!\), ).)"
_FORMS = [
    re.compile(form)
    for form in (
        rf"({_RELATION}+)\(([A-Z]),([A-Z])\)",
        rf"({_RELATION}+?)\(([A-Z]),(.+)\)",
        rf"({_RELATION}+?)\((.+),([A-Z])\)",
        rf"({_RELATION}+?)\(([^,]+),([^,]+)\)",
    )
]
_COUNT = re.compile(r"[0-9]+")
_CONFIDENCE = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")
_END = "), "


def parse_anyburl(line: Span) -> tuple[Rule, str]:
    """The rule on a line, and its counts and confidence.

    >>> from isolog.datalog.printer import print_rule
    >>> rule, note = parse_anyburl(Span("r", 1, text="20\\t15\\t0.75\\tborn(X,rome) <= lives(X,A), in(A,it, south)"))
    >>> print_rule(rule), note
    ('born(X, rome) :- lives(X, A), in(A, <it,\\\\u0020south>).', 'predicted 20, correct 15, confidence 0.75')
    """
    fields = line.text.split("\t")
    if len(fields) != 4:
        hint = "predictions, correct predictions, confidence and rule, with tabs between"
        raise InputError(Finding("E543", f"4 fields are expected, this line has {len(fields)}", line, hint))
    for place, form in enumerate((_COUNT, _COUNT, _CONFIDENCE)):
        if not form.fullmatch(fields[place]):
            span = _place(line, fields, place)
            raise InputError(Finding("E544", f"`{fields[place]}` is not a number that can stand here", span))
    match = _RULE.fullmatch(fields[3])
    if match is None:
        message, hint = "this is no rule of AnyBURL", "a rule is `head <= body1, body2`"
        raise InputError(Finding("E540", message, _place(line, fields, 3), hint))
    head, body = _parse_atom(match[1]), _parse_body(match[2])
    for part, text, start in ((head, match[1], 0), (body, match[2], match.start(2))):
        if part is None:
            span = replace(_place(line, fields, 3, start), length=len(text) or 1)
            hint = "an atom is `r(X,Y)`, `r(X,name)` or `r(name,X)`; variables are single capitals"
            raise InputError(Finding("E541", f"`{text}` is no atom, or no list of atoms", span, hint))
    assert head is not None and body is not None
    note = f"predicted {fields[0]}, correct {fields[1]}, confidence {fields[2]}"
    return Rule(head, tuple(body), line), note


def _place(line: Span, fields: list[str], index: int, start: int = 0) -> Span:
    before = sum(len(field) + 1 for field in fields[:index])
    return replace(line, column=before + start + 1, length=len(fields[index]) or 1)


def _parse_body(text: str) -> list[Atom] | None:
    """The atoms of a body: as many as there can be, for names may contain `), `. An empty body is `true`."""
    if not text:
        return []
    pieces = text.split(_END)
    pieces[:-1] = [piece + ")" for piece in pieces[:-1]]
    best: list[list[Atom] | None] = [[]] + [None] * len(pieces)
    for end in range(1, len(pieces) + 1):
        for start in range(end):
            before, atom = best[start], _parse_atom(", ".join(pieces[start:end]))
            if before is not None and atom is not None and len(before) >= len(best[end] or ()):
                best[end] = [*before, atom]
    return best[-1]


def _parse_atom(text: str) -> Atom | None:
    for form in _FORMS:
        if (match := form.fullmatch(text)) and all(map(_may_be_name, match.groups()[1:])):
            return Atom(match[1], (_term(match[2]), _term(match[3])))
    return None


def _may_be_name(text: str) -> bool:
    """Whether a name could be meant, and not what is left between two atoms."""
    depth = 0
    for character in text if _END in text else "":
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return True


def _term(text: str) -> Term:
    return Variable(text) if len(text) == 1 and "A" <= text <= "Z" else text
