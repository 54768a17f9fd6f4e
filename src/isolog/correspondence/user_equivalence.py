"""Equivalence under an encoding (Def. 4): networks and programs over the user's predicates, on all their datasets.

Each side's rules are tried on the other side: those of the network are its flat program over the user's predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from isolog.concepts.flat_rules import Budget
from isolog.correspondence.capture import LIMIT
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.lemma1 import Instance
from isolog.correspondence.monotone_programs import require_monotone as require_monotone_program
from isolog.correspondence.transformation import network_encoding, predict
from isolog.correspondence.unify import bind_atom, bind_literal, unify
from isolog.correspondence.user_capture import failing_user_instance, require_monotone
from isolog.datalog.checks import check
from isolog.datalog.stratify import body_atoms
from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import Count, Inequality, Negation, Program, Rule
from isolog.engines import reference
from isolog.errors import Finding, LimitError
from isolog.facts.operator import Operator
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate, Variable
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network

Subject: TypeAlias = Network | Program
MOST_RULES = 20_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A dataset of the user, and a fact that only the named side derives."""

    instance: Instance
    derived_by: Literal["A", "B"]


def user_difference(a: Subject, b: Subject, budget: Budget, limit: int = LIMIT) -> Difference | None:
    """Where two sides differ on datasets of the user, None iff they do nowhere; one of them is an encoded network.

    Facts that a side does not know do not count for it. A LimitError when the budget for the rules of a network, or
    for the identifications tried per rule, does not suffice. Encoders and programs have no `not`.
    """
    sides = [_side(subject, budget) for subject in (a, b)]
    predicates = dict.fromkeys(predicate for side in sides for predicate in side.known)
    programs = [program for side in sides for program in side.programs]
    unfinished: LimitError | None = None
    for by, side, other in (("A", sides[0], sides[1]), ("B", sides[1], sides[0])):
        try:
            for rule in side.rules():
                found = failing_user_instance(other.derive, rule, Signature(tuple(predicates)), programs, limit)
                if found is not None:
                    return Difference(found, "A" if by == "A" else "B")
        except LimitError as error:
            unfinished = error
    if unfinished is not None:
        raise unfinished
    return None


@dataclass(frozen=True, eq=False, slots=True)
class _Side:
    """A side: what it derives, its rules over the user's predicates, and programs with the constants it knows."""

    derive: Operator
    rules: Callable[[], Iterator[Rule]]
    programs: tuple[Program, ...]
    known: tuple[Predicate, ...]


def _side(subject: Subject, budget: Budget) -> _Side:
    if isinstance(subject, Program):
        check(subject)
        require_monotone_program(subject)
        known = dict.fromkeys(subject.signature.predicates if subject.signature else _mentioned(subject))
        derive = reference.operator(subject, ignore_unknown=True)
        return _Side(derive, lambda: written_out(subject), (subject,), tuple(known))
    require_monotonic(subject)
    encoding = network_encoding(subject)
    require_monotone(encoding)

    def rules() -> Iterator[Rule]:
        composed = composed_rules(concepts_of_network(subject, encoding.sorts), encoding, budget)
        yield from written_out(composed.program)
        if not composed.complete:
            message = f"the first {len(composed.rules):,} rules of a network show no difference, and it has more"
            raise LimitError(Finding("E273", message, hint="more seconds may show one, or all rules"))

    derive = partial(predict, subject, ignore_unknown=True)
    return _Side(derive, rules, (encoding.encoder, encoding.decoder), encoding.signature.predicates)


def _mentioned(program: Program) -> list[Predicate]:
    read = {atom.predicate for rule in program for atom, _ in body_atoms(rule.body)}
    return sorted((read | {rule.head.predicate for rule in program}) - program.auxiliary)


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
