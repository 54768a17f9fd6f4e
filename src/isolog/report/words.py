"""What is said of a flat program and of its rules."""

from __future__ import annotations

from isolog.correspondence.extracted import Extracted
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Rule


def in_words(found: Extracted) -> str:
    """How much of the network the rules are, as a sentence.

    >>> from isolog.correspondence.extract import extract
    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer, Network
    >>> layer = Layer.from_fractions([[0, 1], [0, 0]], [], [0, 0])
    >>> in_words(extract(Network.canonical(Signature.of(["A", "B"]), [layer])))
    'Exactly equal: this rule derives what the network derives, on every dataset.'
    """
    rules = "this rule derives" if found.rules == 1 else f"these {found.rules:,} rules derive"
    if found.complete:
        return f"Exactly equal: {rules} what the network derives, on every dataset."
    sound = f"Sound: {rules} only what the network derives, on every dataset"
    if found.complete_up_to_atoms is None:
        return f"{sound}, but not all of it."
    return f"{sound}. Every rule of up to {found.complete_up_to_atoms} body atoms that holds follows from them."


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
