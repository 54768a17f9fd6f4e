"""Sorts of vertices: what an encoding promises about the graphs that it makes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The neighbours of one colour: their sort, and how many there are at least and at most."""

    sort: int
    at_least: int = 0
    at_most: int | float = math.inf


@dataclass(frozen=True, slots=True)
class Sort:
    """A kind of vertex: the features it may have, and per colour its neighbours (None: it has none)."""

    name: str
    features: frozenset[int]
    neighbours: tuple[Neighbourhood | None, ...]


Sorts: TypeAlias = tuple[Sort, ...]


def one_sort(features: int, colours: int) -> Sorts:
    """The sorts of the canonical encoding: one, about which nothing is known.

    >>> one_sort(2, 1)[0].neighbours
    (Neighbourhood(sort=0, at_least=0, at_most=inf),)
    """
    return (Sort("vertex", frozenset(range(features)), (Neighbourhood(0),) * colours),)
