"""The program that a report shows: flat rules over the user's predicates, found within a budget, with what they are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from isolog.concepts.flat_rules import Budget
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.extract import extract
from isolog.correspondence.transformation import network_encoding
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Program, Rule
from isolog.facts.terms import Predicate
from isolog.networks.network import Network

BUDGET = Budget(max_rules=200, seconds=20.0)


@dataclass(frozen=True, slots=True)
class FlatProgram:
    """Rules that the network captures; `complete` says that they derive all that it derives, on every dataset.

    Otherwise all rules of at most `complete_up_to_atoms` atoms follow from them; None promises nothing.
    """

    program: Program
    complete: bool
    complete_up_to_atoms: int | None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that derive what users ask for."""
        return tuple(rule for rule in self.program if rule.head.predicate not in self.program.auxiliary)

    @property
    def words(self) -> str:
        """How much of the network the rules are, as a sentence."""
        count = len(self.rules)
        rules = "this rule derives" if count == 1 else f"these {count:,} rules derive"
        if self.complete:
            return f"Exactly equal: {rules} what the network derives, on every dataset."
        if self.complete_up_to_atoms is None:
            return f"Sound: {rules} only what the network derives, on every dataset, but not all of it."
        return (
            f"Sound: {rules} only what the network derives, on every dataset. "
            f"Every rule of up to {self.complete_up_to_atoms} body atoms that holds follows from them."
        )


def flat_program(
    network: Network, budget: Budget = BUDGET, predicates: Collection[Predicate] | None = None
) -> FlatProgram:
    """The program of the network in the user's predicates; of some of them if they are given.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> layer = Layer.from_fractions([[0, 1], [0, 0]], [], [0, 0])
    >>> flat_program(Network.canonical(Signature.of(["A", "B"]), [layer])).words
    'Exactly equal: this rule derives what the network derives, on every dataset.'
    """
    if network.encoding.name == "canonical":
        names = [] if predicates is None else [f"{predicate.name}/{predicate.arity}" for predicate in predicates]
        found = extract(network, predicate=names, max_rules=budget.max_rules, seconds=budget.seconds)
        return FlatProgram(found.program, found.complete, found.complete_up_to_atoms)
    encoding = network_encoding(network)
    made = composed_rules(concepts_of_network(network, encoding.sorts), encoding, budget, predicates)
    return FlatProgram(made.program, made.complete, made.complete_up_to_atoms)


def rule_size(rule: Rule) -> int:
    """How many atoms the body has, counts written out; inequalities do not count.

    >>> from isolog.datalog.parser import parse_rule
    >>> rule_size(parse_rule("p(X) :- q(X), #count{Y : r(X, Y), q(Y)} >= 3."))
    7
    """
    return sum(map(_atoms, rule.body))


def _atoms(literal: BodyLiteral) -> int:
    if isinstance(literal, Count):
        return literal.at_least * sum(map(_atoms, literal.body))
    return 0 if isinstance(literal, Inequality) else 1
