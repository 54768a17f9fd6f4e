"""What changes from one network to another, as rules: gained, lost and kept (Def. 4 decides, on every dataset)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from isolog.correspondence.capture import CaptureResult, captures_all
from isolog.correspondence.extract import MOST_RULES, extract
from isolog.correspondence.extracted import Extracted
from isolog.correspondence.user_equivalence import written_out
from isolog.datalog.printer import print_rule
from isolog.datalog.syntax import Program, Rule
from isolog.errors import LimitError
from isolog.networks.network import Network
from isolog.networks.widen import widened

SECONDS = 60.0


@dataclass(frozen=True, eq=False, slots=True)
class RuleDiff:
    """The rules of the network before that the one after captures (kept) or not (lost, each with a dataset that shows
    it), and the rules of the one after that the one before does not capture (gained).

    `complete` says that the rules are all there are on both sides; `undecided` are rules for which the budget did not
    suffice.
    """

    gained: tuple[CaptureResult, ...]
    lost: tuple[CaptureResult, ...]
    kept: tuple[Rule, ...]
    undecided: tuple[Rule, ...]
    complete: bool

    def __str__(self) -> str:
        """A line for each rule: `+` gained, `-` lost, `=` kept, `?` undecided."""
        return "\n".join(f"{mark} {rule}" for mark, rules in zip("+-=?", self.texts().values()) for rule in rules)

    def texts(self) -> dict[str, list[str]]:
        """The rules as text, by what became of them."""
        gained, lost = ([result.rule for result in results] for results in (self.gained, self.lost))
        found = {"gained": gained, "lost": lost, "kept": self.kept, "undecided": self.undecided}
        return {what: list(map(print_rule, rules)) for what, rules in found.items()}


def rule_diff(before: Network, after: Network, *, max_rules: int = MOST_RULES, seconds: float = SECONDS) -> RuleDiff:
    """The difference between two networks under one encoding; predicates that one does not know are added to it.

    >>> from isolog.correspondence.compile import compile_program
    >>> from isolog.datalog.parser import parse
    >>> old, new = (compile_program(parse(text)) for text in ("U(X) :- A(X), B(X).", "U(X) :- A(X). B(X) :- U(X)."))
    >>> print(rule_diff(old, new))
    + B(X) :- U(X).
    + U(X) :- A(X).
    = U(X) :- A(X), B(X).
    """
    before, after = widened(before, after.signature), widened(after, before.signature)
    deadline = time.monotonic() + seconds
    programs = [extract(network, max_rules=max_rules, seconds=seconds / 4) for network in (before, after)]
    was, undecided = _captured(after, programs[0], deadline)
    new, unclear = _captured(before, programs[1], deadline)
    return RuleDiff(
        tuple(result for result in new if not result.captured),
        tuple(result for result in was if not result.captured),
        tuple(result.rule for result in was if result.captured),
        (*undecided, *unclear),
        all(program.complete for program in programs) and not undecided and not unclear,
    )


def _captured(network: Network, found: Extracted, deadline: float) -> tuple[list[CaptureResult], list[Rule]]:
    """Per rule of the program whether the network captures it, and the rules for which that is not decided."""
    results: list[CaptureResult] = []
    undecided: list[Rule] = []
    definitions, rules = _parted(found.program)
    for rule in rules:
        result = _result(network, rule, definitions, deadline)
        if result is None:
            undecided.append(rule)
        else:
            results.append(result)
    return results, undecided


def _parted(program: Program) -> tuple[Program, list[Rule]]:
    """The definitions of auxiliary predicates, and the other rules."""
    rules = [rule for rule in program if rule.head.predicate not in program.auxiliary]
    defining = tuple(rule for rule in program if rule.head.predicate in program.auxiliary)
    return replace(program, rules=defining), rules


def _result(network: Network, rule: Rule, definitions: Program, deadline: float) -> CaptureResult | None:
    """The result for a rule, whose auxiliary atoms stand for what defines them; None beyond a budget."""
    last: CaptureResult | None = None
    try:
        for variant in _variants(rule, definitions):
            if time.monotonic() > deadline:
                return None
            (last,) = captures_all(network, [variant])
            if not last.captured:
                break
    except LimitError:
        return None
    return None if last is None else replace(last, rule=rule)


def _variants(rule: Rule, definitions: Program) -> Iterator[Rule]:
    if any(atom.predicate in definitions.auxiliary for atom in rule.body_atoms):
        yield from written_out(replace(definitions, rules=(*definitions.rules, rule)))
    else:
        yield rule
