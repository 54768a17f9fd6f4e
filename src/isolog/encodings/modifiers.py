"""Modifiers: programs on the user's data that run before an encoding and add predicates that no decoder emits.

`inverses` turns every binary predicate round, `nominals` names chosen constants, `domains` marks every term.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np

from isolog.datalog.syntax import Rule
from isolog.encodings.source import Options, Source
from isolog.errors import Finding, InputError
from isolog.facts.dataset import Dataset, Table
from isolog.facts.fields import Constant, parse_field, print_field
from isolog.facts.terms import Atom, Predicate, Variable

X, Y = Variable("X"), Variable("Y")
THING = Predicate("thing", 1)


@dataclass(frozen=True, slots=True)
class Addition:
    """The predicates that a modifier adds, their rules, and how to add their facts to a dataset."""

    predicates: tuple[Predicate, ...]
    rules: tuple[Rule, ...]
    add: Callable[[Dataset], Dataset]


def modify(source: Source, modifier: str, options: Options) -> Source:
    """The source with what the modifier adds. All modifiers read the user's data, whatever others add."""
    addition = MODIFIERS[modifier](source, options)
    for predicate in addition.predicates:
        if predicate in source.given or predicate in source.added:
            message = f"`{modifier}` adds the predicate `{predicate}`, which the signature has already"
            raise InputError(Finding("E263", message, hint="rename it in the data, or do without the modifier"))
    before = source.add
    add = addition.add if before is None else partial(_both, before, addition.add)
    richer = replace(source, added=(*source.added, *addition.predicates), add=add)
    return richer.with_auxiliary(addition.rules)


def most_frequent(dataset: Dataset, number: int, apart: Dataset | None = None) -> tuple[str, ...]:
    """The constants in most facts, as the option `nominals` lists them; ties go to the one whose text is less.

    Those in facts of `apart` are left out.
    """
    terms, counts = np.unique(np.concatenate([np.empty(0, np.int32), *_occurrences(dataset)]), return_counts=True)
    if apart is not None:
        kept = ~np.isin(terms, apart.over(dataset.vocabulary).term_numbers)
        terms, counts = terms[kept], counts[kept]
    by_count = sorted((-int(n), print_field(_constant(dataset, t))) for t, n in zip(terms, counts, strict=True))
    return tuple(text for _, text in by_count[:number])


def _both(one: Callable[[Dataset], Dataset], other: Callable[[Dataset], Dataset], dataset: Dataset) -> Dataset:
    return one(dataset) | other(dataset)


def _occurrences(dataset: Dataset) -> list[Table]:
    """Per predicate and fact the distinct terms of the fact."""
    found: list[Table] = []
    for table in dataset.tables.values():
        repeated = (table[:, 1:] == table[:, :1]).all(axis=1)
        found += [table[:, 0], *(column[~repeated] for column in table.T[1:])]
    return found


def _constant(dataset: Dataset, number: int) -> Constant:
    return cast(Constant, dataset.vocabulary[number])


def _inverses(source: Source, options: Options) -> Addition:
    turned = {name: f"inv:{name}" for name in source.given.binary}

    def add(dataset: Dataset) -> Dataset:
        tables = {Predicate(n, 2): t for n in turned if (t := dataset.tables.get(Predicate(n, 2))) is not None}
        backwards = {Predicate(turned[p.name], 2): table[:, ::-1] for p, table in tables.items()}
        return dataset | Dataset.from_tables(dataset.vocabulary, backwards)

    rules = tuple(Rule(Atom(inverse, (Y, X)), (Atom(name, (X, Y)),)) for name, inverse in turned.items())
    return Addition(tuple(Predicate(inverse, 2) for inverse in turned.values()), rules, add)


def _nominals(source: Source, options: Options) -> Addition:
    texts = cast(Sequence[str] | None, options.get("nominals"))
    if texts is None:
        message = "the encoding has `nominals`, but no list says which constants they are"
        raise InputError(Finding("E264", message, hint='`"nominals": ["…"]` stands beside the name of the encoding'))
    constants = {f"is:{text}": parse_field(text) for text in texts}
    term = source.free_name("term")
    named = [Rule(Atom(name, (constant,)), (Atom(term, (constant,)),)) for name, constant in constants.items()]

    def add(dataset: Dataset) -> Dataset:
        numbers = {name: dataset.vocabulary.find(constant) for name, constant in constants.items()}
        mentioned = set(dataset.term_numbers.tolist())
        tables = {Predicate(name, 1): np.array([[n]], np.int32) for name, n in numbers.items() if n in mentioned}
        return dataset | Dataset.from_tables(dataset.vocabulary, tables)

    rules = (Rule(Atom(term, (X,))), *named)
    return Addition(tuple(Predicate(name, 1) for name in constants), rules, add)


def _domains(source: Source, options: Options) -> Addition:
    def add(dataset: Dataset) -> Dataset:
        return dataset | Dataset.from_tables(dataset.vocabulary, {THING: dataset.term_numbers[:, None]})

    return Addition((THING,), (Rule(Atom(THING.name, (X,))),), add)


MODIFIERS: dict[str, Callable[[Source, Options], Addition]] = {
    "inverses": _inverses,
    "nominals": _nominals,
    "domains": _domains,
}
