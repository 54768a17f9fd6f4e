"""Which rules over the user's predicates imply which, as far as a substitution shows it, and rules without repetition.

Literals map to literals, inequalities to inequalities, `not` to `not`. A substitution that is found proves the
implication; with inequalities there may be implications that no single one shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from isolog.correspondence.unify import Bindings
from isolog.datalog.substitution import substitute_atom
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule, literal_variables
from isolog.facts.terms import Atom, Predicate, Term, Variable

MOST_STEPS = 2_000


class Definitions:
    """Rules of auxiliary predicates: atoms of theirs that follow from a body are true wherever it is.

    Rules that say that a predicate is symmetric are among them where that is so case by case.
    """

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.predicates: set[Predicate] = set()
        self.universal: set[Predicate] = set()
        self.readers: dict[Predicate, list[Rule]] = {}
        for rule in rules:
            self.add(rule)

    @classmethod
    def of(cls, program: Program) -> Definitions:
        """The definitions in a program of auxiliary predicates without `not` and counts, and what is symmetric."""
        found = cls(rule for rule in program if all(isinstance(each, Atom | Inequality) for each in rule.body))
        for predicate in dict.fromkeys(rule.head.predicate for rule in program if rule.head.predicate.arity == 2):
            ways = [rule for rule in program if rule.head.predicate == predicate]
            turned = [Atom(predicate.name, rule.head.arguments[::-1]) for rule in ways]
            if all(rule.body and atom in found.closure(rule.body) for rule, atom in zip(ways, turned, strict=True)):
                x, y = Variable("X"), Variable("Y")
                found.add(Rule(Atom(predicate.name, (y, x)), (Atom(predicate.name, (x, y)),)))
        return found

    def add(self, rule: Rule) -> None:
        """Adds a rule; those without a body say that the head holds of all terms of the data."""
        self.predicates.add(rule.head.predicate)
        if not rule.body:
            self.universal.add(rule.head.predicate)
        for predicate in {atom.predicate for atom in rule.body_atoms}:
            self.readers.setdefault(predicate, []).append(rule)

    def closure(self, body: Iterable[BodyLiteral]) -> list[BodyLiteral]:
        """The body with the auxiliary atoms that follow from it."""
        found = dict.fromkeys(body)
        waiting = [literal for literal in found if isinstance(literal, Atom)]
        while waiting:
            fact = waiting.pop()
            for rule in self.readers.get(fact.predicate, ()):
                facts = [fact] if len(rule.body) == 1 else list(found)
                for bindings in matches(rule.body, facts, {}):
                    atom = substitute_atom(rule.head, bindings.__getitem__)
                    if atom not in found:
                        found[atom] = None
                        waiting.append(atom)
        return list(found)


def matches(body: Sequence[BodyLiteral], facts: Sequence[BodyLiteral], bindings: Bindings) -> Iterator[Bindings]:
    """The substitutions of the variables of the body that make each literal one of the facts.

    Variables of the facts are constants. The search gives up after a while; what it has found stays right.
    """
    atoms: dict[Predicate, list[tuple[Term, ...]]] = {}
    for fact in facts:
        if isinstance(fact, Atom):
            atoms.setdefault(fact.predicate, []).append(fact.arguments)
    others: set[BodyLiteral] = {fact for fact in facts if not isinstance(fact, Atom)}
    goals = [literal for literal in body if isinstance(literal, Atom)]
    tests = [literal for literal in body if not isinstance(literal, Atom)]
    steps = [0]

    def search(goals: Sequence[Atom], bound: Bindings) -> Iterator[Bindings]:
        steps[0] += 1
        if steps[0] > MOST_STEPS:
            return
        if not goals:
            if all(_holds(test, bound, others) for test in tests):
                yield bound
            return
        chosen = max(goals, key=lambda goal: sum(_is_known(term, bound) for term in goal.arguments))
        left = [goal for goal in goals if goal is not chosen]
        for row in atoms.get(chosen.predicate, ()):
            extended = _extended(chosen.arguments, row, bound)
            if extended is not None:
                yield from search(left, extended)

    yield from search(goals, bindings)


def _is_known(term: Term, bound: Bindings) -> bool:
    return not isinstance(term, Variable) or term in bound


def _extended(patterns: Sequence[Term], row: Sequence[Term], bound: Bindings) -> Bindings | None:
    found = dict(bound)
    for pattern, term in zip(patterns, row, strict=True):
        if isinstance(pattern, Variable):
            if found.setdefault(pattern, term) != term:
                return None
        elif pattern != term:
            return None
    return found


def _holds(test: BodyLiteral, bound: Bindings, facts: set[BodyLiteral]) -> bool:
    if any(variable not in bound for variable in literal_variables(test)):
        return False
    match test:
        case Inequality():
            left, right = (bound[t] if isinstance(t, Variable) else t for t in (test.left, test.right))
            if not isinstance(left, Variable) and not isinstance(right, Variable):
                return left != right
            return Inequality(left, right) in facts or Inequality(right, left) in facts
        case Negation():
            arguments = tuple(bound[t] if isinstance(t, Variable) else t for t in test.atom.arguments)
            return Negation(Atom(test.atom.name, arguments)) in facts
        case _:
            return False


def implies(stronger: Rule, weaker: Rule, definitions: Definitions) -> bool:
    """Whether a substitution shows that the second rule derives all that the first one does."""
    if stronger.head.predicate != weaker.head.predicate:
        return False
    bound = _extended(weaker.head.arguments, stronger.head.arguments, {})
    if bound is None or any(isinstance(literal, Count) for literal in weaker.body):
        return False
    facts = definitions.closure(stronger.body)
    mentioned = {term for fact in facts if isinstance(fact, Atom) for term in fact.arguments}
    safe = {v for atom in weaker.body_atoms for v in literal_variables(atom)}
    if any(not isinstance(t, Variable) and t not in mentioned for v, t in bound.items() if v not in safe):
        return False
    return next(matches(weaker.body, facts, bound), None) is not None


def simplified(rule: Rule, definitions: Definitions) -> Rule:
    """The rule without body atoms that the others imply, auxiliary ones before the user's."""
    body = list(dict.fromkeys(rule.body))
    own = definitions.predicates
    for atom in sorted((each for each in body if isinstance(each, Atom)), key=lambda atom: atom.predicate not in own):
        fewer = _without(rule.head, body, atom)
        if atom.predicate in definitions.universal:
            droppable = _says_nothing(atom, rule.head, body)
        elif atom.predicate in own and atom in definitions.closure(fewer):
            droppable, fewer = True, [literal for literal in body if literal != atom]
        else:
            counts = any(isinstance(literal, Count) for literal in body)
            droppable = not counts and implies(Rule(rule.head, tuple(fewer)), Rule(rule.head, tuple(body)), definitions)
        if droppable:
            body = fewer if atom.predicate not in definitions.universal else [each for each in body if each != atom]
    return Rule(rule.head, tuple(body), rule.span)


