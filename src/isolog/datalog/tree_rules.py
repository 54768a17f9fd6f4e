"""Programs of tree-like rules (Def. 9): read from rules, and written as rules with named variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from isolog.datalog.recognise import recognise, why_not_tree_like
from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Program, Rule
from isolog.datalog.treelike import TreeFormula, TreeRule
from isolog.errors import Findings, UnsupportedError
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Variable

LEAST_COUNT = 3
_BY_DEPTH = "XYZWVUTSRQPONMLKJIHGFEDCBA"


def tree_rules(program: Program) -> tuple[TreeRule, ...]:
    """The rules of the program as tree-like rules; an error with every reason if some of them are not."""
    findings = Findings()
    for rule in program:
        for finding in why_not_tree_like(rule):
            findings.add(finding.code, finding.message, finding.span, finding.hint)
    findings.raise_any(UnsupportedError)
    return tuple(map(recognise, program))


def to_program(rules: Iterable[TreeRule], signature: Signature | None = None, *, counts: bool = True) -> Program:
    """The program of these rules, in this order."""
    return Program(tuple(to_rule(rule, counts=counts) for rule in rules), signature=signature)


def to_rule(rule: TreeRule, *, counts: bool = True) -> Rule:
    """The rule with the root `X`, its children `Y` or `Y1`, `Y2`, …, theirs `Z`, and so on.

    With `counts`, a group of three or more equal children is a `#count`; inequalities are written out otherwise.

    >>> from isolog.datalog.printer import print_rule
    >>> from isolog.datalog.treelike import TOP, group, tree_formula
    >>> print_rule(to_rule(TreeRule("U", tree_formula(["A"], [group("r", TOP, TOP)]))))
    'U(X) :- A(X), r(X, Y1), r(X, Y2), Y1 != Y2.'
    """
    used: Counter[str] = Counter()

    def new(depth: int) -> Variable:
        letter = _letter(depth)
        used[letter] += 1
        return Variable(f"{letter}{used[letter]}")

    def literals(formula: TreeFormula, variable: Variable, depth: int) -> Iterator[BodyLiteral]:
        yield from (Atom(label, (variable,)) for label in formula.labels)
        for group in formula.groups:
            least, most = group.children[0], group.children[-1]
            counted = counts and len(group.children) >= LEAST_COUNT and least == most
            siblings: list[Variable] = []
            for child in [least] if counted else group.children:
                siblings.append(new(depth + 1))
                inner = Atom(group.colour, (variable, siblings[-1])), *literals(child, siblings[-1], depth + 1)
                yield from [Count(siblings[-1], inner, len(group.children))] if counted else inner
            yield from (Inequality(one, other) for one, other in combinations(siblings, 2))

    root = new(0)
    written = Rule(Atom(rule.head, (root,)), tuple(literals(rule.body, root, 0)))
    alone = {Variable(f"{letter}1"): Variable(letter) for letter, times in used.items() if times == 1}
    return rename_rule(written, lambda variable: alone.get(variable, variable))


def _letter(depth: int) -> str:
    """What the names of the variables of this depth begin with."""
    return _BY_DEPTH[depth] if depth < len(_BY_DEPTH) else f"X{depth}_"
