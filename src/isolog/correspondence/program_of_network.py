"""Thm. 3 and 5 by the letter: P_N, all captured tree-like rules within the theorem's bounds on depth and fan-out.

The number of rules to test explodes with the bounds: it is what other extractions are checked against.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import compress

from isolog.correspondence.capacity import capacity
from isolog.correspondence.capture import captures_tree_rules
from isolog.datalog.count_trees import describe_count, has_more_formulas
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.syntax import Program
from isolog.datalog.tree_implication import reduced
from isolog.datalog.tree_rules import to_program
from isolog.datalog.treelike import TreeClass, TreeRule
from isolog.errors import Finding, LimitError
from isolog.facts.signature import Signature
from isolog.networks.classes import class_report, require_monotonic
from isolog.networks.network import Network

MOST_RULES = 100_000


@dataclass(frozen=True)
class ProgramOfNetwork:
    """The rules with bodies in `trees` that the network captures, the smallest first; `tested` rules were tried.

    If `is_complete`, the bounds are at least those of the theorem, and the rules are equivalent to the network.
    """

    signature: Signature
    rules: tuple[TreeRule, ...]
    trees: TreeClass
    tested: int
    is_complete: bool

    @property
    def program(self) -> Program:
        """The rules as a program over the network's canonical signature."""
        return to_program(self.rules, self.signature)

    @cached_property
    def reduced_rules(self) -> tuple[TreeRule, ...]:
        """An equivalent part of the rules, in which none is implied by the others."""
        return reduced(self.rules)

    @property
    def reduced_program(self) -> Program:
        """The same as a program."""
        return to_program(self.reduced_rules, self.signature)


def program_of_network(
    network: Network, *, depth: int | None = None, fan_out: int | None = None, most_rules: int = MOST_RULES
) -> ProgramOfNetwork:
    """P_N within the theorem's bounds, or within those given; more than `most_rules` rules to test are a LimitError.

    >>> from isolog.datalog.printer import print_program
    >>> from isolog.networks.network import Layer
    >>> network = Network.canonical(Signature.of(["U"], ["r"]), [Layer.from_fractions([[0]], [[[1]]], [0])])
    >>> print(print_program(program_of_network(network).reduced_program), end="")
    @signature U/1, r/2.
    U(X) :- r(X, Y), U(Y).
    """
    theorem = theorem_class(network)
    d = theorem.depth if depth is None else depth
    f = theorem.fan_out if fan_out is None else fan_out
    trees = TreeClass(theorem.unary, theorem.colours, d, f, theorem.inequalities)
    heads = len(trees.unary)
    if has_more_formulas(trees, most_rules, heads):
        message = f"P_N needs {describe_count(trees, heads)} rules with ({d},{f})-tree-like bodies to be tested"
        hint = "`extract` finds an equivalent program without testing rules"
        raise LimitError(Finding("E412", f"{message}; the limit is {most_rules:,}", hint=hint))
    candidates = [TreeRule(head, body) for body in tree_formulas(trees) for head in trees.unary]
    captured = tuple(compress(candidates, captures_tree_rules(network, candidates)))
    signature = Signature.of(trees.unary, trees.colours)
    within = d >= theorem.depth and f >= theorem.fan_out
    return ProgramOfNetwork(signature, captured, trees, len(candidates), is_complete=within)


def theorem_class(network: Network) -> TreeClass:
    """The bodies that suffice: d = L, f = |Col|·δ_N·C_N (Thm. 3), or f = |Col|·δ_N without inequalities (Thm. 5)."""
    require_monotonic(network)
    by_max = class_report(network).is_monotonic_max
    fan_out = len(network.colours) * max(network.dimensions) * (1 if by_max else capacity(network).capacity)
    return TreeClass(network.features, network.colours, len(network.layers), fan_out, inequalities=not by_max)
