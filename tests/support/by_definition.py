"""What programs derive, by trying all substitutions (paper §2): slow, and without any idea of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from itertools import count as integers
from itertools import product

from isolog.datalog.substitution import rename_literal, rename_rule, substitute, substitute_atom
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule, literal_variables
from isolog.facts.terms import Atom, Function, Term, Variable

Values = dict[Variable, Term]


def one_round(program: Program, facts: Set[Atom], settled: Set[Atom] | None = None) -> set[Atom]:
    """T_P: what the rules derive that are not auxiliary. With `settled`, `not` asks those facts instead."""
    known = with_auxiliary(program, facts, settled)
    return _derived(program, known, facts, settled, auxiliary=False)


def with_auxiliary(program: Program, facts: Set[Atom], settled: Set[Atom] | None = None) -> set[Atom]:
    """The data, without facts that only share a name with auxiliary predicates, and the auxiliary facts.

    These are the ones that stay after as many rounds as there are auxiliary predicates: each round settles one more.
    """
    data = {fact for fact in facts if fact.predicate not in program.auxiliary}
    known = set(data)
    for _ in program.auxiliary:
        known = data | _derived(program, known, facts, settled, auxiliary=True)
    return known


def _derived(
    program: Program, known: set[Atom], facts: Set[Atom], settled: Set[Atom] | None, auxiliary: bool
) -> set[Atom]:
    terms = {term for fact in facts for term in fact.arguments}
    rules = [rule for rule in program.rules if (rule.head.predicate in program.auxiliary) == auxiliary]
    return {fact for rule in rules for fact in consequences(rule, known, terms, known if settled is None else settled)}


def consequences(rule: Rule, facts: Set[Atom], terms: Set[Term], settled: Set[Atom]) -> Iterator[Atom]:
    """T_r: the head under each substitution, of variables that are not local to a count, that makes the body true."""
    return _Trial(_apart(rule), facts, terms, settled).consequences()


class _Trial:
    """A rule, the facts that atoms are read from, the terms of the data, and the facts that `not` asks."""

    def __init__(self, rule: Rule, facts: Set[Atom], terms: Set[Term], settled: Set[Atom]) -> None:
        self.rule, self.facts, self.terms, self.settled = rule, facts, terms, settled
        self.subterms = {part for fact in facts | settled for term in fact.arguments for part in _parts(term)}
        self.occurrences = Counter(v for literal in (rule.head, *rule.body) for v in literal_variables(literal))
        self.matched = {v for atom in _positive_atoms(rule.body) for v in literal_variables(atom)}

    def consequences(self) -> Iterator[Atom]:
        """The heads for which the body is true."""
        for values in self.substitutions([self.rule.head, *self.rule.body], {}):
            if all(self.holds(literal, values) for literal in self.rule.body):
                yield substitute_atom(self.rule.head, values.__getitem__)

    def substitutions(self, literals: Iterable[BodyLiteral], values: Values) -> Iterator[Values]:
        """All values of the variables of the literals but those that occur in one count, or one `not`, alone."""
        own: set[Variable] = set()
        for literal in literals:
            inside = Counter(literal_variables(literal))
            closed = isinstance(literal, Count | Negation)
            own |= {v for v, times in inside.items() if not (closed and times == self.occurrences[v])}
        yield from self.all_values(own - values.keys(), values)

    def all_values(self, variables: Set[Variable], values: Values) -> Iterator[Values]:
        """All values: those in atoms may be any term or subterm, others the terms of the data."""
        ordered = sorted(variables, key=lambda variable: variable.name)
        ranges = [self.subterms if variable in self.matched else self.terms for variable in ordered]
        for chosen in product(*ranges):
            yield {**values, **dict(zip(ordered, chosen, strict=True))}

    def holds(self, literal: BodyLiteral, values: Values) -> bool:
        """Whether the literal is true."""
        match literal:
            case Atom():
                return substitute_atom(literal, values.__getitem__) in self.facts
            case Inequality():
                return substitute(literal.left, values.__getitem__) != substitute(literal.right, values.__getitem__)
            case Negation():
                unnamed = set(literal_variables(literal)) - values.keys()
                ways = product(self.subterms, repeat=len(unnamed))
                instances = (values | dict(zip(unnamed, way, strict=True)) for way in ways)
                return not any(substitute_atom(literal.atom, way.__getitem__) in self.settled for way in instances)
            case Count():
                counted = (v[literal.variable] for v in self.all_values({literal.variable}, {}))
                return sum(self.leaves(literal, {**values, literal.variable: y}) for y in counted) >= literal.at_least

    def leaves(self, count: Count, values: Values) -> bool:
        """Whether the body of the count is true for a value of its variable."""
        ways = self.substitutions(count.body, values)
        return any(all(self.holds(literal, way) for literal in count.body) for way in ways)


def _positive_atoms(literals: Iterable[BodyLiteral]) -> Iterator[Atom]:
    for literal in literals:
        if isinstance(literal, Atom):
            yield literal
        elif isinstance(literal, Count):
            yield from _positive_atoms(literal.body)


def _parts(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Function):
        for argument in term.arguments:
            yield from _parts(argument)


def _apart(rule: Rule) -> Rule:
    """Every `_` and every counted variable gets a name that nothing else has."""
    fresh = (Variable(f"V{number}") for number in integers())
    unnamed = rename_rule(rule, lambda variable: next(fresh) if variable.name == "_" else variable)
    return Rule(unnamed.head, tuple(_counted_apart(literal, fresh) for literal in unnamed.body))


def _counted_apart(literal: BodyLiteral, fresh: Iterator[Variable]) -> BodyLiteral:
    if not isinstance(literal, Count):
        return literal
    inner = tuple(_counted_apart(part, fresh) for part in literal.body)
    own = {literal.variable: next(fresh)}
    return rename_literal(
        Count(literal.variable, inner, literal.at_least), lambda variable: own.get(variable, variable)
    )
