"""Def. 5 for all vertices and features at once: max-k-sum, and the mean, over the neighbours in one colour.

The values are float64, or exact numbers as objects; the result is what `exact.aggregate` defines, up to the rounding
of float64.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolog.graphs.graph import Adjacency
from isolog.networks.network import Aggregation, MaxKSum, Mean

Values = NDArray[Any]

_CACHED = 2**16
"""As many values as are best gathered at once: a few hundred vertices with their neighbours."""

_GATHERED = 2**22
"""More values are never gathered at once: a vertex with a million neighbours is done a few features at a time."""


def aggregate(aggregation: Aggregation, adjacency: Adjacency, values: Values, vertices: slice | None = None) -> Values:
    """Row by row for the vertices (all of them unless told otherwise), the aggregates of their neighbours' values.

    >>> star = Adjacency(np.array([0, 2, 2, 2]), np.array([1, 2], np.int32))
    >>> aggregate(MaxKSum(1), star, np.array([[7.0], [1.0], [2.0]])).tolist()
    [[2.0], [0.0], [0.0]]
    """
    if vertices is not None:
        starts = adjacency.starts[vertices.start : vertices.stop + 1]
        adjacency = Adjacency(starts - starts[0], adjacency.targets[starts[0] : starts[-1]])
    match aggregation:
        case MaxKSum(0):
            return np.zeros((len(adjacency.starts) - 1, values.shape[1]), values.dtype)
        case MaxKSum(1):
            return _reduce(np.maximum, adjacency, values)
        case MaxKSum(k):
            return _sum(adjacency, values) if k == math.inf else _sum_of_largest(int(k), adjacency, values)
        case Mean():
            return _mean(adjacency, values)


def largest_count(aggregation: Aggregation, adjacency: Adjacency) -> int:
    """The most values that are added up for any one vertex."""
    degree = int(adjacency.degrees.max(initial=0))
    return degree if isinstance(aggregation, Mean) else int(min(degree, aggregation.k))


def blocks(work: NDArray[np.integer], limit: int) -> Iterator[slice]:
    """Consecutive places, `work[p]` being the work before place `p`, cut where it passes multiples of the limit.

    >>> list(blocks(np.array([0, 4, 5, 8, 30, 31]), 8))
    [slice(0, 3, None), slice(3, 4, None), slice(4, 5, None)]
    """
    places, limit = len(work) - 1, max(1, limit)
    if work[-1] <= limit:
        yield slice(0, places)
        return
    marks = np.searchsorted(work, np.arange(0, work[-1], limit)).tolist()
    for first, last in pairwise(sorted({0, places, *marks})):
        yield slice(first, last)


def _columns(width: int, gathered: int) -> Iterator[slice]:
    step = max(1, _GATHERED // max(1, gathered))
    for first in range(0, width, step):
        yield slice(first, min(first + step, width))


def _reduce(function: np.ufunc, adjacency: Adjacency, values: Values) -> Values:
    degrees = adjacency.degrees
    result = np.zeros((len(degrees), values.shape[1]), values.dtype)
    some = np.flatnonzero(degrees)
    starts = np.append(adjacency.starts[some], len(adjacency.targets))
    for part in blocks(starts, _CACHED // max(1, values.shape[1])):
        first, last = starts[part.start], starts[part.stop]
        targets = adjacency.targets[first:last]
        for columns in _columns(values.shape[1], len(targets)):
            found = function.reduceat(values[targets, columns], starts[part] - first, axis=0)
            result[some[part], columns] = found
    return result


def _sum(adjacency: Adjacency, values: Values) -> Values:
    vertices, edges = len(adjacency.starts) - 1, len(adjacency.targets)
    if values.dtype == object or edges * values.shape[1] < _CACHED:
        return _reduce(np.add, adjacency, values)
    from scipy.sparse import csr_array

    return csr_array((np.ones(edges), adjacency.targets, adjacency.starts), shape=(vertices, len(values))) @ values


def _sum_of_largest(k: int, adjacency: Adjacency, values: Values) -> Values:
    degrees = adjacency.degrees
    result = np.zeros((len(degrees), values.shape[1]), values.dtype)
    for degree in np.unique(degrees[degrees > 0]):
        alike = np.flatnonzero(degrees == degree)
        for part in blocks(np.arange(len(alike) + 1) * degree, _CACHED // max(1, values.shape[1])):
            targets = adjacency.targets[adjacency.starts[alike[part], None] + np.arange(degree)]
            for columns in _columns(values.shape[1], targets.size):
                found = values[targets, columns]
                if degree > k:
                    found = np.partition(found, degree - k, axis=1)[:, degree - k :]
                result[alike[part], columns] = found.sum(axis=1)
    return result


def _mean(adjacency: Adjacency, values: Values) -> Values:
    counts = np.maximum(adjacency.degrees, 1)[:, None]
    if values.dtype == object:
        return _sum(adjacency, values) * np.vectorize(Fraction, otypes=[object])(1, counts.astype(object))
    return _sum(adjacency, values) / counts
