"""Capture under an encoding (Def. 4, Lemma 1): a rule and an operator on all datasets of the user.

With an encoding, a rule can hold on its body and fail where two of its variables coincide, also such that are no
siblings: `r(X, Y), r(Y, Z) → t(X, Y)` where Z is X. So all identifications of the rule's terms are tried, among them
those with constants that the encoder compares with. More facts, and constants with a feature of their own, only add.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from isolog.correspondence.lemma1 import Instance, readable_names
from isolog.correspondence.patterns import Pattern, pattern
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule, rule_variables
from isolog.encodings.encoding import Encoding
from isolog.engines import reference
from isolog.errors import Finding, LimitError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function, Term, Variable


def failing_user_instance(
    derive: Operator, rule: Rule, signature: Signature, programs: Iterable[Program], limit: int
) -> Instance | None:
    """A dataset over the user's signature where the rule derives a fact and the monotone operator does not.

    None iff there is none, if the operator knows no constants but those of the programs, such as its encoder. The
    dataset has no superfluous fact. Beyond `limit` identifications it is a LimitError.
    """
    for tried, instance in enumerate(instances(rule, signature, programs)):
        if tried == limit:
            message = f"undecided: the head is derived on the first {limit:,} instances of the body"
            hint = "raise `limit`, or state which variables differ"
            raise LimitError(Finding("E431", message, rule.span, hint))
        if instance.fact not in derive(instance.dataset):
            return _minimal(derive, rule, instance)
    return None


def instances(rule: Rule, signature: Signature, programs: Iterable[Program]) -> Iterator[Instance]:
    """The rule is captured iff its head is derived on each of these; those that tell most terms apart come first."""
    own, compared = constants_of(programs)
    for mentioned in _mentioned(rule, signature):
        wanted = _with_constants(pattern(mentioned), compared)
        if wanted.can_fire:
            yield from (_instance(wanted, classes, own) for classes in _identifications(wanted))


def require_monotone(encoding: Encoding) -> None:
    """An UnsupportedError unless more facts never give fewer vertices, edges or features."""
    if not encoding.is_monotone:
        message = f"the encoding `{encoding.name}` is not monotone, so no finite set of datasets decides"
        hint = "`--canonical` asks about its features and colours"
        raise UnsupportedError(Finding("E254", message, hint=hint))


def constants_of(programs: Iterable[Program]) -> tuple[frozenset[Term], frozenset[Term]]:
    """The constants of the programs, and those of their inequalities and negated atoms."""
    mentioned: set[Term] = set()
    compared: set[Term] = set()
    for rule in (rule for program in programs for rule in program):
        for literal in (rule.head, *rule.body):
            found = {term for term in _terms(literal) if not isinstance(term, Variable)}
            mentioned |= found
            if isinstance(literal, Inequality | Negation):
                compared |= found
    return frozenset(mentioned), frozenset(compared)


def _terms(literal: BodyLiteral) -> Iterator[Term]:
    match literal:
        case Atom():
            for term in literal.arguments:
                yield from term.arguments if isinstance(term, Function) else (term,)
        case Inequality():
            yield from (literal.left, literal.right)
        case Negation():
            yield from literal.atom.arguments
        case Count():
            for inner in literal.body:
                yield from _terms(inner)


def _identifications(wanted: Pattern, classes: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Per term its class, as `lemma1.identifications` lists them; those that tell most terms apart come first."""
    term = len(classes)
    if term == len(wanted.terms):
        yield classes
        return
    taken = {classes[other] for other in range(term) if not wanted.may_coincide(other, term)}
    for number in range(max(classes, default=-1) + 1, -1, -1):
        if number not in taken:
            yield from _identifications(wanted, (*classes, number))


def _mentioned(rule: Rule, signature: Signature) -> Iterator[Rule]:
    """The rule with a fact for each variable that no atom of its body mentions, in every way that a term can occur."""
    inside = set(rule_variables(Rule(Atom("", ()), rule.body_atoms)))
    counted = {
        v for each in rule.body if isinstance(each, Count) for v in rule_variables(Rule(Atom("", ()), each.body))
    }
    bare = [v for v in rule_variables(rule) if v not in inside | counted]
    ways = [(predicate, place) for predicate in signature.predicates for place in range(predicate.arity)]
    for chosen in product(ways, repeat=len(bare)):
        atoms: list[Atom] = []
        for number, (variable, (predicate, place)) in enumerate(zip(bare, chosen, strict=True)):
            arguments = [Variable(f"#{number}.{other}") for other in range(predicate.arity)]
            arguments[place] = variable
            atoms.append(Atom(predicate.name, tuple(arguments)))
        yield replace(rule, body=(*rule.body, *atoms))


def _with_constants(wanted: Pattern, compared: frozenset[Term]) -> Pattern:
    """The pattern with more constants that its variables may be, as many as there are variables: they are alike."""
    new = sorted((term for term in compared if term not in wanted.terms), key=repr)[: len(wanted.variables)]
    terms = (*wanted.terms, *new)
    fixed = [number for number, term in enumerate(terms) if not isinstance(term, Variable)]
    apart = {(one, other) for one, other in product(fixed, repeat=2) if one < other}
    return replace(wanted, terms=terms, distinct=wanted.distinct | apart)


def _instance(wanted: Pattern, classes: Sequence[int], own: frozenset[Term]) -> Instance:
    """The body as a dataset under this identification, with names that are no constants of the rule or the encoder."""
    constants = {classes[i]: term for i, term in enumerate(wanted.terms) if not isinstance(term, Variable)}
    taken = own | {*constants.values()}
    fresh = (name for name in readable_names() if name not in taken)
    used = dict.fromkeys(classes[term] for _, terms in (wanted.head, *wanted.atoms) for term in terms)
    names = {number: constants[number] if number in constants else next(fresh) for number in used}
    facts = [Atom(name, tuple(names[classes[term]] for term in terms)) for name, terms in wanted.atoms]
    return Instance(Dataset.from_facts(facts), Atom(wanted.head[0], tuple(names[classes[t]] for t in wanted.head[1])))


def _minimal(derive: Operator, rule: Rule, instance: Instance) -> Instance:
    """The same without facts that the rule can do without; the operator, being monotone, derives the head even less."""
    program, kept = Program((rule,)), list(instance.dataset)
    for fact in instance.dataset:
        fewer = Dataset.from_facts([other for other in kept if other != fact])
        if instance.fact in reference.run(program, fewer) and instance.fact not in derive(fewer):
            kept = list(fewer)
    return Instance(Dataset.from_facts(kept), instance.fact)
