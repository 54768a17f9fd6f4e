"""A small family to learn from, with a split."""

from __future__ import annotations

from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family
from isolog.facts.signature import Signature
from isolog.facts.split import Part, Split
from isolog.facts.terms import Predicate


def family_split(*derived: Predicate, persons: int = 80) -> Split:
    """The facts of one family with what is to be derived, and another family to judge by."""
    parts: list[Part] = []
    predicates: dict[Predicate, None] = {}
    for seed in (1, 2):
        family = generate_family(persons=persons, seed=seed)
        wanted = Dataset.from_tables(
            family.derived.vocabulary, {p: t for p, t in family.derived.tables.items() if p in derived}
        )
        predicates |= dict.fromkeys((*family.facts.predicates, *wanted.predicates))
        parts.append(Part(family.facts, wanted, Dataset.empty()))
    nothing = Part(Dataset.empty(), Dataset.empty(), Dataset.empty())
    return Split(Signature(tuple(predicates)), parts[0], nothing, parts[1])
