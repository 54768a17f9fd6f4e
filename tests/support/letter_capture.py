"""Lemma 1 by the letter: a rule is captured iff the head is derived from every instance of its body."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from isolog.datalog.substitution import substitute, substitute_atom
from isolog.datalog.syntax import Inequality, Rule, rule_variables
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.terms import Term


def captured_by_the_letter(derive: Operator, rule: Rule, constants: Iterable[Term] = ()) -> bool:
    """Whether the operator derives the head from the body under all values of the variables that matter: as many
    terms of no meaning as there are variables, the constants of the rule, and those that the operator knows."""
    variables = rule_variables(rule)
    literals = (rule.head, *rule.body_atoms)
    own = {term for atom in literals for term in atom.arguments if term not in variables}
    values = [*dict.fromkeys([*(f"v{number}" for number in range(len(variables))), *sorted(own, key=repr), *constants])]
    return all(
        _is_derived(derive, rule, dict(zip(variables, chosen, strict=True)))
        for chosen in product(values, repeat=len(variables))
    )


def _is_derived(derive: Operator, rule: Rule, values: dict[Term, Term]) -> bool:
    apart = [each for each in rule.body if isinstance(each, Inequality)]
    if any(substitute(each.left, values.__getitem__) == substitute(each.right, values.__getitem__) for each in apart):
        return True
    body = Dataset.from_facts(substitute_atom(atom, values.__getitem__) for atom in rule.body_atoms)
    return substitute_atom(rule.head, values.__getitem__) in derive(body)
