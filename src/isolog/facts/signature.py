"""Signatures: the predicates a network or a program speaks about, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from isolog.errors import Findings
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Predicate


@dataclass(frozen=True, slots=True)
class Signature:
    """Distinct predicates, in order.

    >>> Signature.of(unary=["A"], binary=["r"]).unary
    ('A',)
    """

    predicates: tuple[Predicate, ...] = ()

    @classmethod
    def of(cls, unary: Iterable[str] = (), binary: Iterable[str] = ()) -> Signature:
        """The signature with these unary, then these binary predicates."""
        return cls((*(Predicate(name, 1) for name in unary), *(Predicate(name, 2) for name in binary)))

    @classmethod
    def from_dataset(cls, dataset: Dataset) -> Signature:
        """The predicates that have facts."""
        return cls(dataset.predicates)

    @property
    def unary(self) -> tuple[str, ...]:
        """The names of the unary predicates: the canonical features, in order."""
        return tuple(predicate.name for predicate in self.predicates if predicate.arity == 1)

    @property
    def binary(self) -> tuple[str, ...]:
        """The names of the binary predicates: the canonical colours, in order."""
        return tuple(predicate.name for predicate in self.predicates if predicate.arity == 2)

    def __contains__(self, predicate: Predicate) -> bool:
        return predicate in self.predicates

    def nearest(self, predicate: Predicate) -> str | None:
        """A hint that names the predicate a user may have meant."""
        same_name = [known for known in self.predicates if known.name == predicate.name]
        close = get_close_matches(predicate.name, [known.name for known in self.predicates], 1)
        named = same_name or [known for known in self.predicates if close and known.name == close[0]]
        return f"did you mean `{named[0]}`?" if named else None


def restrict(dataset: Dataset, signature: Signature, ignore_unknown: bool = False) -> Dataset:
    """The dataset within the signature.

    Facts outside it are an error that names them; with `ignore_unknown` they are removed, and with them the
    terms that occur only in them.
    """
    counts = {predicate: len(table) for predicate, table in dataset.tables.items()}
    known = known_predicates(counts, signature, ignore_unknown)
    return dataset if len(known) == len(counts) else dataset.only(known)


def known_predicates(
    counts: Mapping[Predicate, int], signature: Signature, ignore_unknown: bool = False
) -> list[Predicate]:
    """The predicates of the signature among those that have so many facts; others are an error or left out."""
    unknown = [predicate for predicate in counts if predicate not in signature]
    if unknown and not ignore_unknown:
        findings = Findings()
        for predicate in unknown:
            facts = "1 fact" if counts[predicate] == 1 else f"{counts[predicate]:,} facts"
            hint = signature.nearest(predicate) or "--ignore-unknown leaves such facts out"
            findings.add("E102", f"{facts} of `{predicate}`, which is not in the signature", hint=hint)
        findings.raise_any()
    return [predicate for predicate in counts if predicate in signature]
