"""Where a side that is given by rules derives something that another side does not, by Lemma 1 for any of them.

What a side without negation derives only grows with the data and does not depend on the names of constants, except
those in its rules. So a rule adds nothing to it iff it derives the head on every instance of the body: under every
identification of the rule's terms, with one another and with the constants of that side. If that side has neither
inequalities nor counts, homomorphisms keep what it derives, and the body itself, all terms distinct, decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations, product

from isolog.correspondence.capture import LIMIT
from isolog.correspondence.capture_checks import check_rules
from isolog.correspondence.folds import failing_fold
from isolog.correspondence.lemma1 import Instance, class_names, graph_signature, identifications
from isolog.correspondence.patterns import NumberedAtom, Pattern, pattern
from isolog.correspondence.sides import Side
from isolog.datalog.normal import normal_form
from isolog.datalog.scope import scoped
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Rule
from isolog.errors import UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Predicate, Term, Variable, is_ground
from isolog.networks.classes import class_report
from isolog.networks.network import Network


def rule_difference(rules: Iterable[Rule], side: Side, other: Side, tick: Callable[[], None]) -> Instance | None:
    """An instance of one of the side's rules on which the other side misses the head, None if there is none."""
    same = _own_rules(other) if side.known <= other.known else frozenset[Rule]()
    for rule in rules:
        tick()
        if same and normal_form(rule) in same:
            continue
        found = _by_folds(rule, other) if _folds_apply(rule, other) else _failing(rule, side, other, tick)
        if found is not None:
            return found
    return None


def _own_rules(side: Side) -> frozenset[Rule]:
    """The rules of a program that read facts of the data only, up to the names of variables."""
    if isinstance(side.subject, Network):
        return frozenset()
    local = side.subject.auxiliary
    return frozenset(
        normal_form(rule)
        for rule in side.subject
        if all(atom.predicate not in local for atom, _ in body_atoms(rule.body))
    )


def _folds_apply(rule: Rule, other: Side) -> bool:
    """Whether the other side is a network that knows all predicates of the rule, and atoms bind all its variables."""
    if not isinstance(other.subject, Network):
        return False
    try:
        check_rules([rule], graph_signature(other.subject))
    except UnsupportedError:
        return False
    return not scoped(rule).unsafe


def _by_folds(rule: Rule, other: Side) -> Instance | None:
    assert isinstance(other.subject, Network)
    return failing_fold(other.subject, rule, LIMIT)


def _failing(rule: Rule, side: Side, other: Side, tick: Callable[[], None]) -> Instance | None:
    written = pattern(rule)
    if not written.can_fire:
        return None
    for safe in safe_patterns(written, sorted(side.known)):
        wanted = with_constants(safe, other.constants)
        apart = tuple(range(len(wanted.terms)))
        every = identifications(wanted) if _tells_apart(other) else iter(())
        for classes in chain([apart], every):
            tick()
            found = _instance(wanted, classes)
            if found.fact not in other.derive(found.dataset):
                return found
    return None


def _tells_apart(side: Side) -> bool:
    """Whether identifying terms may take something away from what the side derives."""
    if isinstance(side.subject, Network):
        return not class_report(side.subject).is_monotonic_max
    return any(_counts(literal) for rule in side.subject for literal in rule.body)


def _counts(literal: BodyLiteral) -> bool:
    match literal:
        case Inequality():
            return True
        case Count():
            return literal.at_least > 1 or any(map(_counts, literal.body))
        case _:
            return False


def safe_patterns(wanted: Pattern, known: Iterable[Predicate]) -> Iterator[Pattern]:
    """The patterns with an atom for each variable that none mentions; together they say the same.

    Such a variable is any term of the data, and those are the arguments of facts: some predicate, some place.
    """
    loose = sorted(wanted.variables - wanted.mentioned)
    places = [(predicate, place) for predicate in known for place in range(predicate.arity)]
    for chosen in product(places, repeat=len(loose)):
        terms, atoms = list(wanted.terms), list(wanted.atoms)
        for term, (predicate, place) in zip(loose, chosen, strict=True):
            arguments = list(range(len(terms), len(terms) + predicate.arity - 1))
            terms += [Variable(f"#{number}") for number in arguments]
            arguments.insert(place, term)
            atoms.append((predicate.name, tuple(arguments)))
        yield replace(wanted, terms=tuple(terms), atoms=tuple(atoms))


def with_constants(wanted: Pattern, constants: Iterable[Term]) -> Pattern:
    """The pattern with more constants, which its variables may be."""
    terms = (*wanted.terms, *sorted(set(constants) - set(wanted.terms), key=str))
    ground = [number for number, term in enumerate(terms) if is_ground(term)]
    return replace(wanted, terms=terms, distinct=wanted.distinct | frozenset(combinations(ground, 2)))


def _instance(wanted: Pattern, classes: tuple[int, ...]) -> Instance:
    names = class_names(wanted, classes)

    def ground(atom: NumberedAtom) -> Atom:
        return Atom(atom[0], tuple(names[classes[term]] for term in atom[1]))

    return Instance(Dataset.from_facts(map(ground, wanted.atoms)), ground(wanted.head))
