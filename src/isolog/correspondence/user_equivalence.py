"""Equivalence under an encoding (Def. 4): a network and a program over the user's predicates, on all their datasets.

Each side's rules are tried on the other side: those of the network are its flat program over the user's predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from isolog.concepts.flat_rules import Budget
from isolog.correspondence.capture import LIMIT
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.extract import extract
from isolog.correspondence.lemma1 import Instance
from isolog.correspondence.transformation import network_encoding, operator
from isolog.correspondence.unify import bind_atom, bind_literal, unify
from isolog.correspondence.user_capture import failing_user_instance
from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import Count, Inequality, Negation, Program, Rule
from isolog.encodings.encoding import Encoding
from isolog.engines import reference
from isolog.errors import Finding, LimitError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.terms import Atom, Variable
from isolog.networks.network import Network

_BUDGET = Budget(max_rules=2_000, seconds=60)
MOST_RULES = 20_000


@dataclass(frozen=True, slots=True)
class UserEquivalence:
    """True: the same on every dataset of the user; False: not on the witness, where only one side derives the fact;
    None: not known, for the reason given."""

    equivalent: bool | None
    witness: Dataset | None = None
    fact: Atom | None = None
    derived_by: Literal["A", "B"] | None = None
    reason: str | None = None


def equivalent_for_users(
    network: Network, program: Program, *, budget: Budget = _BUDGET, limit: int = LIMIT
) -> UserEquivalence:
    """Whether the network (A) and the program (B) derive the same facts from all datasets over the network's signature.

    The program has no `not`. At most `limit` identifications are tried per rule.
    """
    encoding = network_encoding(network)
    if not encoding.is_monotone:
        hint = "`--canonical` compares what they say of features and colours"
        message = f"the encoding `{encoding.name}` is not monotone, so no finite set of datasets decides"
        raise UnsupportedError(Finding("E254", message, hint=hint))
    apply, run = operator(network), reference.operator(replace(program, signature=encoding.signature))
    try:
        found = _failing(apply, written_out(program), encoding, limit)
        if found is not None:
            return UserEquivalence(False, found.dataset, found.fact, "B")
        composed = composed_rules(extract(network, encoding.sorts), encoding, budget)
        found = _failing(run, written_out(composed.program), encoding, limit)
    except LimitError as error:
        return UserEquivalence(None, reason=error.findings[0].message)
    if found is not None:
        return UserEquivalence(False, found.dataset, found.fact, "A")
    if composed.complete:
        return UserEquivalence(True)
    return UserEquivalence(None, reason=f"the network's first {len(composed.rules):,} rules agree, and it has more")


def written_out(program: Program) -> Iterator[Rule]:
    """The rules of the program with auxiliary atoms replaced by what defines them, in every way; a LimitError when
    these are too many."""
    definitions = [rule for rule in program if rule.head.predicate in program.auxiliary]
    waiting = [rule for rule in program if rule.head.predicate not in program.auxiliary]
    waiting.reverse()
    made = 0
    while waiting:
        rule = waiting.pop()
        if any(isinstance(each, Negation | Count) for each in rule.body):
            raise LimitError(Finding("E269", "a rule with `not` or `#count` is not written out", rule.span))
        atom = next((each for each in rule.body_atoms if each.predicate in program.auxiliary), None)
        if atom is None:
            yield rule
            continue
        made += 1
        if made > MOST_RULES:
            raise LimitError(Finding("E269", f"the program stands for more than {MOST_RULES:,} rules", rule.span))
        waiting += _replaced(rule, atom, definitions, made)


def _replaced(rule: Rule, atom: Atom, definitions: Iterable[Rule], number: int) -> Iterator[Rule]:
    for definition in definitions:
        if definition.head.predicate == atom.predicate:
            apart = rename_rule(definition, lambda variable: Variable(f"{variable.name}'{number}"))
            bindings = unify(atom.arguments, apart.head.arguments, {})
            if bindings is not None:
                body = (*(each for each in rule.body if each != atom), *apart.body)
                bound = tuple(bind_literal(literal, bindings) for literal in body)
                if not any(isinstance(each, Inequality) and each.left == each.right for each in bound):
                    yield Rule(bind_atom(rule.head, bindings), bound, rule.span)


def _failing(derive: Operator, rules: Iterable[Rule], encoding: Encoding, limit: int) -> Instance | None:
    """A dataset where one of the rules derives what the operator does not."""
    found = (failing_user_instance(derive, rule, encoding, limit) for rule in rules)
    return next((instance for instance in found if instance is not None), None)
