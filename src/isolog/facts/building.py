"""The way from the words of a file to a dataset: spellings become numbers, facts become columns."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from isolog.facts.dataset import Dataset, Table, Vocabulary
from isolog.facts.fields import RDF_TYPE, TYPE_NAMES, Constant
from isolog.facts.terms import Literal, Predicate

Append: TypeAlias = Callable[[int], None]


class Intake:
    """Facts as triples of spellings: `parse` says which constant a spelling means.

    Every spelling that is kept is known to be well formed, so a row that consists of kept ones need not be
    looked at again. That is what makes reading fast.
    """

    def __init__(self, parse: Callable[[str], Constant], literals_as_names: bool = False) -> None:
        self._parse = parse
        self._literals_as_names = literals_as_names
        self._numbers: dict[str, int] = {}
        self._columns: dict[str, tuple[array[int], array[int]]] = {}
        self._appends: dict[str, tuple[Append, Append]] = {}

    def take(self, rows: Iterable[Sequence[str]]) -> list[int]:
        """Adds the facts that consist of known spellings; the indices of the other rows."""
        numbers, appends = self._numbers, self._appends
        left: list[int] = []
        for index, row in enumerate(rows):
            try:
                subject, predicate, value = row
                number, other = numbers[subject], numbers[value]
                add_subject, add_value = appends[predicate]
            except (KeyError, ValueError):
                left.append(index)
            else:
                add_subject(number)
                add_value(other)
        return left

    def add(self, subject: str, predicate: str, value: str) -> None:
        """Adds a fact of well-formed spellings."""
        numbers = self._numbers
        if predicate not in self._columns:
            subjects, values = self._columns[predicate] = array("i"), array("i")
            self._appends[predicate] = subjects.append, values.append
        add_subject, add_value = self._appends[predicate]
        add_subject(numbers.setdefault(subject, len(numbers)))
        add_value(numbers.setdefault(value, len(numbers)))

    def dataset(self) -> Dataset:
        """The dataset of the facts, which the intake gives away piece by piece, so that little is held twice."""
        constants: list[Constant] = list(self._numbers)
        self._numbers.clear()
        self._appends.clear()
        for number, spelling in enumerate(constants):
            constants[number] = self._constant(str(spelling))
        vocabulary = Vocabulary(constants)
        renumbered = None
        if len(vocabulary) < len(constants):
            renumbered = np.array([vocabulary.numbers[constant] for constant in constants], np.int32)
        del constants
        tables: dict[Predicate, Table] = {}
        while self._columns:
            spelling, columns = self._columns.popitem()
            rows = np.stack([np.frombuffer(column, np.int32) for column in columns], axis=1)
            rows = rows if renumbered is None else renumbered[rows]
            for predicate, part in _tables(str(self._constant(spelling)), rows, vocabulary):
                known = [tables[predicate], part] if predicate in tables else [part]
                tables |= Dataset.from_tables(vocabulary, {predicate: np.concatenate(known)}).tables
        return Dataset(vocabulary, MappingProxyType(dict(sorted(tables.items()))))

    def _constant(self, spelling: str) -> Constant:
        constant = self._parse(spelling)
        return constant.lexical if self._literals_as_names and isinstance(constant, Literal) else constant


def _tables(name: str, rows: Table, vocabulary: Vocabulary) -> Iterator[tuple[Predicate, Table]]:
    """The facts of a predicate; those of `rdf:type` with a name as value are facts of unary predicates."""
    if name not in TYPE_NAMES:
        yield Predicate(name, 2), rows
        return
    rows = rows[np.argsort(rows[:, 1])]
    for part in np.split(rows, np.flatnonzero(np.diff(rows[:, 1])) + 1):
        value = vocabulary[part[0, 1]]
        yield (Predicate(value, 1), part[:, :1]) if isinstance(value, str) else (Predicate(RDF_TYPE, 2), part)
