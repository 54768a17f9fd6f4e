"""Explanations of one shape: equal up to the names of constants that the encoding does not know.

Networks and encodings cannot tell such constants apart, so rules of one shape are the same, and proofs are the same
after renaming.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from isolog.correspondence.proofs import Proof
from isolog.facts.terms import Atom, Term

Shape: TypeAlias = tuple[tuple[str | Term | int, ...], ...]


class Shaped(NamedTuple):
    """A fact and the facts that it is derived from with numbers for its terms, and what these are."""

    shape: Shape
    terms: tuple[Term, ...]


def shaped(fact: Atom, facts: Iterable[Atom], known: Collection[Term]) -> Shaped:
    """The shape: terms are numbered in order of arrival, those that the encoding knows stand for themselves.

    >>> shaped(Atom("p", ("a",)), [Atom("r", ("a", "b"))], []) == shaped(Atom("p", ("b",)), [Atom("r", ("b", "a"))], [])
    False
    >>> shaped(Atom("p", ("a",)), [Atom("r", ("a", "b"))], []).shape
    (('p', 0), ('r', 0, 1))
    """
    numbers: dict[Term, int] = {}
    rows = [
        (each.name, *[term if term in known else numbers.setdefault(term, len(numbers)) for term in each.arguments])
        for each in (fact, *facts)
    ]
    return Shaped(tuple(rows), tuple(numbers))


def renamed(proof: Proof, fact: Atom, names: Mapping[Term, Term]) -> Proof:
    """The proof of a fact of the same shape; terms without a new name keep theirs."""
    vocabulary = proof.around.encoded.dataset.vocabulary.terms
    around = proof.around.renamed({term: names.get(term, term) for term in vocabulary})
    return replace(proof, fact=fact, facts=tuple(around.encoded.dataset), around=around)
