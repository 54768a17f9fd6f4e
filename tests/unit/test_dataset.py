"""Datasets: sets of facts, whatever the order and numbering."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.errors import InputError
from isolog.facts.dataset import Dataset, Vocabulary
from isolog.facts.terms import Atom, Function, Literal, Predicate, Variable

FACTS = [Atom("r", ("a", "b")), Atom("A", ("b",)), Atom("r", ("b", "a")), Atom("go"), Atom("t", ("a", "b", "c"))]


def test_order_and_repetition_do_not_matter() -> None:
    one, two = Dataset.from_facts(FACTS), Dataset.from_facts([*reversed(FACTS), FACTS[0]])
    assert one == two and hash(one) == hash(two) and one.sha256 == two.sha256
    assert len(one) == 5 and set(one) == set(FACTS)


def test_set_operations_are_those_of_sets() -> None:
    left, right = FACTS[:4], [*FACTS[2:], Atom("r", ("z", "a")), Atom("A", ("z",))]
    a, b = Dataset.from_facts(left), Dataset.from_facts(right)
    assert set(a | b) == set(left) | set(right)
    assert set(a & b) == set(left) & set(right)
    assert set(a - b) == set(left) - set(right)
    assert (a & b) <= a and not a <= b


def test_names_literals_and_function_terms_are_different_terms() -> None:
    terms = ["ann", Literal("ann"), Literal("ann", language="en"), Function("ann", ("ann",))]
    dataset = Dataset.from_facts(Atom("A", (term,)) for term in terms)
    assert len(dataset) == 4
    assert dataset.terms == terms


def test_terms_are_arguments_not_subterms() -> None:
    dataset = Dataset.from_facts([Atom("A", (Function("g", ("a", "b")),))])
    assert dataset.terms == [Function("g", ("a", "b"))]


def test_a_larger_vocabulary_adds_no_terms() -> None:
    vocabulary = Vocabulary(["unused", "a", "b"])
    dataset = Dataset.from_facts([Atom("r", ("b", "a"))]).over(vocabulary)
    assert dataset.terms == ["a", "b"]
    assert dataset == Dataset.from_facts([Atom("r", ("b", "a"))])


def test_membership() -> None:
    dataset = Dataset.from_facts(FACTS)
    assert Atom("go") in dataset
    assert Atom("r", ("a", "a")) not in dataset and Atom("r", ("a",)) not in dataset
    assert Atom("A", ("nobody",)) not in dataset


@given(st.lists(st.tuples(st.sampled_from("pqr"), st.lists(st.integers(0, 4), max_size=3)), max_size=40), st.data())
def test_membership_is_that_of_sets(rows: list[tuple[str, list[int]]], draws: st.DataObject) -> None:
    facts = [Atom(name, tuple(f"c{number}" for number in row)) for name, row in rows]
    cut = draws.draw(st.integers(0, len(facts)))
    dataset = Dataset.from_facts(facts[:cut]).over(Vocabulary([f"c{number}" for number in (3, 1, 4, 0, 2)]))
    assert [fact in dataset for fact in facts] == [fact in set(facts[:cut]) for fact in facts]


def test_same_name_with_two_arities_is_two_predicates() -> None:
    dataset = Dataset.from_facts([Atom("A", ("a",)), Atom("A", ("a", "b"))])
    assert dataset.predicates == (Predicate("A", 1), Predicate("A", 2))
    assert len(dataset.only([Predicate("A", 2)])) == 1


def test_tables_cannot_be_written() -> None:
    table = Dataset.from_facts(FACTS).tables[Predicate("r", 2)]
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 7


def test_a_fact_has_no_variables() -> None:
    with pytest.raises(InputError, match=r"E101 `A\(X\)` has a variable"):
        Dataset.from_facts([Atom("A", (Variable("X"),))])


def test_empty() -> None:
    empty = Dataset.empty()
    assert len(empty) == 0 and empty.terms == [] and empty == Dataset.from_facts([])
    assert empty <= Dataset.from_facts(FACTS) and empty | empty == empty
