"""Facts as triples of words, for the formats that know nothing else: what these cannot say is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.errors import Findings, InputError, UnsupportedError
from isolog.facts.dataset import Dataset, Table
from isolog.facts.fields import RDF_TYPE, Constant
from isolog.facts.terms import Atom, Literal, Predicate, Term
from isolog.facts.text import print_atom


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a format writes constants and binary predicates, and how it reads constants back."""

    format: str
    constant: Callable[[Constant], str]
    predicate: Callable[[str], str]
    parse: Callable[[str], Constant]
    rdf_type: str
    literal_subjects: bool = True

    def word(self, term: Term) -> str | None:
        """The word that is read back as the term, if there is one."""
        if not isinstance(term, str | Literal):
            return None
        try:
            word = self.constant(term)
            word.encode()
            return word if self.parse(word) == term else None
        except (ValueError, InputError):
            return None


def triples(dataset: Dataset, spelling: Spelling) -> Iterator[tuple[str, str, str]]:
    """The facts as words; if the format cannot say some of them, an error that names these."""
    words = {number: spelling.word(dataset.vocabulary[number]) for number in dataset.term_numbers.tolist()}
    _refuse(dataset, spelling, [number for number, word in words.items() if word is None])
    for predicate, table in dataset.tables.items():
        if predicate.arity == 1:
            value = spelling.constant(predicate.name)
            for (subject,) in table.tolist():
                yield words[subject] or "", spelling.rdf_type, value
        else:
            name = spelling.rdf_type if predicate.name == RDF_TYPE else spelling.predicate(predicate.name)
            for subject, value in table.tolist():
                yield words[subject] or "", name, words[value] or ""


def _refuse(dataset: Dataset, spelling: Spelling, wordless: list[int]) -> None:
    terms = dataset.vocabulary
    literals = [number for number in dataset.term_numbers.tolist() if isinstance(terms[number], Literal)]
    findings = Findings()
    for predicate, table in dataset.tables.items():
        for wrong, reason in _objections(predicate, table, spelling, literals, wordless):
            for row in table[wrong].tolist():
                fact = print_atom(Atom(predicate.name, tuple(terms[number] for number in row)))
                findings.add("E138", f"{spelling.format} cannot say `{fact}`: {reason}", hint="a `.dl` file can")
    findings.raise_any(UnsupportedError)


def _objections(
    predicate: Predicate, table: Table, spelling: Spelling, literals: list[int], wordless: list[int]
) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Which rows of the table the format cannot say, and why."""
    every = np.ones(len(table), bool)
    if predicate.arity not in (1, 2):
        yield every, "its facts have one or two arguments"
        return
    if predicate.arity == 2 and predicate.name == "rdf:type":
        yield every, f"`rdf:type` stands for `<{RDF_TYPE}>` there"
    elif predicate.arity == 2 and predicate.name == RDF_TYPE:
        yield ~np.isin(table[:, 1], literals), "that would be read as a unary fact"
    elif spelling.word(predicate.name) is None:
        yield every, "there is no way to write the predicate"
    yield np.asarray(np.isin(table, wordless).any(axis=1)), "there is no way to write its terms"
    if not spelling.literal_subjects:
        yield np.isin(table[:, 0], literals), "a literal cannot be a subject there"
