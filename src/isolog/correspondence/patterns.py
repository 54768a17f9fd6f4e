"""Rules as Lemma 1 reads them: atoms and inequalities over numbered terms, with `#count` written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from isolog.datalog.scope import scoped
from isolog.datalog.substitution import rename_literal
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Rule, literal_variables
from isolog.errors import Finding, LimitError
from isolog.facts.terms import Atom, Term, Variable, is_ground

MOST_VARIABLES = 1_000
NumberedAtom = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule whose atoms and inequalities hold the positions of their terms in `terms`; pairs are in order.

    Constants are like variables that differ from one another: what a network derives does not depend on the names
    of constants, so Lemma 1, which is stated for rules without them, holds of rules with them too.
    """

    terms: tuple[Term, ...]
    head: NumberedAtom
    atoms: tuple[NumberedAtom, ...]
    distinct: frozenset[tuple[int, int]]

    @property
    def can_fire(self) -> bool:
        """Whether no term has to differ from itself, so that some dataset matches the body."""
        return all(left != right for left, right in self.distinct)

    @property
    def mentioned(self) -> frozenset[int]:
        """The terms of the body's atoms: a match makes them terms of the dataset."""
        return frozenset(term for _, arguments in self.atoms for term in arguments)

    @property
    def variables(self) -> frozenset[int]:
        """The terms that are not constants of the rule."""
        return frozenset(number for number, term in enumerate(self.terms) if isinstance(term, Variable))

    @property
    def constants(self) -> frozenset[Term]:
        """The constants of the rule."""
        return frozenset(term for term in self.terms if not isinstance(term, Variable))

    def may_coincide(self, left: int, right: int) -> bool:
        """Whether no inequality keeps the two terms apart."""
        return (min(left, right), max(left, right)) not in self.distinct


def pattern(rule: Rule) -> Pattern:
    """The rule, which has been checked, as a pattern.

    >>> from isolog.datalog.parser import parse_rule
    >>> two = pattern(parse_rule("U(X) :- #count{Y : r(X, Y)} >= 2."))
    >>> two.atoms, two.distinct
    ((('r', (0, 1)), ('r', (0, 2))), frozenset({(1, 2)}))
    """
    explicit = scoped(rule)
    body = list(_written_out(explicit.rule.body, explicit.outer))
    atoms = [explicit.rule.head, *(literal for literal in body if isinstance(literal, Atom))]
    sides = [(literal.left, literal.right) for literal in body if isinstance(literal, Inequality)]
    terms = [*(term for atom in atoms for term in atom.arguments), *(term for pair in sides for term in pair)]
    numbers = {term: number for number, term in enumerate(dict.fromkeys(terms))}
    head, *numbered = [(atom.name, tuple(numbers[term] for term in atom.arguments)) for atom in atoms]
    pairs = [(numbers[left], numbers[right]) for left, right in sides]
    pairs += combinations((number for term, number in numbers.items() if is_ground(term)), 2)
    return Pattern(tuple(numbers), head, tuple(numbered), frozenset((min(pair), max(pair)) for pair in pairs))


def _written_out(body: Sequence[BodyLiteral], outer: Mapping[Count, Sequence[Variable]]) -> Iterator[BodyLiteral]:
    """The body with every count as so many copies of its inside and inequalities between the counted variables."""
    for literal in body:
        if not isinstance(literal, Count):
            yield literal
            continue
        inside = list(_written_out(literal.body, outer))
        local = {literal.variable, *(v for each in inside for v in literal_variables(each))} - {*outer[literal]}
        variables = literal.at_least * len(local)
        if variables > MOST_VARIABLES:
            message = f"`#count` stands for {variables:,} variables; the limit is {MOST_VARIABLES:,}"
            hint = "counts over the neighbours of one variable, which make tree-like rules, may be larger"
            raise LimitError(Finding("E432", message, literal.span, hint))
        copies = [{v: Variable(f"{v.name}#{n}") for v in local} for n in range(literal.at_least)]
        for names in copies:
            yield from (rename_literal(each, lambda v, names=names: names.get(v, v)) for each in inside)
        counted = [names[literal.variable] for names in copies]
        yield from (Inequality(one, other) for one, other in combinations(counted, 2))
