"""Both sides of a comparison as concepts over the same labels and colours, where both have such a form.

A side says nothing of a term that no fact mentions that counts for it. So where the sides do not know the same
predicates, or no fact of two terms can make a term out of nothing, a concept says in addition that the root occurs in
such a fact: in one of its own, or as the target of an edge, for which there are labels beyond those of the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from isolog.concepts.dag import TOP, Concepts, Node
from isolog.concepts.from_rules import concepts_of_program
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.joined_concepts import JoinedConcepts
from isolog.correspondence.sides import Side
from isolog.datalog.syntax import Program
from isolog.errors import UnsupportedError
from isolog.facts.terms import Predicate
from isolog.networks.network import Network

Heads: TypeAlias = Mapping[Predicate, Node]
"""Concepts of unary heads."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The unary and binary predicates, in order, and after the unary ones labels for terms that edges lead to.

    `arrivals` are those labels, each with a predicate of a fact in which the root is the last argument.
    """

    unary: tuple[str, ...]
    binary: tuple[str, ...]
    arrivals: Mapping[int, Predicate]
    bare: Predicate | None
    """What makes a root without labels and edges a term of the data, where both sides know the same predicates."""

    @property
    def features(self) -> dict[str, int]:
        """The numbers of the labels of the data."""
        return {name: number for number, name in enumerate(self.unary)}

    @property
    def colours(self) -> dict[str, int]:
        """The numbers of the colours."""
        return {name: number for number, name in enumerate(self.binary)}


def vocabulary(first: Side, second: Side) -> Vocabulary:
    """The predicates that count for either side."""
    both = sorted(first.known | second.known)
    unary = tuple(name for name, arity in both if arity == 1)
    binary = tuple(name for name, arity in both if arity == 2)
    leading = [predicate for predicate in both if predicate.arity >= 2]
    if first.known == second.known and leading:
        return Vocabulary(unary, binary, {}, leading[0])
    of_kind: dict[tuple[bool, bool], Predicate] = {}
    for predicate in leading:
        of_kind.setdefault((predicate in first.known, predicate in second.known), predicate)
    return Vocabulary(unary, binary, dict(enumerate(of_kind.values(), len(unary))), None)


def concepts_of_side(side: Side, words: Vocabulary, joined: JoinedConcepts) -> Heads | None:
    """Per unary head where the side derives it, at a term; None if rules with such heads are not tree-like."""
    if isinstance(side.subject, Network):
        network, extraction = side.subject, concepts_of_network(side.subject)
        heads = [nodes[0] for nodes in extraction.heads]
        features = [words.features[name] for name in network.features]
        colours = [words.colours[name] for name in network.colours]
        nodes = joined.add(extraction.concepts, heads, features, colours)
        return {Predicate(name, 1): node for name, node in zip(network.features, nodes, strict=True)}
    program, store = side.subject, Concepts()
    rules = tuple(r for r in program if r.head.predicate in program.auxiliary or r.head.predicate.arity == 1)
    unary = Program(rules, program.auxiliary, program.signature)
    try:
        found = concepts_of_program(store, unary, words.features, words.colours)
    except UnsupportedError:
        return None
    nodes = joined.add(store, list(found.values()), range(len(words.unary)), range(len(words.binary)))
    return {Predicate(name, 1): node for name, node in zip(found, nodes, strict=True)}


def at_terms(heads: Heads, side: Side, words: Vocabulary, concepts: Concepts) -> Heads:
    """The heads with the condition that the root is a term for the side."""
    if words.bare is not None:
        return heads
    arrivals = [label for label, predicate in words.arrivals.items() if predicate in side.known]
    labels = [number for name, number in words.features.items() if Predicate(name, 1) in side.known]
    edges = [number for name, number in words.colours.items() if Predicate(name, 2) in side.known]
    present = concepts.any_of(
        [*map(concepts.label, arrivals + labels), *(concepts.at_least(1, colour, TOP) for colour in edges)]
    )
    return {head: concepts.both(node, present) for head, node in heads.items()}
