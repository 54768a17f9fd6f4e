"""The family sample."""

from collections import Counter

import pytest

from isolog.facts.family import generate_family, true_rules
from isolog.facts.terms import Predicate


@pytest.mark.parametrize("persons", [0, 1, 2, 57, 1000])
def test_any_size_and_everyone_described(persons: int) -> None:
    family = generate_family(persons, seed=3)
    assert family.persons == persons
    described = Counter(fact.name for fact in family.facts)
    assert described["person"] == persons
    assert described["male"] + described["female"] == persons
    assert described["child"] + described["adult"] + described["elder"] == persons
    assert len(family.facts.terms) == persons


def test_the_seed_decides() -> None:
    assert generate_family(60, seed=1).facts.sha256 == generate_family(60, seed=1).facts.sha256
    assert generate_family(60, seed=1).facts != generate_family(60, seed=2).facts


def test_every_derived_relation_occurs() -> None:
    names = {predicate.name for predicate in generate_family(200).derived.predicates}
    assert names == {
        "father", "mother", "child_of", "grandparent", "sibling", "uncle", "aunt", "grandmother", "large_family"
    }  # fmt: skip


def test_nobody_is_their_own_ancestor_or_spouse() -> None:
    family = generate_family(300)
    parents = family.facts.tables[Predicate("parent", 2)].tolist()
    born_after = {child: parent for parent, child in parents}
    assert all(parent != child for parent, child in parents)
    assert all(one != other for one, other in family.facts.tables[Predicate("spouse", 2)].tolist())
    for person in born_after:
        seen = {person}
        while person in born_after:
            person = born_after[person]
            assert person not in seen
            seen.add(person)


def test_the_true_rules_derive_the_ground_truth() -> None:
    from isolog.datalog.parser import parse
    from isolog.engines.reference import run

    family = generate_family(120, seed=5)
    assert run(parse(true_rules(), "family.dl"), family.facts) == family.derived
