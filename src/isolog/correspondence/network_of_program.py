"""§5, Thm. 6: the network N_P of a program of tree-like rules without inequalities, by the letter.

It has a unit for each (d,f)-tree-like formula, whether the program mentions it or not: an oracle for tests, and
too large for anything but tiny signatures. `subformulas` makes networks that are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from isolog.correspondence.formula_network import formula_network
from isolog.datalog.count_trees import count_formulas, describe_count, has_more_formulas, theorem_bound
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.printer import print_rule
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeClass, TreeRule, least_fan_out
from isolog.errors import Finding, Findings, LimitError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.network import Network
from isolog.source import Span

MOST_UNITS = 1_000


@dataclass(frozen=True, slots=True)
class NetworkOfProgram:
    """N_P, the class of the formulas that its units stand for, and the bound of Thm. 6 on δ_{L−1}, corrected."""

    network: Network
    trees: TreeClass
    bound: int


def network_of_program(
    rules: Sequence[TreeRule],
    signature: Signature,
    *,
    depth: int = 0,
    fan_out: int = 0,
    most_units: int = MOST_UNITS,
) -> NetworkOfProgram:
    """N_P for the least d ≥ `depth` and f ≥ `fan_out` for which all rules are (d,f)-tree-like.

    The rules must have no inequalities. More than `most_units` units in a layer are a LimitError that says how
    many there would be.

    >>> from isolog.datalog.treelike import group, tree_formula
    >>> rule = TreeRule("U", tree_formula(["U"], [group("E", tree_formula(["U"]))]))
    >>> made = network_of_program([rule], Signature.of(["U"], ["E"]))
    >>> made.network.dimensions, made.bound
    ((1, 2, 6, 1), 6)
    """
    reject_counting(rules)
    d = max([depth, *(rule.body.depth for rule in rules)])
    f = max([fan_out, *(least_fan_out(rule.body, d) for rule in rules)])
    trees = TreeClass(signature.unary, signature.binary, d, f, inequalities=False)
    if has_more_formulas(trees, most_units):
        units = f"{describe_count(trees)} units, one for each ({d},{f})-tree-like formula"
        hint = "the construction `subformulas` has units for the formulas that occur in the program alone"
        raise LimitError(Finding("E413", f"layer {d + 1} would have {units}; the limit is {most_units:,}", hint=hint))
    formulas = sorted(tree_formulas(trees), key=lambda formula: formula.depth)
    sizes = [count_formulas(trees, up_to) for up_to in range(d + 1)]
    network = formula_network(signature, [formulas[:size] for size in sizes], rules)
    return NetworkOfProgram(network, trees, theorem_bound(trees))


def reject_counting(rules: Iterable[TreeRule], spans: Iterable[Span | None] = ()) -> None:
    """Raises an error that names the rules with inequalities, where there are such."""
    findings = Findings()
    for rule, span in zip_longest(rules, spans):
        if rule.body.inequalities:
            message = f"max aggregation cannot count, and `{print_rule(to_rule(rule))}` needs distinct neighbours"
            hint = "the construction `subformulas` makes networks that sum over neighbours, too"
            findings.add("E255", message, span, hint)
    findings.raise_any(UnsupportedError)
