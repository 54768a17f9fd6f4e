"""Sums by counters: they hold exactly where the gains of what holds add up to the wanted sum."""

from itertools import accumulate, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.concepts.counting import derivations
from isolog.concepts.dag import BOTTOM, TOP, Concepts, Node
from isolog.concepts.evaluate import evaluate
from isolog.correspondence.counters import count_all, counters_size, merge, sum_reaches
from isolog.graphs.graph import ColouredGraph


def all_labellings(features: int) -> ColouredGraph:
    """A vertex for every set of features, without edges."""
    return ColouredGraph(np.array(list(product([False, True], repeat=features)), bool).reshape(-1, features), ())


def chained(concepts: Concepts, lengths: list[int]) -> list[list[Node]]:
    """Chains over features of their own: each node implies those before it."""
    chains: list[list[Node]] = []
    feature = 0
    for length in lengths:
        labels = [concepts.label(feature + place) for place in range(length)]
        feature += length
        chains.append(list(accumulate(labels, concepts.both)))
    return chains


@given(st.data())
def test_sums_are_exact(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    concepts, graph = Concepts(), all_labellings(sum(lengths))
    nodes = chained(concepts, lengths)
    gains = [[data.draw(st.integers(1, 20)) for _ in chain] for chain in nodes]
    wanted = data.draw(st.integers(-1, sum(map(sum, gains)) + 1))
    chains = [list(zip(*pair, strict=True)) for pair in zip(gains, nodes, strict=True)]
    before = len(concepts)
    node = sum_reaches(concepts, chains, wanted)
    assert len(concepts) - before <= counters_size(gains, wanted)
    found = evaluate(concepts, [node, *(each for chain in nodes for each in chain)], graph)
    total = sum(found[each].astype(int) * gain for chain in chains for gain, each in chain)
    assert (found[node] == (total >= wanted)).all()


@pytest.mark.parametrize(("one", "other"), [(0, 3), (1, 1), (1, 6), (2, 5), (4, 4), (7, 3), (6, 6)])
def test_merged_counts_are_counts(one: int, other: int) -> None:
    concepts, graph = Concepts(), all_labellings(one + other)
    left = count_all(concepts, [[concepts.label(place)] for place in range(one)])
    right = count_all(concepts, [[concepts.label(one + place)] for place in range(other)])
    counts = merge(concepts, left, right)
    found = evaluate(concepts, counts, graph)
    number = graph.features.sum(axis=1)
    assert len(counts) == one + other
    assert all((found[node] == (number > place)).all() for place, node in enumerate(counts))


def test_what_is_always_or_never_reached() -> None:
    concepts = Concepts()
    chains = [[(2, concepts.label(0)), (3, concepts.label(1))]]
    assert sum_reaches(concepts, chains, 0) == TOP and sum_reaches(concepts, chains, 6) == BOTTOM
    assert sum_reaches(concepts, [], 1) == BOTTOM
    assert sum_reaches(concepts, chains, 2) == concepts.label(0)


def test_size_grows_with_the_digits_and_not_with_the_sums() -> None:
    sizes = [counters_size([[3**place % (1 << digits) + 1] for place in range(40)], 1 << digits) for digits in (8, 16)]
    assert sizes[1] < 4 * sizes[0]


def test_small_counters_have_no_superfluous_derivations() -> None:
    concepts = Concepts()
    node = sum_reaches(concepts, [[(1, concepts.label(place))] for place in range(4)], 2)
    assert derivations(concepts, [node]) == [6]
