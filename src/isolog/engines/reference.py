"""The reference engine: what a program derives (paper §2, T_P; stratified least models), naive and obviously right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from isolog.datalog.checks import Rounds
from isolog.datalog.scope import ScopedRule, scoped
from isolog.datalog.stratify import auxiliary_dependencies, dependencies, strata
from isolog.datalog.syntax import Program, Rule
from isolog.engines.engine import MAX_TERM_DEPTH, Engine, Options
from isolog.engines.fact_index import Binding, FactIndex
from isolog.engines.limits import too_deep
from isolog.engines.matching import consequences, substitutions
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.terms import Atom, Predicate, term_depth


class Reference(Engine):
    """Rules are matched fact by fact; what this engine derives is what a program means."""

    name: ClassVar[str] = "reference"

    def derive(self, program: Program, dataset: Dataset, options: Options) -> Dataset:
        """One round reads the dataset and the auxiliary facts; the least model grows from the dataset."""
        facts = FactIndex((f for f in dataset if f.predicate not in program.auxiliary), dataset.terms)
        if options.rounds == 1:
            return Dataset.from_facts(_one_round(program, facts))
        deepest = max(map(term_depth, dataset.terms), default=0)
        return Dataset.from_facts(_least_model(program, facts, deepest + options.max_term_depth))


def run(
    program: Program,
    dataset: Dataset,
    *,
    rounds: Rounds = 1,
    ignore_unknown: bool = False,
    max_term_depth: int = MAX_TERM_DEPTH,
) -> Dataset:
    """The facts that the program derives from the dataset, also those that the dataset has; no auxiliary ones.

    >>> from isolog.datalog.parser import parse
    >>> friends = Dataset.from_facts([Atom("friend", ("ann", "bob"))])
    >>> [fact.arguments for fact in run(parse("friend(X, Y) :- friend(Y, X)."), friends)]
    [('bob', 'ann')]
    """
    return Reference().run(program, dataset, Options(rounds, ignore_unknown, max_term_depth))


def operator(
    program: Program,
    *,
    rounds: Rounds = 1,
    ignore_unknown: bool = False,
    max_term_depth: int = MAX_TERM_DEPTH,
) -> Operator:
    """The program as a function from datasets to datasets."""
    return Reference().operator(program, Options(rounds, ignore_unknown, max_term_depth))


def derivations(rule: Rule, dataset: Dataset) -> Iterator[Binding]:
    """The substitutions for which the body of the rule is true in the dataset, each once.

    They bind the variables of `scoped(rule)` that are not local to a count, among them one for each `_`.

    >>> from isolog.datalog.parser import parse_rule
    >>> family = Dataset.from_facts([Atom("parent", ("ann", "bob")), Atom("parent", ("ann", "eve"))])
    >>> [[*binding.values()] for binding in derivations(parse_rule("p(X) :- parent(X, Y)"), family)]
    [['ann', 'bob'], ['ann', 'eve']]
    """
    return substitutions(scoped(rule), FactIndex(dataset, dataset.terms))


def _one_round(program: Program, facts: FactIndex) -> Iterator[Atom]:
    """T_P: auxiliary facts are added to the others, each after those that it depends on; what follows is not."""
    rules = _by_head(program)
    for predicates in strata(program.auxiliary, auxiliary_dependencies(program)):
        facts.add([*_round(rules, predicates, facts)])
    return _round(rules, rules.keys() - program.auxiliary, facts)


def _least_model(program: Program, facts: FactIndex, deepest: int) -> Iterable[Atom]:
    """What the rules derive in the least model of program and facts, stratum by stratum, round by round."""
    rules = _by_head(program)
    derived: dict[Atom, None] = {}
    rounds = 0
    for predicates in strata(rules, dependencies(program)):
        grows = not predicates.isdisjoint(rules)
        while grows:
            rounds += 1
            found: list[Atom] = []
            for fact in _round(rules, predicates, facts):
                if any(term_depth(term) > deepest for term in fact.arguments):
                    raise too_deep(fact.predicate, deepest, rounds, len(derived))
                found.append(fact)
            data = [fact for fact in found if fact.predicate not in program.auxiliary]
            derived.update(dict.fromkeys(data))
            facts.terms.update(dict.fromkeys(term for fact in data for term in fact.arguments))
            grows = facts.add(found) > 0
    return derived


def _by_head(program: Program) -> dict[Predicate, list[ScopedRule]]:
    rules: dict[Predicate, list[ScopedRule]] = {}
    for rule in program.rules:
        rules.setdefault(rule.head.predicate, []).append(scoped(rule))
    return rules


def _round(rules: Mapping[Predicate, list[ScopedRule]], heads: Iterable[Predicate], facts: FactIndex) -> Iterator[Atom]:
    return (fact for head in sorted(heads) for rule in rules.get(head, ()) for fact in consequences(rule, facts))
