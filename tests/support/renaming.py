"""Isomorphic datasets: the same facts about constants with other names."""

from __future__ import annotations

from collections.abc import Mapping

from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Function, Term


def renamed(dataset: Dataset, names: Mapping[str, str]) -> Dataset:
    """The dataset with other names for its constants."""

    def rename(term: Term) -> Term:
        if isinstance(term, Function):
            return Function(term.symbol, tuple(map(rename, term.arguments)))
        assert isinstance(term, str)
        return names[term]

    return Dataset.from_facts(Atom(fact.name, tuple(map(rename, fact.arguments))) for fact in dataset)
