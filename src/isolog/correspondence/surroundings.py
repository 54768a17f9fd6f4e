"""The facts that may have a say in whether a network derives a fact: those about vertices within reach of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.locality import is_made_of_own_terms, span
from isolog.encodings.encoding import Encoded, Encoding
from isolog.facts.dataset import Dataset, Vocabulary
from isolog.facts.terms import Atom, Predicate, Term
from isolog.graphs.graph import ColouredGraph
from isolog.networks.network import Network


@dataclass(frozen=True, eq=False)
class Surroundings:
    """A dataset as a graph, to look up around many facts."""

    network: Network
    encoded: Encoded

    @classmethod
    def of(cls, network: Network, encoding: Encoding, dataset: Dataset) -> Surroundings:
        """The dataset must be within the signature of the encoding."""
        return cls(network, encoding.encode(dataset))

    @cached_property
    def by_term(self) -> dict[Term, list[Atom]]:
        """The facts about each term."""
        by_term: dict[Term, list[Atom]] = {}
        for fact in self.encoded.dataset:
            for term in dict.fromkeys(fact.arguments):
                by_term.setdefault(term, []).append(fact)
        return by_term

    def renamed(self, names: Mapping[Term, Term]) -> Surroundings:
        """The same graph over other terms, of which each stands for one; an encoding may not tell them apart."""
        before = self.encoded.dataset
        dataset = Dataset(Vocabulary([names[term] for term in before.vocabulary.terms]), before.tables)
        return Surroundings(self.network, replace(self.encoded, dataset=dataset))

    def facts(self, fact: Atom) -> list[Atom]:
        """The facts that matter for this one, the nearest first; empty if it has no vertex."""
        root = self.vertex(fact)
        if root is None:
            return []
        if not is_made_of_own_terms(self.encoded.encoding):
            return self._within(fact, (len(self.network.layers) + 1) * span(self.encoded.encoding))
        distance = _distances(self.encoded.graph, root, len(self.network.layers))
        near: dict[Atom, int] = {}
        for vertex in sorted(distance, key=lambda each: (distance[each], each)):
            for found in self._about(vertex):
                near.setdefault(found, distance[vertex])
        for term in dict.fromkeys(fact.arguments):
            # A vertex of which nothing is said may still be there: as the target of an edge, for example.
            if not any(term in found.arguments for found in near):
                near[self.by_term[term][0]] = len(self.network.layers) + 1
        return sorted(near, key=lambda found: near[found])

    def vertex(self, fact: Atom) -> int | None:
        """The vertex at which the fact would be derived."""
        numbers = [self.encoded.dataset.vocabulary.find(term) for term in fact.arguments]
        if None in numbers:
            return None
        vertices, _ = self.encoded.positions(fact.predicate, np.array([numbers], np.int32))
        return int(vertices[0]) if vertices[0] >= 0 else None

    def terms_of(self, vertex: int) -> tuple[Term, ...]:
        """The terms that the vertex is made of."""
        block = next(each for each in reversed(self.encoded.blocks) if each.first <= vertex)
        row = _row(block.keys[vertex - block.first], block.base, block.shape.arity)
        return tuple(self.encoded.dataset.vocabulary[self.encoded.terms.numbers[place]] for place in row)

    def _within(self, fact: Atom, most: float) -> list[Atom]:
        """The facts about terms that at most so many links lead to, the nearest first."""
        if most == math.inf:
            return list(self.encoded.dataset)
        distance = dict.fromkeys(fact.arguments, 0)
        waiting = list(distance)
        for term in waiting:
            for found in self.by_term.get(term, ()) if distance[term] < most else ():
                new = [other for other in found.arguments if other not in distance]
                distance |= dict.fromkeys(new, distance[term] + 1)
                waiting += new
        near = dict.fromkeys(found for term in waiting for found in self.by_term.get(term, ()))
        inside = [found for found in near if all(term in distance for term in found.arguments)]
        return sorted(inside, key=lambda found: max(distance[term] for term in found.arguments))

    def _about(self, vertex: int) -> list[Atom]:
        """The facts about terms of the vertex alone; in the canonical encoding also those that are its edges."""
        terms = self.terms_of(vertex)
        edges = {Predicate(name, 2) for name in self.encoded.encoding.colours}
        return [
            fact
            for term in dict.fromkeys(terms)
            for fact in self.by_term.get(term, ())
            if set(fact.arguments) <= set(terms) or (fact.predicate in edges and fact.arguments[0] == terms[0])
        ]


def _row(key: int, base: int, arity: int) -> list[int]:
    row: list[int] = []
    for _ in range(arity):
        key, digit = divmod(int(key), base)
        row.insert(0, digit)
    return row


def _distances(graph: ColouredGraph, root: int, most: int) -> dict[int, int]:
    """How many edges lead from the root to each vertex, up to so many."""
    distance = {root: 0}
    frontier: NDArray[np.integer] = np.array([root])
    for step in range(1, most + 1):
        reached = [adjacency.neighbours(int(v)) for adjacency in graph.colours for v in frontier]
        new = np.unique(np.concatenate(reached)) if reached else np.empty(0, np.int64)
        frontier = np.array([vertex for vertex in new.tolist() if vertex not in distance], np.int64)
        distance |= dict.fromkeys(frontier.tolist(), step)
    return distance
