"""Derived facts with their explanations, many of them: side by side, and one general rule for facts of one shape."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from isolog.correspondence.explain import Explainer, Reason
from isolog.correspondence.wording import readable
from isolog.datalog.printer import print_rule
from isolog.facts.terms import Atom
from isolog.facts.text import print_atom
from isolog.report.build import FactRow

PER_FACT = 0.1
_TOGETHER = 400


def explained(
    explainer: Explainer,
    facts: Sequence[Atom],
    seconds: float,
    known: Callable[[Atom], str],
    per_fact: float = PER_FACT,
) -> list[FactRow]:
    """A row for each of the facts, in order, until the seconds are over; the first few hundred are always there."""
    end = time.monotonic() + seconds
    rules: dict[str, str] = {}
    rows: list[FactRow] = []
    for start in range(0, len(facts), _TOGETHER):
        if start and time.monotonic() > end:
            break
        for reason in explainer.smallest(facts[start : start + _TOGETHER], per_fact):
            if reason is not None:
                shown = tuple(map(print_atom, reason.facts))
                rule = _rule(explainer, reason, rules)
                rows.append(FactRow(print_atom(reason.fact), rule, shown, reason.minimal, known(reason.fact)))
    return rows


def _rule(explainer: Explainer, reason: Reason, rules: dict[str, str]) -> str:
    """The general rule of the facts; those that differ only in names share it."""
    shape = print_rule(readable(explainer.frozen(reason.fact, reason.facts)))
    if shape not in rules:
        rules[shape] = print_rule(readable(explainer.rule(reason.fact, reason.facts)))
    return rules[shape]
