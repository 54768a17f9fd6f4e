"""The rules of a side: a program's own, or the minimal tree-like rules of the concepts that it equals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from isolog.concepts.dag import Concepts
from isolog.concepts.flat import Head, flat_rules
from isolog.concepts.flat_rules import Budget, OutOfTime
from isolog.correspondence.shared_concepts import Heads, Vocabulary
from isolog.correspondence.tree_difference import Deadline
from isolog.datalog.printer import print_rule
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import Program, Rule
from isolog.datalog.tree_rules import to_rule
from isolog.errors import Finding, UnsupportedError
from isolog.facts.terms import Predicate
from isolog.graphs.sorts import one_sort


def rules_of_concepts(concepts: Concepts, heads: Heads, words: Vocabulary, deadline: Deadline) -> Iterator[Rule]:
    """The minimal tree-like rules of the concepts, the smaller before the larger; `OutOfTime` if not all are found.

    They are searched for up to ever larger sizes, so that the first can be tried before the last are known.
    """
    wanted = [Head(head.name, node) for head, node in sorted(heads.items())]
    sorts = one_sort(len(words.unary), len(words.binary))
    size, done = 2, -1
    while True:
        budget = Budget(max_atoms=size, seconds=deadline.left)
        found = flat_rules(concepts, wanted, sorts, (words.unary, words.binary), budget)
        yield from (to_rule(rule, counts=False) for rule in found.rules if rule.body.atoms > done)
        if found.complete:
            return
        if found.complete_up_to_atoms != size:
            raise OutOfTime
        size, done = 2 * size, size


def written_rules(program: Program, heads: Iterable[Predicate]) -> list[Rule]:
    """The rules of these heads as they stand; an error with every reason why Lemma 1 does not cover some."""
    wanted = set(heads)
    rules = [rule for rule in program if rule.head.predicate in wanted]
    findings = [finding for rule in rules for finding in _beyond(rule, program)]
    if findings:
        raise UnsupportedError(findings)
    return rules


def _beyond(rule: Rule, program: Program) -> Iterator[Finding]:
    for atom, _ in body_atoms(rule.body):
        if atom.predicate in program.auxiliary:
            hint = "write what it stands for in its place; auxiliary predicates are read in tree-like programs only"
            yield Finding(
                "E463", f"`{print_rule(rule)}` is not tree-like and reads `{atom.predicate}`", atom.span, hint
            )
