"""What the demo learns from and judges by: two families, and facts about the second that are not true."""

from __future__ import annotations

from isolog.facts.dataset import Dataset
from isolog.facts.family import Family, generate_family
from isolog.facts.signature import Signature
from isolog.facts.split import Part, Split
from isolog.facts.terms import Atom, Predicate

RELATIONS = tuple(Predicate(name, 2) for name in ("father", "mother", "child_of", "grandparent"))
PLAUSIBLE = (
    "grandparent(X, Y) :- parent(X, Z), spouse(Z, W), parent(W, Y).",
    "grandparent(X, Y) :- elder(X), child(Y), parent(Z, Y), parent(X, Z).",
    "grandparent(X, Y) :- elder(X), child(Y).",
)
"""Rules that somebody may believe in; the first one is right in families where nobody married twice."""


def two_families(persons: int, seed: int) -> Split:
    """One family to learn the relations from, and another one to judge by, of whom only the bare facts are given."""
    one, other = (generate_family(persons, number) for number in (seed + 1, seed + 2))
    nothing = Part(Dataset.empty(), Dataset.empty(), Dataset.empty())
    learned = Part(one.facts, one.derived.only(RELATIONS), Dataset.empty())
    judged = Part(other.facts, other.derived.only(RELATIONS), _false(other))
    return Split(Signature(tuple(dict.fromkeys((*one.facts.predicates, *RELATIONS)))), learned, nothing, judged)


def _false(family: Family) -> Dataset:
    """What is not true of related persons: each relation between any two of them, either way."""
    true = family.derived.only(RELATIONS)
    pairs = dict.fromkeys(fact.arguments for fact in true)
    both = dict.fromkeys((*pairs, *((second, first) for first, second in pairs)))
    return Dataset.from_facts(Atom(relation.name, pair) for relation in RELATIONS for pair in both) - true
