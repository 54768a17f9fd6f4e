"""Where two sides differ whose heads are concepts: on a tree, found or excluded head by head.

Random trees come first, then the sequents of `sequents.py`. Heads that take long wait while others are tried, and go
on with what was learned in the meantime.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from isolog.concepts.dag import BOTTOM, Concepts, Node
from isolog.concepts.flat_rules import OutOfTime
from isolog.correspondence.forest import Forest, Vertex
from isolog.correspondence.lemma1 import readable_names
from isolog.correspondence.neighbours import Core
from isolog.correspondence.separating import Separation
from isolog.correspondence.sequents import Sequents
from isolog.correspondence.shared_concepts import Heads, Vocabulary
from isolog.errors import Finding, LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Predicate, Term

MOST_FACTS = 20_000
_RANDOM_TREES = 400
_FIRST_TURN = 0.1


class Deadline:
    """Called again and again, it raises `OutOfTime` after the moment that is set."""

    def __init__(self, end: float) -> None:
        self.end = end

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(self.end - time.monotonic(), 0)

    def __call__(self) -> None:
        if time.monotonic() > self.end:
            raise OutOfTime


def tree_difference(
    concepts: Concepts, first: Heads, second: Heads, words: Vocabulary, end: float
) -> Separation | None:
    """A dataset on which the sides differ, None if they are equal; `OutOfTime` if that is not known at the end."""
    forest, deadline = Forest(concepts), Deadline(end)
    sequents = Sequents(concepts, forest, deadline)
    asked = list(_questions(first, second))
    random = Random(0)
    for _, wanted, _, _ in asked:
        for _ in range(_RANDOM_TREES // len(asked) + 1):
            deadline()
            forest.sprout([wanted], random)
    turn = _FIRST_TURN
    while asked:
        later: list[tuple[Predicate, Node, Node, bool]] = []
        for question in asked:
            head, wanted, unwanted, by_first = question
            deadline.end = min(end, time.monotonic() + turn)
            try:
                answer = sequents.solve(frozenset([wanted]), frozenset([unwanted]))
            except OutOfTime:
                later.append(question)
                continue
            if not isinstance(answer, Core):
                return Separation(dataset_of(forest, answer, words), Atom(head.name, ("a",)), by_first)
        if later and time.monotonic() > end:
            raise OutOfTime
        asked, turn = later, 2 * turn
    return None


def _questions(first: Heads, second: Heads) -> Iterator[tuple[Predicate, Node, Node, bool]]:
    """Per head and direction: what is to be satisfied, what is not, and whether the first side derives it."""
    for head in sorted({*first, *second}):
        one, other = first.get(head, BOTTOM), second.get(head, BOTTOM)
        if one not in (other, BOTTOM):
            yield head, one, other, True
        if other not in (one, BOTTOM):
            yield head, other, one, False


def dataset_of(forest: Forest, vertex: Vertex, words: Vocabulary) -> Dataset:
    """The tree as facts, its root `a`; a root that no fact mentions becomes the target of an edge."""
    names = readable_names()
    facts: list[Atom] = []
    waiting: list[tuple[Vertex, Term]] = [(vertex, next(names))]
    while waiting:
        here, name = waiting.pop()
        for label in sorted(forest.labels[here]):
            if label < len(words.unary):
                facts.append(Atom(words.unary[label], (name,)))
            else:
                facts.append(_arrival(words.arrivals[label], name, next(names)))
        for colour, child, copies in forest.children[here]:
            for _ in range(copies):
                waiting.append((child, next(names)))
                facts.append(Atom(words.binary[colour], (name, waiting[-1][1])))
        if len(facts) > MOST_FACTS:
            message = f"the two differ on a tree of more than {MOST_FACTS:,} facts, too large to be shown"
            raise LimitError(Finding("E462", message, hint="smaller counts, or smaller weights, make smaller trees"))
    if not facts and words.bare is not None:
        facts.append(_arrival(words.bare, "a", next(names)))
    return Dataset.from_facts(facts)


def _arrival(predicate: Predicate, name: Term, source: Term) -> Atom:
    return Atom(predicate.name, (source,) * (predicate.arity - 1) + (name,))
