"""Datasets (paper §2): finite sets of facts, held as one table of interned terms per predicate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from isolog.errors import Finding, InputError
from isolog.facts.terms import Atom, Predicate, Term, is_ground
from isolog.facts.text import print_atom

Table = NDArray[np.int32]


class Vocabulary:
    """Numbers ground terms from 0 in order of arrival. It only grows, so datasets can share one safely."""

    def __init__(self, terms: Iterable[Term] = ()) -> None:
        self.terms: list[Term] = list(dict.fromkeys(terms))
        self.numbers: dict[Term, int] = {term: number for number, term in enumerate(self.terms)}

    def __len__(self) -> int:
        return len(self.terms)

    def __getitem__(self, number: int) -> Term:
        return self.terms[number]

    def intern(self, term: Term) -> int:
        """The number of the term, a new one if it has none yet."""
        number = self.numbers.setdefault(term, len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
        return number

    def find(self, term: Term) -> int | None:
        """The number of the term if it has one."""
        return self.numbers.get(term)


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """An immutable set of facts. Tables have distinct rows in increasing order; no table is empty.

    >>> family = Dataset.from_facts([Atom("parent", ("ann", "bob")), Atom("female", ("ann",))])
    >>> len(family), Atom("parent", ("ann", "bob")) in family
    (2, True)
    """

    vocabulary: Vocabulary
    tables: Mapping[Predicate, Table]

    @classmethod
    def from_facts(cls, facts: Iterable[Atom]) -> Dataset:
        """The set of the given facts, which must be ground."""
        vocabulary = Vocabulary()
        rows: dict[Predicate, list[list[int]]] = {}
        for fact in facts:
            if not all(map(is_ground, fact.arguments)):
                raise InputError(
                    Finding("E101", f"`{print_atom(fact)}` has a variable, so it is not a fact", fact.span)
                )
            rows.setdefault(fact.predicate, []).append([vocabulary.intern(term) for term in fact.arguments])
        tables = {p: np.array(numbers, np.int32).reshape(len(numbers), p.arity) for p, numbers in rows.items()}
        return cls.from_tables(vocabulary, tables)

    @classmethod
    def from_tables(cls, vocabulary: Vocabulary, tables: Mapping[Predicate, NDArray[np.integer]]) -> Dataset:
        """The dataset with these rows of term numbers; repetitions and empty tables are dropped."""
        kept = {predicate: _distinct_rows(tables[predicate]) for predicate in sorted(tables) if len(tables[predicate])}
        return cls(vocabulary, MappingProxyType(kept))

    @classmethod
    def empty(cls) -> Dataset:
        """The dataset without facts."""
        return cls.from_tables(Vocabulary(), {})

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """The predicates that have facts, in order of name and arity."""
        return tuple(self.tables)

    @cached_property
    def term_numbers(self) -> NDArray[np.int32]:
        """The numbers of the terms of the dataset: those that are an argument of some fact, in increasing order."""
        columns = [table.ravel() for table in self.tables.values()]
        return np.unique(np.concatenate(columns)) if columns else np.empty(0, np.int32)

    @property
    def terms(self) -> list[Term]:
        """The terms that are an argument of some fact."""
        return [self.vocabulary[number] for number in self.term_numbers]

    def __len__(self) -> int:
        return sum(len(table) for table in self.tables.values())

    def __iter__(self) -> Iterator[Atom]:
        terms = self.vocabulary.terms
        for predicate, table in self.tables.items():
            for row in table.tolist():
                yield Atom(predicate.name, tuple([terms[number] for number in row]))

    def __contains__(self, fact: Atom) -> bool:
        table = self.tables.get(fact.predicate)
        if table is None:
            return False
        low, high = 0, len(table)  # of the rows that agree so far: they stand together, for rows are in order
        for place, term in enumerate(fact.arguments):
            number = self.vocabulary.find(term)
            if number is None:
                return False
            same, wanted = table[low:high, place], np.int32(number)  # of another type, it would have them all converted
            low, high = low + int(same.searchsorted(wanted)), low + int(same.searchsorted(wanted, "right"))
        return low < high

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        if self.tables.keys() != other.tables.keys():
            return False
        theirs = other.over(self.vocabulary) if len(self) == len(other) else None
        return theirs is not None and all(
            np.array_equal(table, theirs.tables[predicate]) for predicate, table in self.tables.items()
        )

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __repr__(self) -> str:
        return f"Dataset({len(self):,} facts, {len(self.term_numbers):,} terms, {len(self.tables)} predicates)"

    def __or__(self, other: Dataset) -> Dataset:
        theirs = other.over(self.vocabulary).tables
        both = {p: np.concatenate([t[p] for t in (self.tables, theirs) if p in t]) for p in {*self.tables, *theirs}}
        return Dataset.from_tables(self.vocabulary, both)

    def __sub__(self, other: Dataset) -> Dataset:
        return self._filtered(other, keep_common=False)

    def __and__(self, other: Dataset) -> Dataset:
        return self._filtered(other, keep_common=True)

    def __le__(self, other: Dataset) -> bool:
        return len(self - other) == 0

    def over(self, vocabulary: Vocabulary) -> Dataset:
        """The same facts, numbered by another vocabulary, which gains the terms that it lacks."""
        if vocabulary is self.vocabulary:
            return self
        numbers = np.zeros(len(self.vocabulary), np.int32)
        used = self.term_numbers
        numbers[used] = [vocabulary.intern(self.vocabulary[number]) for number in used]
        return Dataset.from_tables(vocabulary, {p: numbers[table] for p, table in self.tables.items()})

    def only(self, predicates: Iterable[Predicate]) -> Dataset:
        """The facts over the given predicates."""
        wanted = set(predicates)
        return Dataset.from_tables(self.vocabulary, {p: t for p, t in self.tables.items() if p in wanted})

    @cached_property
    def sha256(self) -> str:
        """The hash of the set of facts, whatever their order: SHA-256 of their sorted canonical lines."""
        import hashlib  # brings OpenSSL, 4 MB that most runs need not load

        lines = sorted(print_atom(fact).encode() + b".\n" for fact in self)
        digest = hashlib.sha256()
        for line in lines:
            digest.update(line)
        return digest.hexdigest()

    def _filtered(self, other: Dataset, keep_common: bool) -> Dataset:
        theirs = other.over(self.vocabulary).tables
        tables: dict[Predicate, Table] = {}
        for predicate, table in self.tables.items():
            if predicate in theirs:
                tables[predicate] = table[_is_row_of(table, theirs[predicate]) == keep_common]
            elif not keep_common:
                tables[predicate] = table
        return Dataset.from_tables(self.vocabulary, tables)


def _keys(rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """One integer per row of at most two columns, in the order of the rows."""
    if rows.shape[1] == 0:
        return np.zeros(len(rows), np.int64)
    keys = rows[:, 0].astype(np.int64)
    return keys if rows.shape[1] == 1 else (keys << 32) | rows[:, 1].astype(np.int64)


def _distinct_rows(rows: NDArray[np.integer]) -> Table:
    """The distinct rows in increasing order, column by column in memory and read-only."""
    if rows.shape[1] > 2:
        distinct = np.unique(rows, axis=0)
    else:
        keys = _keys(rows)
        if len(keys) < 2 or (keys[1:] > keys[:-1]).all():
            distinct = rows
        else:
            order = np.argsort(keys)
            keys = keys[order]
            distinct = rows[order[np.append(True, keys[1:] != keys[:-1])]]
    table = np.array(distinct, np.int32, order="F", copy=True)
    table.flags.writeable = False
    return table


def _is_row_of(rows: Table, others: Table) -> NDArray[np.bool_]:
    if rows.shape[1] <= 2:
        return np.isin(_keys(rows), _keys(others))
    known = set(map(tuple, others.tolist()))
    return np.array([tuple(row) in known for row in rows.tolist()], bool)
