"""Whether a network derives facts from parts of a dataset: many parts, for many facts, in one application.

Parts are laid side by side in one dataset, each with terms of its own, and only the part of the network that the facts
depend on is applied. An encoding that knows constants by name, or makes vertices of any two terms, is applied to each
part for itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.hitting import Mask, elements
from isolog.correspondence.locality import span
from isolog.correspondence.slices import Slice, network_slice
from isolog.encodings.encoding import Encoding
from isolog.facts.dataset import Dataset, Vocabulary
from isolog.facts.terms import Atom, Predicate
from isolog.networks.apply import labels
from isolog.networks.network import Network
from isolog.networks.prepared import PreparedNetwork, prepare

_COPIES = Vocabulary()
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Output:
    """What derives the facts of one predicate: the slice of the network, under an encoding."""

    network: Network
    encoding: Encoding
    predicate: Predicate

    @cached_property
    def unit(self) -> int:
        """The output of the network."""
        unit = self.encoding.output(self.predicate)
        assert unit is not None, f"`{self.predicate}` is not derived under this encoding"
        return unit

    @cached_property
    def part(self) -> Slice:
        """The slice for it."""
        return network_slice(self.network, self.unit)

    @cached_property
    def prepared(self) -> PreparedNetwork:
        """The slice, ready to be applied."""
        return prepare(self.part.network)

    @cached_property
    def keeps_parts_apart(self) -> bool:
        """Whether facts without a common term have nothing to do with each other, and names of terms say nothing."""
        return not self.network.encoding.options and span(self.encoding) < math.inf

    @cached_property
    def numbers(self) -> dict[Predicate, int]:
        """The predicates of the user's signature by number."""
        return {predicate: number for number, predicate in enumerate(self.encoding.signature.predicates)}

    def derives(self, data: Dataset, roots: Numbers) -> NDArray[np.bool_]:
        """Per row of `roots`, term numbers of the dataset's vocabulary, whether the fact about it is derived."""
        encoded = self.encoding.encode(data)
        vertices, _ = encoded.positions(self.predicate, roots.astype(np.int32))
        found = np.zeros(len(roots), bool)
        exists = vertices >= 0
        if exists.any():
            derived = labels(self.prepared, self.part.graph(encoded.graph))[:, self.part.output]
            found[exists] = derived[vertices[exists]]
        return found


class Derivations:
    """A fact, and facts that it may be derived from, numbered in order."""

    def __init__(self, output: Output, fact: Atom, facts: Sequence[Atom]) -> None:
        self.output = output
        self.facts = tuple(facts)
        terms = dict.fromkeys(term for each in (fact, *facts) for term in each.arguments)
        self.names = Vocabulary(terms)
        place = self.names.numbers
        self.root = np.array([place[term] for term in fact.arguments], np.int64)
        self.predicates = np.array([output.numbers[each.predicate] for each in facts], np.int64)
        self.rows = np.full((len(facts), 2), -1, np.int64)
        for number, each in enumerate(facts):
            self.rows[number, : len(each.arguments)] = [place[term] for term in each.arguments]

    def holds(self, parts: Sequence[Mask]) -> list[bool]:
        """Per part whether the network derives the fact from it."""
        return derived_from([(self, parts)])[0]

    def chosen(self, part: Mask) -> tuple[Atom, ...]:
        """The facts of a part."""
        return tuple(self.facts[number] for number in elements(part))


def derived_from(asked: Sequence[tuple[Derivations, Sequence[Mask]]]) -> list[list[bool]]:
    """For each of several facts with the same output, and each part asked about, whether it is derived."""
    output = asked[0][0].output
    if not output.keeps_parts_apart:
        return [[_alone(derivations, part) for part in parts] for derivations, parts in asked]
    predicates, rows, roots, first = [], [], [], 0
    for derivations, parts in asked:
        copy, number = np.nonzero(_bits(parts, len(derivations.facts)))
        width = len(derivations.names)
        offset = first + width * np.arange(len(parts))
        predicates.append(derivations.predicates[number])
        rows.append(derivations.rows[number] + offset[copy, None])
        roots.append(derivations.root + offset[:, None])
        first += width * len(parts)
    data = _side_by_side(output, np.concatenate(predicates), np.concatenate(rows), _copies(first))
    answers = output.derives(data, np.concatenate(roots)).tolist()
    sizes = np.cumsum([0, *(len(parts) for _, parts in asked)]).tolist()
    return [answers[start:end] for start, end in pairwise(sizes)]


def _alone(derivations: Derivations, part: Mask) -> bool:
    chosen = np.flatnonzero(_bits([part], len(derivations.facts))[0])
    data = _side_by_side(
        derivations.output, derivations.predicates[chosen], derivations.rows[chosen], derivations.names
    )
    return bool(derivations.output.derives(data, derivations.root[None, :])[0])


def _side_by_side(output: Output, predicates: Numbers, rows: Numbers, vocabulary: Vocabulary) -> Dataset:
    order = np.argsort(predicates, kind="stable")
    found, starts = np.unique(predicates[order], return_index=True)
    tables: dict[Predicate, Numbers] = {}
    for number, part in zip(found.tolist(), np.split(rows[order], starts[1:])):
        predicate = output.encoding.signature.predicates[number]
        tables[predicate] = part[:, : predicate.arity]
    return Dataset.from_tables(vocabulary, tables)


def _bits(parts: Sequence[Mask], width: int) -> NDArray[np.bool_]:
    """Part × fact."""
    if width <= 62:
        return (np.array(parts, np.int64)[:, None] >> np.arange(width)) & 1 > 0
    count = (width + 7) // 8
    data = b"".join(part.to_bytes(count, "little") for part in parts)
    return np.unpackbits(np.frombuffer(data, np.uint8).reshape(-1, count), axis=1, bitorder="little")[:, :width] > 0


def _copies(count: int) -> Vocabulary:
    """At least so many terms that mean nothing."""
    for number in range(len(_COPIES), count):
        _COPIES.intern(f"copy {number}")
    return _COPIES