def _says_nothing(atom: Atom, head: Atom, body: Sequence[BodyLiteral]) -> bool:
    """Whether a rule may do without an atom that holds of all terms of the data."""
    others = [literal for literal in body if isinstance(literal, Atom) and literal != atom]
    mentioned = {term for other in others for term in other.arguments}
    tested = {v for literal in body if isinstance(literal, Negation | Count) for v in literal_variables(literal)}
    has_data = bool(others) or any(isinstance(term, Variable) for term in head.arguments)
    return has_data and all(t in mentioned or (isinstance(t, Variable) and t not in tested) for t in atom.arguments)


def _without(head: Atom, body: Sequence[BodyLiteral], atom: Atom) -> list[BodyLiteral]:
    """The body without the atom, and without what is said of variables that then occur in no atom."""
    others = [literal for literal in body if isinstance(literal, Atom) and literal != atom]
    gone = {*literal_variables(atom)} - {v for each in (head, *others) for v in literal_variables(each)}
    return [
        each for each in body if each != atom and (isinstance(each, Atom) or gone.isdisjoint(literal_variables(each)))
    ]


def irredundant(rules: Iterable[Rule], definitions: Definitions) -> list[Rule]:
    """The rules without those that another one implies; of equal ones the shortest and first stays."""
    order = sorted(dict.fromkeys(rules), key=lambda rule: (len(rule.body_atoms), len(rule.body)))
    reads = [{atom.predicate for atom in rule.body_atoms} for rule in order]
    gives = [{f.predicate for f in definitions.closure(rule.body) if isinstance(f, Atom)} for rule in order]
    kept: list[int] = []
    for place, rule in enumerate(order):
        if not any(reads[other] <= gives[place] and implies(rule, order[other], definitions) for other in kept):
            less = {o for o in kept if reads[place] <= gives[o] and implies(order[o], rule, definitions)}
            kept = [*(other for other in kept if other not in less), place]
    return [order[place] for place in kept]
