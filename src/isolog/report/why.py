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
    """A row for each of the facts, in order, until the seconds are over; the first few hundred are always there.

    As many seconds again go into general rules. After that a rule says that its variables are all distinct, which it
    may not need; the row says so.
    """
    reasons = _reasons(explainer, facts, seconds, per_fact)
    end = time.monotonic() + seconds
    rows: list[FactRow] = []
    for fact, found, minimal in ((each.fact, each.facts, each.minimal) for each in reasons):
        general = explainer.has_rule(fact, found) or time.monotonic() < end
        rule = explainer.rule(fact, found) if general else explainer.frozen(fact, found)
        shown = tuple(map(print_atom, found))
        rows.append(FactRow(print_atom(fact), print_rule(readable(rule)), shown, minimal, known(fact), general))
    return rows


def _reasons(explainer: Explainer, facts: Sequence[Atom], seconds: float, per_fact: float) -> list[Reason]:
    end = time.monotonic() + seconds
    found: list[Reason] = []
    for start in range(0, len(facts), _TOGETHER):
        if start and time.monotonic() > end:
            break
        chunk = facts[start : start + _TOGETHER]
        for fact, reason in zip(chunk, explainer.smallest(chunk, per_fact), strict=True):
            assert reason is not None, f"{print_atom(fact)} is not derived"
            found.append(reason)
    return found
