"""Datasets that tell two sides apart: checked by the engines that define what both mean, and made small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from isolog.concepts.flat_rules import OutOfTime
from isolog.correspondence.lemma1 import readable_names
from isolog.correspondence.sides import Side
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Term


@dataclass(frozen=True, slots=True)
class Separation:
    """A dataset, and a fact that only one side derives from it: the first of the two, or else the second."""

    dataset: Dataset
    fact: Atom
    by_first: bool


def is_separation(found: Separation, first: Side, second: Side) -> bool:
    """Whether the one side derives the fact and the other does not."""
    by, without = (first, second) if found.by_first else (second, first)
    return found.fact in by.derive(found.dataset) and found.fact not in without.derive(found.dataset)


def minimal_separation(found: Separation, first: Side, second: Side, tick: Callable[[], None]) -> Separation:
    """One with readable constants without any fact that it can do without, as far as `tick` does not end the search.

    Halves of the facts are left out first, then quarters, and so on.
    """
    assert is_separation(found, first, second), "the sides do not differ where they should"
    smallest = _readable(_smaller(found, first, second, tick), first, second)
    assert is_separation(smallest, first, second), "the names of constants make a difference"
    return smallest


def _smaller(found: Separation, first: Side, second: Side, tick: Callable[[], None]) -> Separation:
    size = len(found.dataset)
    while size:
        place, before = 0, len(found.dataset)
        while place < len(found.dataset):
            try:
                tick()
            except OutOfTime:
                return found
            facts = list(found.dataset)
            fewer = replace(found, dataset=Dataset.from_facts(facts[:place] + facts[place + size :]))
            if is_separation(fewer, first, second):
                found = fewer
            else:
                place += size
        if size > 1 or len(found.dataset) == before:
            size //= 2
    return found


def _readable(found: Separation, first: Side, second: Side) -> Separation:
    """The same with a, b, c, … for constants that no rule mentions, that of the fact first."""
    own = first.constants | second.constants
    fresh = (name for name in readable_names() if name not in own)
    terms = dict.fromkeys(term for each in (found.fact, *found.dataset) for term in each.arguments)
    names: dict[Term, Term] = {term: term if term in own else next(fresh) for term in terms}
    fact, *facts = (
        Atom(each.name, tuple(names[term] for term in each.arguments)) for each in (found.fact, *found.dataset)
    )
    return Separation(Dataset.from_facts(facts), fact, found.by_first)
