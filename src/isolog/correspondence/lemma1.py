"""Lemma 1 by the letter: a network captures a rule iff it derives the head on every instance of the body.

As printed, the lemma overlooks variables that no body atom mentions (`true → U(x)`, `U1(x) ∧ x≠y → U2(x)`,
`U1(y) → U2(x)`): there `T_r` derives nothing from the body's instance alone, and every network would pass. Each
such variable stands for a term of the dataset, so an instance gives it a fact of its own. With a colour the worst
is a bare term, one that only occurs as the target of an edge; without colours it has some label, and the
network must pass with each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.capture_checks import check_rules
from isolog.correspondence.patterns import Pattern, pattern
from isolog.datalog.syntax import Rule
from isolog.encodings import canonical
from isolog.errors import Finding, LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Term
from isolog.graphs.graph import ColouredGraph
from isolog.networks import exact
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network

Labels: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Instance:
    """A dataset, and a fact that a rule derives from it."""

    dataset: Dataset
    fact: Atom


def graph_signature(network: Network) -> Signature:
    """The (Col, δ)-signature (Def. 1): the predicates of the network's features and colours, whatever the encoding."""
    return Signature.of(network.features, network.colours)


def failing_instance(network: Network, rule: Rule, partitions: int = 200_000) -> Instance | None:
    """An instance of the body on which the network misses the head; None iff the network captures the rule.

    All partitions of the rule's terms are tried, in exact arithmetic; a rule that has more of them than
    `partitions` is a LimitError.
    """
    require_monotonic(network)
    signature = graph_signature(network)
    check_rules([rule], signature)
    wanted = pattern(rule)
    total = bell(len(wanted.terms))
    if total > partitions:
        message = f"{len(wanted.terms)} terms can coincide in up to {total:,} ways; the limit is {partitions:,}"
        raise LimitError(Finding("E430", message, rule.span, "`captures` tries far fewer of them"))
    for classes in identifications(wanted):
        for instance in instances(wanted, classes, signature):
            if not derives(network, instance, exact.apply):
                return instance
    return None


def derives(network: Network, instance: Instance, labels: Callable[[Network, ColouredGraph], Labels]) -> bool:
    """Whether T_N derives the fact from the dataset (Def. 2), with this way to apply a network to a graph."""
    dataset, signature = instance.dataset, graph_signature(network)
    if instance.fact.predicate.arity == 2:
        return instance.fact in dataset
    return instance.fact in canonical.decode(labels(network, canonical.encode(dataset, signature)), dataset, signature)


def bell(n: int) -> int:
    """The number of partitions of a set of `n` elements.

    >>> [bell(n) for n in range(6)]
    [1, 1, 2, 5, 15, 52]
    """
    row = [1]
    for _ in range(n):
        following = [row[-1]]
        for entry in row:
            following.append(following[-1] + entry)
        row = following
    return row[0]


def identifications(wanted: Pattern) -> Iterator[tuple[int, ...]]:
    """The partitions of the terms that the inequalities allow: per term its class, classes in order of first use."""

    def extend(classes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        term = len(classes)
        if term == len(wanted.terms):
            yield classes
            return
        taken = {classes[other] for other in range(term) if not wanted.may_coincide(other, term)}
        for number in range(max(classes, default=-1) + 2):
            if number not in taken:
                yield from extend((*classes, number))

    if wanted.can_fire:
        yield from extend(())


def instances(wanted: Pattern, classes: Sequence[int], signature: Signature) -> Iterator[Instance]:
    """The least datasets on which the rule derives its head under this identification, up to renaming."""
    names = class_names(wanted, classes)
    body = [Atom(name, tuple(names[classes[term]] for term in arguments)) for name, arguments in wanted.atoms]
    fact = Atom(wanted.head[0], tuple(names[classes[term]] for term in wanted.head[1]))
    found = {classes[term] for term in wanted.mentioned}
    fresh = [names[number] for number in sorted({classes[term] for term in wanted.variables} - found)]
    for witnesses in _witnesses(fresh, names[-1], signature):
        yield Instance(Dataset.from_facts([*body, *witnesses]), fact)


def _witnesses(fresh: Sequence[Term], source: Term, signature: Signature) -> Iterator[list[Atom]]:
    if not fresh:
        yield []
    elif signature.binary:
        yield [Atom(signature.binary[0], (source, term)) for term in fresh]
    else:
        yield from ([Atom(label, (term,)) for term in fresh] for label in signature.unary)


def class_names(wanted: Pattern, classes: Sequence[int]) -> list[Term]:
    """A constant per class, the rule's own constants for theirs, and one more that is in no class."""
    constants = {number: wanted.terms[term] for term, number in enumerate(classes) if term not in wanted.variables}
    fresh = (name for name in readable_names() if name not in constants.values())
    return [constants[number] if number in constants else next(fresh) for number in range(max(classes, default=-1) + 2)]


def readable_names() -> Iterator[str]:
    """a, b, …, z, a1, b1, …"""
    for round_ in count():
        yield from (letter + str(round_ or "") for letter in "abcdefghijklmnopqrstuvwxyz")
