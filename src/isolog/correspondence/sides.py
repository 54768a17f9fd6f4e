"""The two sides of a comparison: networks or programs, and which facts count for each.

They are compared on facts over the predicates that either knows. A network and a program with `@signature` know what
they list; facts of other predicates do not count for them, nor do terms that occur only in those, as under
`ignore_unknown`. A program without `@signature` knows all predicates of the other side and of its own rules, and if
neither side lists any, both know one that no rule mentions, which stands for all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from isolog.correspondence.lemma1 import graph_signature
from isolog.correspondence.monotone_programs import literal_terms, require_monotone
from isolog.correspondence.transformation import predict
from isolog.datalog.checks import check
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import Program
from isolog.engines import reference
from isolog.errors import Finding, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Predicate, Term, Variable
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network

Subject: TypeAlias = Network | Program


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """A network or a program, and the predicates that count for it."""

    subject: Subject
    known: frozenset[Predicate]

    def derive(self, dataset: Dataset) -> Dataset:
        """What it derives from the facts that count for it, by the reference engine or the exact network."""
        if isinstance(self.subject, Network):
            return predict(self.subject, dataset, ignore_unknown=True)
        return reference.run(self.subject, dataset, ignore_unknown=True)

    @property
    def heads(self) -> frozenset[Predicate]:
        """The predicates of the facts that it may derive."""
        if isinstance(self.subject, Network):
            return frozenset(Predicate(name, 1) for name in self.subject.features)
        return frozenset(rule.head.predicate for rule in self.subject) - self.subject.auxiliary

    @property
    def constants(self) -> frozenset[Term]:
        """The constants that its rules mention."""
        if isinstance(self.subject, Network):
            return frozenset()
        terms = (
            term for rule in self.subject for literal in (rule.head, *rule.body) for term in literal_terms(literal)
        )
        return frozenset(term for term in terms if not isinstance(term, Variable))


def sides(one: Subject, other: Subject) -> tuple[Side, Side]:
    """Both sides, checked, with what each knows.

    >>> from isolog.datalog.parser import parse
    >>> [sorted(side.known) for side in sides(parse("p(X) :- q(X)."), parse("@signature p/1."))]
    [[Predicate(name='p', arity=1), Predicate(name='q', arity=1)], [Predicate(name='p', arity=1)]]
    """
    for subject in (one, other):
        _check(subject)
    declared = [_declared(subject) for subject in (one, other)]
    universe = frozenset[Predicate]().union(
        *(
            _mentioned(subject) if known is None else known
            for subject, known in zip((one, other), declared, strict=True)
        )
    )
    if declared == [None, None]:
        taken = {predicate.name for predicate in universe}
        names = (f"other{number or ''}" for number in count())
        universe |= {Predicate(next(name for name in names if name not in taken), 1)}
    first, second = (universe if known is None else known for known in declared)
    return Side(one, first), Side(other, second)


def _check(subject: Subject) -> None:
    if isinstance(subject, Program):
        check(subject)
        require_monotone(subject)
        return
    require_monotonic(subject)
    if subject.encoding.name != "canonical":
        message = f"networks under the encoding `{subject.encoding.name}` are not compared"
        hint = "canonical networks, and programs over their predicates, are"
        raise UnsupportedError(Finding("E461", message, hint=hint))


def _declared(subject: Subject) -> frozenset[Predicate] | None:
    if isinstance(subject, Network):
        return frozenset(graph_signature(subject).predicates)
    return None if subject.signature is None else frozenset(subject.signature.predicates)


def _mentioned(subject: Subject) -> frozenset[Predicate]:
    assert isinstance(subject, Program)
    read = {atom.predicate for rule in subject for atom, _ in body_atoms(rule.body)}
    return frozenset({rule.head.predicate for rule in subject} | read) - subject.auxiliary
