"""Rule files of LogInfer: `P(x,y) and not Q(y,z) implies H(x,y)`, or the three names `P`, `Q`, `H` with tabs between,
which stand for that rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from isolog.datalog.scope import ANONYMOUS
from isolog.datalog.syntax import BodyLiteral, Negation, Rule
from isolog.errors import Finding, InputError
from isolog.facts.terms import Atom, Term, Variable
from isolog.source import Span

_ATOM = re.compile(r"\s*(not\s+)?(.*\S)\s*\(\s*([a-z]\w*(?:\s*,\s*[a-z]\w*)*)\s*\)\s*", re.ASCII)
_AND = re.compile(r"(?<=\))\s+and\s+")
_FORM = "`P(x,y) and not Q(y,z) implies H(x,y)`, or `P`, `Q` and `H` with tabs between"


def parse_loginfer(line: Span) -> tuple[Rule, str]:
    """The rule on a line, and no note. What occurs once in the rule, and under `not`, is existential inside it.

    >>> from isolog.datalog.printer import print_rule
    >>> print_rule(parse_loginfer(Span("rules.txt", 1, text="_has_part\\t_hypernym\\t_also_see"))[0])
    '<_also_see>(X, Y) :- <_has_part>(X, Y), not <_hypernym>(Y, _).'
    """
    text = line.text
    fields = [field.strip() for field in text.split("\t")]
    if len(fields) == 3 and all(fields) and " implies " not in text:
        x, y = Variable("X"), Variable("Y")
        body = Atom(fields[0], (x, y)), Negation(Atom(fields[1], (y, ANONYMOUS)))
        return Rule(Atom(fields[2], (x, y)), body, line), ""
    before, implies, after = text.rpartition(" implies ")
    if not implies:
        raise InputError(Finding("E540", "this is no rule of LogInfer", line, f"a rule is {_FORM}"))
    head = _parse_atom(line, after, len(before) + len(implies))
    if isinstance(head, Negation):
        raise InputError(Finding("E540", "a head with `not`", line, f"a rule is {_FORM}"))
    literals = [_parse_atom(line, part, start) for part, start in _parts(before)]
    return Rule(head, tuple(_existential(line, head, literals)), line), ""


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """The literals of a body, and where they start."""
    start = 0
    for match in _AND.finditer(text):
        yield text[start : match.start()], start
        start = match.end()
    yield text[start:], start


def _parse_atom(line: Span, text: str, start: int) -> Atom | Negation:
    match = _ATOM.fullmatch(text)
    if match is None:
        place = replace(line, column=start + 1, length=len(text) or 1)
        raise InputError(Finding("E541", f"`{text.strip()}` is no atom", place, "an atom is a name and `(x,y)`"))
    names = [name.strip() for name in match[3].split(",")]
    atom = Atom(match[2], tuple(Variable(name[0].upper() + name[1:]) for name in names))
    return Negation(atom) if match[1] else atom


def _existential(line: Span, head: Atom, literals: list[Atom | Negation]) -> Iterator[BodyLiteral]:
    """The literals; a variable of a negated atom that nothing else has is `_` there."""
    atoms = [literal.atom if isinstance(literal, Negation) else literal for literal in literals]
    times = Counter(term for atom in (head, *atoms) for term in atom.arguments)
    bound = {term for literal in literals if isinstance(literal, Atom) for term in literal.arguments}

    def inside(term: Term) -> Term:
        if term in bound:
            return term
        if times[term] > 1 and isinstance(term, Variable):
            message = f"`{term.name.lower()}` occurs several times, but in no atom without `not`"
            raise InputError(Finding("E542", message, line, "bind it by an atom"))
        return ANONYMOUS

    for literal in literals:
        if isinstance(literal, Atom):
            yield literal
        else:
            yield Negation(Atom(literal.atom.name, tuple(map(inside, literal.atom.arguments))))
