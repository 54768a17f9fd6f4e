"""Def. 4: whether two networks or programs derive the same facts from every dataset, in one round.

Sides with tree-like rules, networks among them, are concepts, and a difference is a tree (`tree_difference.py`). For
all other rules Lemma 1 decides: each rule of one side is tried on the instances of its body (`rule_difference.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from isolog.concepts.flat_rules import Budget, OutOfTime
from isolog.correspondence.joined_concepts import JoinedConcepts
from isolog.correspondence.rule_difference import rule_difference
from isolog.correspondence.separating import Separation, minimal_separation
from isolog.correspondence.shared_concepts import Heads, at_terms, concepts_of_side, vocabulary
from isolog.correspondence.sides import Side, Subject, sides
from isolog.correspondence.tree_difference import Deadline, tree_difference
from isolog.correspondence.user_equivalence import user_difference
from isolog.correspondence.written_rules import rules_of_concepts, written_rules
from isolog.datalog.syntax import Program, Rule
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Predicate
from isolog.networks.network import Network

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Equivalence:
    """True: the same on every dataset; False: not on the witness, where only one side derives the fact; None: not
    known, for the reason given."""

    equivalent: bool | None
    witness: Dataset | None = None
    fact: Atom | None = None
    derived_by: Literal["A", "B"] | None = None
    reason: str | None = None


def equivalent(a: Subject, b: Subject, *, seconds: float = SECONDS) -> Equivalence:
    """Whether networks or programs, in any combination, derive the same facts from every dataset.

    Networks derive unary facts, so only those count where one of the two is a network. No fact of the witness can be
    left out.

    >>> from isolog.datalog.parser import parse
    >>> equivalent(parse("U(X) :- r(X, Y), r(X, Z)."), parse("U(X) :- r(X, Y).")).equivalent
    True
    >>> different = equivalent(parse("U(X) :- r(X, Y), r(X, Z), Y != Z."), parse("U(X) :- r(X, Y)."))
    >>> list(different.witness), different.derived_by
    ([Atom(name='r', arguments=('a', 'b'))], 'B')
    """
    if any(isinstance(side, Network) and side.encoding.name != "canonical" for side in (a, b)):
        return _for_users(a, b, seconds)
    deadline = Deadline(time.monotonic() + seconds)
    first, second = sides(a, b)
    try:
        found = _Comparison(first, second, deadline).difference()
    except OutOfTime:
        return Equivalence(None, reason=f"undecided within {seconds:g} seconds")
    except LimitError as error:
        return Equivalence(None, reason=f"undecided: {error.findings[0].message}")
    if found is None:
        return Equivalence(True)
    deadline.end = max(deadline.end, time.monotonic() + 1)
    shown = minimal_separation(found, first, second, deadline)
    return Equivalence(False, shown.dataset, shown.fact, "A" if shown.by_first else "B")


def _for_users(a: Subject, b: Subject, seconds: float) -> Equivalence:
    """The same on all datasets of the user, where a network is encoded."""
    try:
        found = user_difference(a, b, Budget(seconds=seconds))
    except LimitError as error:
        return Equivalence(None, reason=f"undecided: {error.findings[0].message}")
    if found is None:
        return Equivalence(True)
    return Equivalence(False, found.instance.dataset, found.instance.fact, found.derived_by)


class _Comparison:
    """Two sides, and the concepts of their unary heads where they have some."""

    def __init__(self, first: Side, second: Side, deadline: Deadline) -> None:
        self.sides = first, second
        self.deadline = deadline
        self.words = vocabulary(first, second)
        joined = JoinedConcepts()
        self.concepts = joined.concepts
        self.heads = [concepts_of_side(side, self.words, joined) for side in self.sides]

    def difference(self) -> Separation | None:
        """Where the sides differ, if they do."""
        first, second = self.heads
        if first is None or second is None:
            return self._by_rules(self._compared())
        (one, other), words = self.sides, self.words
        there = at_terms(first, one, words, self.concepts), at_terms(second, other, words, self.concepts)
        found = tree_difference(self.concepts, *there, words, self.deadline.end)
        return found or self._by_rules(head for head in self._compared() if head.arity != 1)

    def _compared(self) -> set[Predicate]:
        """The heads that count: unary ones only, unless both sides are programs."""
        heads = self.sides[0].heads | self.sides[1].heads
        programs = all(isinstance(side.subject, Program) for side in self.sides)
        return {head for head in heads if programs or head.arity == 1}

    def _by_rules(self, heads: Iterable[Predicate]) -> Separation | None:
        wanted = set(heads)
        for by_first in (True, False):
            side, other = self.sides if by_first else self.sides[::-1]
            rules = self._rules(side, self.heads[0 if by_first else 1], wanted)
            found = rule_difference(rules, side, other, self.deadline)
            if found is not None:
                return Separation(found.dataset, found.fact, by_first)
        return None

    def _rules(self, side: Side, concepts: Heads | None, heads: set[Predicate]) -> Iterable[Rule]:
        """The rules of a side for these heads: a program's own, unless auxiliary predicates stand for more."""
        if concepts is None:
            assert isinstance(side.subject, Program), "every network has concepts"
            return written_rules(side.subject, heads)
        if isinstance(side.subject, Program) and not side.subject.auxiliary:
            return written_rules(side.subject, heads)
        unary = {head: node for head, node in concepts.items() if head in heads}
        own = written_rules(side.subject, heads - unary.keys()) if isinstance(side.subject, Program) else []
        return chain(own, rules_of_concepts(self.concepts, unary, self.words, self.deadline))
