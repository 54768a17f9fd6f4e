"""What became of the rules of a network that training started from, on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isolog.cli.output import say
from isolog.datalog.printer import print_rule
from isolog.facts.text import print_atom

if TYPE_CHECKING:
    from isolog.correspondence.rule_diff import RuleDiff


def print_changes(rules: RuleDiff, quiet: bool) -> None:
    """The rules, a line each, and remarks on what is lost, not decided or not complete."""
    if str(rules):
        print(rules)
    for result in rules.lost:
        if result.fact is not None:
            shown = ", ".join(map(print_atom, result.counterexample or ()))
            say(f"on {{{shown}}} {print_atom(result.fact)} is no longer derived: {print_rule(result.rule)}", quiet)
    if not rules.complete:
        say("not complete: there may be more rules, before or after; `isolog extract` shows more", quiet)
