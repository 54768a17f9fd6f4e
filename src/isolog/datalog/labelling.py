"""Canonical labelling: an order of the points of a structure that depends on nothing but its shape.

Colours are refined until they tell apart whatever counting tells apart. Then one point of a class is singled out
and refinement goes on, for each point of the class but those that a known automorphism maps to an earlier one.
Of the orders reached in this way the one that gives the least sequence of shapes is the canonical one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Edge: TypeAlias = tuple[str, tuple[str, ...]]
_Shape: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]


def canonical_order(edges: Iterable[Edge]) -> list[str]:
    """The points of the labelled tuples, in an order that makes isomorphic structures equal when points are
    replaced by their places in it.

    Few steps, unless the structure is highly regular and yet has few automorphisms.

    >>> canonical_order([("r", ("y", "x")), ("r", ("z", "x")), ("A", ("z",))])
    ['z', 'y', 'x']
    """
    search = _Search(frozenset(edges))
    search.visit([0] * len(search.points), (), ())
    return [point for _, point in sorted(zip(search.best, search.points, strict=True))]


class _Search:
    """The points, numbered; the best order so far, as colours; and one order for each structure that an order gave."""

    def __init__(self, edges: frozenset[Edge]) -> None:
        self.points = sorted({point for _, points in edges for point in points})
        numbers = {point: number for number, point in enumerate(self.points)}
        labels = {label: number for number, label in enumerate(sorted({label for label, _ in edges}))}
        self.edges = [(labels[label], [numbers[point] for point in points]) for label, points in edges]
        self.best: list[int] = []
        self.best_trace: tuple[_Shape, ...] = ()
        self.leaves: dict[_Shape, tuple[tuple[int, ...], list[int]]] = {}
        self.automorphisms: list[dict[int, int]] = []

    def visit(self, colours: list[int], chosen: tuple[int, ...], trace: tuple[_Shape, ...]) -> int:
        """Searches below the chosen points, and says how many of the choices are worth keeping after that."""
        colours, shape = self.refined(colours)
        trace = (*trace, shape)
        if self.leaves and trace > self.best_trace[: len(trace)]:
            return len(chosen)
        candidates = self.smallest_class(colours)
        if len(candidates) < 2:
            return self.leaf(colours, chosen, trace)
        tried: set[int] = set()
        for point in candidates:
            if point in self.images(tried, chosen):
                continue
            tried.add(point)
            split = [2 * colour + (other != point) for other, colour in enumerate(colours)]
            worth = self.visit(split, (*chosen, point), trace)
            if worth < len(chosen):
                return worth
        return len(chosen)

    def leaf(self, colours: list[int], chosen: tuple[int, ...], trace: tuple[_Shape, ...]) -> int:
        """All points are told apart. If an earlier order gave the same structure, an automorphism maps one to the
        other, and all that is below the first choice in which they differ has been seen."""
        known = self.leaves.setdefault(trace[-1], (chosen, colours))
        if known[1] is not colours:
            places = {colour: point for point, colour in enumerate(colours)}
            self.automorphisms.append({point: places[colour] for point, colour in enumerate(known[1])})
            return next(number for number, (one, other) in enumerate(zip(chosen, known[0])) if one != other)
        if not self.best or trace < self.best_trace:
            self.best, self.best_trace = colours, trace
        return len(chosen)

    def refined(self, colours: list[int]) -> tuple[list[int], _Shape]:
        """The coarsest finer colours, in order, under which points of one colour occur alike; and the edges in
        terms of them."""
        while True:
            shape = [(label, tuple([colours[point] for point in points])) for label, points in self.edges]
            occurrences: list[list[tuple[int, tuple[int, ...], int]]] = [[] for _ in colours]
            for (_, points), (label, kind) in zip(self.edges, shape, strict=True):
                for place, point in enumerate(points):
                    occurrences[point].append((label, kind, place))
            keys = [(colour, tuple(sorted(seen))) for colour, seen in zip(colours, occurrences, strict=True)]
            ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
            finer = [ranks[key] for key in keys]
            if finer == colours:
                return colours, tuple(sorted(shape))
            colours = finer

    def smallest_class(self, colours: list[int]) -> list[int]:
        """The first of the smallest classes of points that no colour tells apart; a single point if there is none."""
        classes: list[list[int]] = [[] for _ in colours]
        for point, colour in enumerate(colours):
            classes[colour].append(point)
        return min((members for members in classes if len(members) > 1), key=len, default=[])

    def images(self, points: set[int], fixed: tuple[int, ...]) -> set[int]:
        """All that compositions of the known automorphisms that move none of the fixed points make of the points."""
        moves = [move for move in self.automorphisms if all(move[point] == point for point in fixed)]
        found, frontier = set(points), list(points)
        while frontier:
            point = frontier.pop()
            fresh = {move[point] for move in moves} - found
            found |= fresh
            frontier += fresh
        return found
