"""From the facts that explain a derivation to the most general rule with those atoms that the network captures.

With one variable per constant and inequalities between all of them, a match of the facts is a copy of them, so a
monotone network that derives the fact from these facts captures the rule. Constants that the encoding knows by name
stay, and variables differ from those and from whatever the encoding compares with. Then constants, inequalities and
repeated variables go, one after the other, as long as the capture test allows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import TypeAlias

from isolog.datalog.syntax import Inequality, Rule, rule_variables
from isolog.facts.terms import Atom, Term, Variable

Captured: TypeAlias = Callable[[Rule], bool]
Place: TypeAlias = tuple[int, int]
"""An argument of a rule: the number of the atom, the head being 0, and of the argument."""
_LETTERS = "XYZWVUTSRQPONMLKJIHGFEDCBA"


@dataclass(frozen=True, slots=True)
class Known:
    """The constants that an encoding knows by name, and those of them that it compares with."""

    constants: frozenset[Term] = frozenset()
    compared: frozenset[Term] = frozenset()


def frozen_rule(fact: Atom, facts: Iterable[Atom], known: Known) -> Rule:
    """The rule with the facts as body, one variable per constant that the encoding does not know, all distinct."""
    found = list(facts)
    terms = list(dict.fromkeys(term for each in (fact, *found) for term in each.arguments))
    variables = {term: Variable(name) for term, name in zip((t for t in terms if t not in known.constants), _names())}
    image = {term: variables.get(term, term) for term in terms}
    fixed = [term for term in terms if term in known.constants]
    fixed += sorted(known.compared - {*fixed}, key=repr)

    def renamed(atom: Atom) -> Atom:
        return Atom(atom.name, tuple(image[term] for term in atom.arguments))

    apart = [Inequality(one, other) for one, other in combinations(variables.values(), 2)]
    apart += [Inequality(one, other) for one in variables.values() for other in fixed]
    return Rule(renamed(fact), (*map(renamed, found), *apart))


def general_rule(rule: Rule, captured: Captured) -> Rule:
    """The captured rule made more general where that is captured, too: fewer constants, inequalities, repetitions."""

    def accepted(candidate: Rule) -> bool:
        inside = {term for atom in candidate.body_atoms for term in atom.arguments}
        return inside.issuperset(candidate.head.arguments) and captured(candidate)

    for term in dict.fromkeys(_at(rule, place) for place in _places(rule)):
        if not isinstance(term, Variable):
            everywhere = [place for place in _places(rule) if _at(rule, place) == term]
            rule = next(filter(accepted, _split(rule, everywhere)), rule)
    rule = _without(rule, _inequalities(rule), captured)
    for place in _places(rule):
        if [_at(rule, other) for other in _places(rule)].count(_at(rule, place)) > 1:
            rule = next(filter(accepted, _split(rule, [place])), rule)
    return _without(rule, _inequalities(rule), captured)


def _without(rule: Rule, some: Sequence[Inequality], captured: Captured) -> Rule:
    """The rule without those of these inequalities that it does not need, tried in order; halves are tried at once."""
    if not some:
        return rule
    fewer = Rule(rule.head, tuple(literal for literal in rule.body if literal not in some))
    if captured(fewer):
        return fewer
    if len(some) == 1:
        return rule
    middle = len(some) // 2
    return _without(_without(rule, some[:middle], captured), some[middle:], captured)


def _split(rule: Rule, places: Collection[Place]) -> Iterator[Rule]:
    """The rules with a new variable at the places: without a condition, and different from what the old term was."""
    old = _at(rule, next(iter(places)))
    new = next(v for name in _names() if (v := Variable(name)) not in rule_variables(rule))
    head, *body = [
        Atom(atom.name, tuple(new if (i, j) in places else term for j, term in enumerate(atom.arguments)))
        for i, atom in enumerate((rule.head, *rule.body_atoms))
    ]
    apart = _inequalities(rule)
    yield Rule(head, (*body, *apart))
    others = [each.left if each.right == old else each.right for each in apart if old in (each.left, each.right)]
    if others:
        yield Rule(head, (*body, *apart, *(Inequality(new, other) for other in others)))


def _places(rule: Rule) -> list[Place]:
    return [(i, j) for i, atom in enumerate((rule.head, *rule.body_atoms)) for j in range(len(atom.arguments))]


def _at(rule: Rule, place: Place) -> Term:
    return (rule.head, *rule.body_atoms)[place[0]].arguments[place[1]]


def _inequalities(rule: Rule) -> list[Inequality]:
    return [literal for literal in rule.body if isinstance(literal, Inequality)]


def _names() -> Iterable[str]:
    yield from _LETTERS
    yield from (f"X{number}" for number in count(1))
