"""The store of concepts: equal concepts are one node, and what is obvious is simplified."""

import pytest

from isolog.concepts.dag import BOTTOM, COUNT, MANY, TOP, Concepts


@pytest.fixture
def store() -> Concepts:
    return Concepts()


def test_equal_concepts_are_one_node(store: Concepts) -> None:
    a, b = store.label(0), store.label(1)
    assert store.label(0) == a != b
    assert store.both(a, b) == store.both(b, a) != store.either(a, b) == store.either(b, a)
    assert store.at_least(2, 0, a) == store.at_least(2, 0, a)
    assert len({store.at_least(n, c, part) for n in (1, 2) for c in (0, 1) for part in (a, b)}) == 8


def test_top_and_bottom(store: Concepts) -> None:
    a = store.label(0)
    assert store.both(a, TOP) == store.either(a, BOTTOM) == a
    assert store.both(a, BOTTOM) == BOTTOM and store.either(a, TOP) == TOP
    assert store.at_least(0, 0, a) == TOP and store.at_least(1, 0, BOTTOM) == BOTTOM
    assert store.all_of([]) == TOP and store.any_of([]) == BOTTOM


def test_absorption(store: Concepts) -> None:
    a, b = store.label(0), store.label(1)
    assert store.both(a, store.either(a, b)) == a == store.either(a, store.both(a, b))
    assert store.both(store.both(a, b), b) == store.both(a, b)
    assert store.either(store.either(a, b), b) == store.either(a, b)


def test_chains_of_counts(store: Concepts) -> None:
    a, b = store.label(0), store.label(1)
    one, two = store.at_least(1, 0, a), store.at_least(2, 0, a)
    assert store.both(one, two) == two and store.either(one, two) == one
    stronger = store.at_least(3, 0, store.both(a, b))
    assert store.both(stronger, two) == stronger and store.either(stronger, two) == two
    assert store.both(two, store.at_least(1, 1, a)) not in (one, two)


def test_superfluous_parts_of_many_are_left_out(store: Concepts) -> None:
    a, b, c = (store.label(place) for place in range(3))
    both, either = store.both(a, c), store.either(a, c)
    assert store.any_of([b, both, a, b]) == store.either(b, a) == store.any_of([both, b, a])
    assert store.all_of([b, either, a, b]) == store.both(b, a) == store.all_of([either, a, b])
    counts = [store.at_least(number, 0, a) for number in (2, 1, 3)]
    assert store.any_of([b, *counts]) == store.either(b, counts[1])
    assert store.all_of([b, *counts]) == store.both(b, counts[2])
    assert store.any_of([a, TOP]) == TOP and store.all_of([a, BOTTOM]) == BOTTOM


def test_very_many_parts_are_only_compared_with_the_whole(store: Concepts) -> None:
    labels = [store.label(place) for place in range(MANY + 1)]
    assert store.any_of([*labels, TOP]) == TOP
    assert len(store.reachable([store.any_of(labels)])) == 2 * len(labels) - 1


def test_long_chains_of_counts_need_no_deep_stack(store: Concepts) -> None:
    one = two = store.label(0)
    for _ in range(5000):
        one, two = store.at_least(1, 0, one), store.at_least(2, 0, two)
    assert store.either(one, two) == one and store.both(one, two) == two


def test_parts_come_before_wholes(store: Concepts) -> None:
    whole = store.at_least(1, 0, store.both(store.label(0), store.either(store.label(1), store.label(2))))
    store.label(7)
    nodes = store.reachable([whole])
    assert nodes == sorted(nodes) and nodes[-1] == whole and len(nodes) == 6
    assert all(part < node for node in nodes for part in store.parts(node))
    assert store.quantity(whole) == (1, 0) and store.kinds[whole] == COUNT
