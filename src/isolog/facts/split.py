"""Splits: what to learn from, choose by and judge by, each with facts that are given and facts to be derived."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.errors import Finding, InputError
from isolog.facts.dataset import Dataset, Table, Vocabulary
from isolog.facts.signature import Signature
from isolog.facts.terms import Predicate
from isolog.facts.text import print_term

PARTS = ("train", "valid", "test")
_SHARES = {"test": 0.2, "valid": 0.1}
_TARGETS = 0.1
_TRIES = 100


@dataclass(frozen=True, slots=True)
class Part:
    """The facts that are given, those to be derived from them, and some that are not to be derived."""

    graph: Dataset
    positives: Dataset
    negatives: Dataset


@dataclass(frozen=True, slots=True)
class Split:
    """The part to learn from, the one to choose by and the one to judge by; what there is nothing of is empty."""

    signature: Signature
    train: Part
    valid: Part
    test: Part

    @property
    def parts(self) -> dict[str, Part]:
        """The parts by name."""
        return {"train": self.train, "valid": self.valid, "test": self.test}


def split(dataset: Dataset, *, seed: int = 0) -> Split:
    """An inductive split: no term is in two parts, and facts about terms of different parts are left out.

    Valid has a tenth and test a fifth of the terms, each with what is near it. A tenth of the facts of a part are
    its targets; all their terms are in its graph. Valid and test get as many negatives, with another term in one
    place, as far as there are any. The same facts and seed give the same split.

    >>> from isolog.facts.family import generate_family
    >>> family = generate_family(persons=300).facts
    >>> made = split(family, seed=1)
    >>> set(made.train.graph.terms) & set(made.test.graph.terms)
    set()
    """
    chance = np.random.default_rng(seed)
    ordered = dataset.over(Vocabulary(sorted(dataset.terms, key=print_term)))
    region = _regions(ordered, chance)
    parts: dict[str, Part] = {}
    for number, name in enumerate(PARTS):
        inside = {p: table[(region[table] == number).all(axis=1)] for p, table in ordered.tables.items()}
        part = _part(Dataset.from_tables(ordered.vocabulary, inside), chance, negatives=name != "train")
        if not len(part.positives):
            hint = "take more facts, or describe a split of your own in a `split.yaml`"
            raise InputError(Finding("E141", f"{len(dataset):,} facts leave no targets for `{name}`", hint=hint))
        parts[name] = part
    return Split(Signature.from_dataset(ordered), parts["train"], parts["valid"], parts["test"])


def _regions(dataset: Dataset, chance: np.random.Generator) -> NDArray[np.int8]:
    """Per term the number of its part: test and valid grow from random terms along the facts, train is the rest."""
    starts, targets = _links(dataset)
    terms = len(dataset.vocabulary)
    region = np.zeros(terms, np.int8)
    for name, share in _SHARES.items():
        reached = region > 0
        free = chance.permutation(np.flatnonzero(~reached)).tolist()
        queue: deque[int] = deque()
        for _ in range(round(share * terms)):
            while not queue:
                if not reached[start := free.pop()]:
                    reached[start] = True
                    queue.append(start)
            vertex = queue.popleft()
            region[vertex] = PARTS.index(name)
            near = np.unique(targets[starts[vertex] : starts[vertex + 1]])
            new = chance.permutation(near[~reached[near]])
            reached[new] = True
            queue.extend(new.tolist())
    return region


def _links(dataset: Dataset) -> tuple[NDArray[np.int64], Table]:
    """The terms that share a fact with each term, those of term `t` from `starts[t]` to `starts[t + 1]`."""
    wide = [table for predicate, table in dataset.tables.items() if predicate.arity > 1]
    pairs = [table[:, i : i + 2] for table in wide for i in range(table.shape[1] - 1)]
    both = np.concatenate([np.empty((0, 2), np.int32), *pairs, *(pair[:, ::-1] for pair in pairs)])
    both = both[np.argsort(both[:, 0], kind="stable")]
    return np.searchsorted(both[:, 0], np.arange(len(dataset.vocabulary) + 1)), both[:, 1]


def _part(facts: Dataset, chance: np.random.Generator, negatives: bool) -> Part:
    held = _held_out(facts, chance)
    positives = Dataset.from_tables(facts.vocabulary, held)
    wrong = dict(_corrupted(facts, held, chance)) if negatives else {}
    return Part(facts - positives, positives, Dataset.from_tables(facts.vocabulary, wrong))


def _held_out(facts: Dataset, chance: np.random.Generator) -> dict[Predicate, Table]:
    """A tenth of the facts, as far as each of their terms is in some fact that stays."""
    places = [(predicate, row) for predicate, table in facts.tables.items() for row in range(len(table))]
    left = np.zeros(len(facts.vocabulary), np.int64)
    for table in facts.tables.values():
        np.add.at(left, table.ravel(), 1)
    wanted = round(_TARGETS * len(places))
    taken: dict[Predicate, list[int]] = {}
    for place in chance.permutation(len(places)).tolist():
        if not wanted:
            break
        predicate, row = places[place]
        terms = facts.tables[predicate][row]
        np.subtract.at(left, terms, 1)
        if (left[terms] > 0).all():
            taken.setdefault(predicate, []).append(row)
            wanted -= 1
        else:
            np.add.at(left, terms, 1)
    return {predicate: facts.tables[predicate][rows] for predicate, rows in taken.items()}


def _corrupted(
    facts: Dataset, held: dict[Predicate, Table], chance: np.random.Generator
) -> Iterator[tuple[Predicate, Table]]:
    """For each held-out fact one that is none, with a term in one place that another fact has there."""
    for predicate, table in held.items():
        whole = facts.tables[predicate]
        known = set(map(tuple, whole.tolist()))
        columns = [facts.term_numbers] if predicate.arity == 1 else [np.unique(column) for column in whole.T]
        made: list[tuple[int, ...]] = []
        for row in table.tolist():
            for _ in range(_TRIES):
                place = int(chance.integers(len(row)))
                other = (*row[:place], int(chance.choice(columns[place])), *row[place + 1 :])
                if other not in known:
                    known.add(other)
                    made.append(other)
                    break
        yield predicate, np.array(made, np.int32).reshape(len(made), predicate.arity)
