"""Whether a network derives one fact from parts of a dataset, many parts at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.hitting import Mask, elements
from isolog.correspondence.slices import network_slice
from isolog.encodings.encoding import Encoding
from isolog.facts.dataset import Dataset, Vocabulary
from isolog.facts.terms import Atom, Predicate
from isolog.networks.apply import labels
from isolog.networks.network import Network
from isolog.networks.prepared import prepare

_COPIES = Vocabulary()


class Derivations:
    """A fact, a network with a monotone encoding, and facts that it may be derived from, numbered in order.

    Parts are laid side by side in one dataset, each with terms of its own, so that a batch is one application of the
    slice of the network that the fact depends on. An encoding that knows constants by name is applied to each part.
    """

    def __init__(self, network: Network, encoding: Encoding, fact: Atom, facts: Sequence[Atom]) -> None:
        self.facts = tuple(facts)
        self.encoding = encoding
        self._predicate = fact.predicate
        meanings = enumerate(encoding.meanings)
        output = next(i for i, m in meanings if m.predicate == fact.predicate and m.emitted)
        self._slice = network_slice(network, output)
        self._prepared = prepare(self._slice.network)
        self._fact = fact
        terms = dict.fromkeys(term for each in (fact, *facts) for term in each.arguments)
        self._places = {term: place for place, term in enumerate(terms)}
        self._names = Vocabulary(terms)
        self._by_predicate = self._tables()
        self._root = np.array([[self._places[term] for term in fact.arguments]], np.int64)
        self._by_name = bool(network.encoding.options)

    def holds(self, parts: Sequence[Mask]) -> list[bool]:
        """Per part whether the network derives the fact from it."""
        if self._by_name:
            return [self._applied([part], self._names)[0] for part in parts]
        return self._applied(parts, _copies(len(parts) * len(self._places)))

    def dataset(self, part: Mask) -> Dataset:
        """The part itself."""
        return Dataset.from_facts(self.facts[place] for place in elements(part))

    def _applied(self, parts: Sequence[Mask], vocabulary: Vocabulary) -> list[bool]:
        width = len(self._places)
        present = np.array([[part >> n & 1 for n in range(len(self.facts))] for part in parts], bool)
        tables: dict[Predicate, NDArray[np.int64]] = {}
        for predicate, (numbers, rows) in self._by_predicate.items():
            copy, fact = np.nonzero(present[:, numbers])
            tables[predicate] = rows[fact] + (width * copy)[:, None]
        data = Dataset.from_tables(vocabulary, tables)
        encoded = self.encoding.encode(data)
        roots = self._root + width * np.arange(len(parts))[:, None]
        vertices, _ = encoded.positions(self._predicate, roots.astype(np.int32))
        found = np.zeros(len(parts), bool)
        exists = vertices >= 0
        if exists.any():
            derived = labels(self._prepared, self._slice.graph(encoded.graph))[:, 0]
            found[exists] = derived[vertices[exists]]
        return found.tolist()

    def _tables(self) -> dict[Predicate, tuple[NDArray[np.intp], NDArray[np.int64]]]:
        rows: dict[Predicate, list[tuple[int, list[int]]]] = {}
        for number, fact in enumerate(self.facts):
            rows.setdefault(fact.predicate, []).append((number, [self._places[term] for term in fact.arguments]))
        return {
            predicate: (
                np.array([number for number, _ in found]),
                np.array([row for _, row in found], np.int64).reshape(len(found), predicate.arity),
            )
            for predicate, found in rows.items()
        }


def _copies(count: int) -> Vocabulary:
    """At least so many terms that mean nothing."""
    for number in range(len(_COPIES), count):
        _COPIES.intern(f"copy {number}")
    return _COPIES
