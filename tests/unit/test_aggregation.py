"""Aggregation of all vertices at once is the aggregation of each."""

import math
from fractions import Fraction

import numpy as np
import pytest

from isolog.graphs.graph import Adjacency
from isolog.networks import aggregation, exact
from isolog.networks.aggregation import aggregate, largest_count
from isolog.networks.network import Aggregation, MaxKSum, Mean

EVERY = [MaxKSum(0), MaxKSum(1), MaxKSum(2), MaxKSum(3), MaxKSum(40), MaxKSum(math.inf), Mean()]


def random_adjacency(vertices: int, edges: int, hub: int = 0) -> Adjacency:
    """Distinct edges from the first half of the vertices, and the hub to that many others."""
    chance = np.random.default_rng(0)
    sources, targets = chance.integers(0, vertices // 2, edges), chance.integers(0, vertices, edges)
    codes = np.unique(np.concatenate([sources * vertices + targets, 3 * vertices + np.arange(hub)]))
    return Adjacency.from_edges(codes // vertices, codes % vertices, vertices)


def random_values(vertices: int, features: int) -> np.ndarray:
    """Multiples of 1/4, with repetitions and negative ones."""
    return np.random.default_rng(1).integers(-9, 9, (vertices, features)) / 4


def by_definition(kind: Aggregation, adjacency: Adjacency, values: np.ndarray) -> list[list[Fraction]]:
    """The aggregates, one vertex and one feature at a time."""
    exactly = [[Fraction(value) for value in row] for row in values]
    return [
        [exact.aggregate(kind, [exactly[u][j] for u in adjacency.neighbours(v)]) for j in range(values.shape[1])]
        for v in range(len(adjacency.degrees))
    ]


@pytest.mark.parametrize("kind", EVERY, ids=str)
@pytest.mark.parametrize("limits", [None, (1, 1), (20, 7)], ids=str)
def test_every_aggregation(kind: Aggregation, limits: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if limits:
        monkeypatch.setattr(aggregation, "_CACHED", limits[0])
        monkeypatch.setattr(aggregation, "_GATHERED", limits[1])
    adjacency, values = random_adjacency(12, 40, hub=12), random_values(12, 3)
    expected = by_definition(kind, adjacency, values)
    assert np.allclose(aggregate(kind, adjacency, values), np.array(expected, float), rtol=1e-15, atol=0)
    fractions = np.vectorize(Fraction, otypes=[object])(values)
    assert aggregate(kind, adjacency, fractions).tolist() == expected


@pytest.mark.parametrize("kind", EVERY, ids=str)
def test_a_slice_of_the_vertices(kind: Aggregation) -> None:
    adjacency, values = random_adjacency(12, 40, hub=12), random_values(12, 3)
    whole = aggregate(kind, adjacency, values)
    for part in (slice(0, 4), slice(3, 9), slice(8, 12), slice(5, 5)):
        assert (aggregate(kind, adjacency, values, part) == whole[part]).all()


@pytest.mark.parametrize("kind", EVERY, ids=str)
def test_no_edges_and_no_vertices(kind: Aggregation) -> None:
    for vertices in (0, 3):
        lonely = Adjacency(np.zeros(vertices + 1, np.int64), np.zeros(0, np.int32))
        for dtype in (float, object):
            found = aggregate(kind, lonely, np.zeros((vertices, 2), dtype))
            assert found.shape == (vertices, 2) and not found.any()


def test_large_sums_are_those_of_small_ones() -> None:
    adjacency, values = random_adjacency(500, 9_000, hub=400), random_values(500, 8)
    assert aggregate(MaxKSum(math.inf), adjacency, values).tolist() == by_definition(
        MaxKSum(math.inf), adjacency, values
    )


def test_largest_count() -> None:
    adjacency = random_adjacency(12, 0, hub=7)
    assert [largest_count(kind, adjacency) for kind in EVERY] == [0, 1, 2, 3, 7, 7, 7]
