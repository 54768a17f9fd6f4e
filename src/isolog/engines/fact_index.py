"""Facts that rules are matched against, looked up by predicate and argument."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from isolog.datalog.scope import ANONYMOUS
from isolog.datalog.substitution import substitute
from isolog.facts.terms import Atom, Function, Predicate, Term, Variable, variables_of

Binding: TypeAlias = Mapping[Variable, Term]
Row: TypeAlias = tuple[Term, ...]


class FactIndex:
    """A growing set of facts, and the terms of the data: those that a variable in no positive atom ranges over."""

    def __init__(self, facts: Iterable[Atom], terms: Iterable[Term]) -> None:
        self.terms = dict.fromkeys(terms)
        self._rows: dict[Predicate, dict[Row, None]] = {}
        self._having: dict[tuple[Predicate, int, Term], list[Row]] = {}
        self.add(facts)

    def add(self, facts: Iterable[Atom]) -> int:
        """Adds the facts, and says how many of them are new."""
        new = 0
        for fact in facts:
            predicate, row = fact.predicate, fact.arguments
            rows = self._rows.setdefault(predicate, {})
            if row not in rows:
                new += 1
                rows[row] = None
                for place, term in enumerate(row):
                    self._having.setdefault((predicate, place, term), []).append(row)
        return new

    def candidates(self, atom: Atom, binding: Binding) -> Collection[Row]:
        """The arguments of facts that include all that match: those that agree with the atom in one argument."""
        predicate = atom.predicate
        fewest: Collection[Row] = self._rows.get(predicate, ())
        for place, argument in enumerate(atom.arguments):
            if all(variable in binding for variable in variables_of(argument)):
                term = substitute(argument, binding.__getitem__)
                fewest = min(fewest, self._having.get((predicate, place, term), ()), key=len)
        return fewest

    def matches(self, atom: Atom, binding: Binding) -> Iterator[Binding]:
        """The least extensions of the binding under which the atom is one of the facts."""
        for row in self.candidates(atom, binding):
            extended = matched(atom.arguments, row, binding)
            if extended is not None:
                yield extended

    def subterms(self) -> set[Term]:
        """The arguments of all facts, and the terms inside them."""
        pending = [term for rows in self._rows.values() for row in rows for term in row]
        found: set[Term] = set()
        while pending:
            term = pending.pop()
            found.add(term)
            if isinstance(term, Function):
                pending += term.arguments
        return found


def matched(patterns: Sequence[Term], terms: Sequence[Term], binding: Binding) -> Binding | None:
    """The least extension of the binding that makes the patterns equal to the ground terms; `_` equals any term.

    >>> matched((Function("g", (Variable("X"), "b")),), (Function("g", ("a", "b")),), {})
    {Variable(name='X'): 'a'}
    """
    if len(patterns) != len(terms):
        return None
    for pattern, term in zip(patterns, terms):
        match pattern:
            case Variable():
                if pattern == ANONYMOUS:
                    continue
                if binding.get(pattern, term) != term:
                    return None
                binding = {**binding, pattern: term}
            case Function():
                if not isinstance(term, Function) or pattern.symbol != term.symbol:
                    return None
                inside = matched(pattern.arguments, term.arguments, binding)
                if inside is None:
                    return None
                binding = inside
            case _:
                if pattern != term:
                    return None
    return binding
