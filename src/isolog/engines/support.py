"""How each rule of a program fares on data: what it derives on its own, and how much of that is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from isolog.datalog.checks import check
from isolog.datalog.printer import print_rule
from isolog.datalog.syntax import Program, Rule
from isolog.engines.engine import Engine, Options
from isolog.engines.reference import Reference
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Predicate

_BATCH = 25


@dataclass(frozen=True, slots=True)
class RuleSupport:
    """One rule: the facts that it derives, those among them that are not in the data, and those that are true."""

    rule: str
    derived: int
    new: int
    correct: int

    @property
    def precision(self) -> float | None:
        """The share of true facts among those derived; nothing for a rule that derives none."""
        return self.correct / self.derived if self.derived else None


def support(
    program: Program,
    dataset: Dataset,
    *,
    truth: Dataset | None = None,
    engine: Engine | None = None,
    ignore_unknown: bool = False,
) -> tuple[RuleSupport, ...]:
    """For each rule but auxiliary ones what it derives in one round; true is what `truth` says, else the data.

    The engine runs a few rules at a time, each with a head of its own.

    >>> from isolog.datalog.parser import parse
    >>> data = Dataset.from_facts([Atom("r", ("a", "b")), Atom("r", ("b", "c")), Atom("s", ("a", "b"))])
    >>> [(each.derived, each.new, each.precision) for each in support(parse("s(X, Y) :- r(X, Y)."), data)]
    [(2, 1, 0.5)]
    """
    check(program)
    engine, options = engine or Reference(), Options(ignore_unknown=ignore_unknown)
    auxiliary = [rule for rule in program if rule.head.predicate in program.auxiliary]
    rules = [rule for rule in program if rule.head.predicate not in program.auxiliary]
    found: list[RuleSupport] = []
    for start in range(0, len(rules), _BATCH):
        batch = rules[start : start + _BATCH]
        apart = [Rule(Atom(f"rule {number}", rule.head.arguments), rule.body) for number, rule in enumerate(batch)]
        derived = engine.run(replace(program, rules=(*auxiliary, *apart)), dataset, options)
        found += _of_batch(batch, derived, dataset, truth)
    return tuple(found)


def _of_batch(rules: Sequence[Rule], derived: Dataset, given: Dataset, truth: Dataset | None) -> Iterator[RuleSupport]:
    """The counts, with what each rule derived under the name that its head has."""
    for number, rule in enumerate(rules):
        head = rule.head.predicate
        table = derived.tables.get(Predicate(f"rule {number}", head.arity))
        if table is None:
            yield RuleSupport(print_rule(rule), 0, 0, 0)
            continue
        own = Dataset.from_tables(derived.vocabulary, {head: table})
        new = len(own - given.only([head]))
        correct = len(own) - new if truth is None else len(own & truth.only([head]))
        yield RuleSupport(print_rule(rule), len(own), new, correct)
