"""From the facts that explain a derivation to the most general rule with those atoms that the network captures.

With one variable per constant and inequalities between all of them, a match of the facts is a copy of them, so a
monotone network that derives the fact from these facts captures the rule. Then inequalities go, one after the other,
as long as the capture test allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, count
from typing import TypeAlias

from isolog.datalog.syntax import Inequality, Rule
from isolog.facts.terms import Atom, Term, Variable

Captured: TypeAlias = Callable[[Rule], bool]
_LETTERS = "XYZWVUTSRQPONMLKJIHGFEDCBA"


def frozen_rule(fact: Atom, facts: Iterable[Atom], constants: Sequence[Term] = ()) -> Rule:
    """The rule with the facts as body, one variable per constant, all pairwise distinct; some constants may stay."""
    found = list(facts)
    terms = dict.fromkeys(term for each in (fact, *found) for term in each.arguments)
    variables = {term: Variable(name) for term, name in zip((t for t in terms if t not in constants), _names())}
    image = {term: variables.get(term, term) for term in terms}

    def renamed(atom: Atom) -> Atom:
        return Atom(atom.name, tuple(image[term] for term in atom.arguments))

    body = [renamed(each) for each in found]
    apart = [Inequality(one, other) for one, other in combinations(variables.values(), 2)]
    return Rule(renamed(fact), (*body, *apart))


def general_rule(rule: Rule, captured: Captured) -> Rule:
    """The rule without the inequalities that it does not need, tried in order."""
    atoms = [literal for literal in rule.body if not isinstance(literal, Inequality)]
    apart = [literal for literal in rule.body if isinstance(literal, Inequality)]
    if captured(Rule(rule.head, tuple(atoms))):
        return Rule(rule.head, tuple(atoms))
    for inequality in list(apart):
        fewer = [other for other in apart if other is not inequality]
        if captured(Rule(rule.head, (*atoms, *fewer))):
            apart = fewer
    return Rule(rule.head, (*atoms, *apart))


def _names() -> Iterable[str]:
    yield from _LETTERS
    yield from (f"X{number}" for number in count(1))
