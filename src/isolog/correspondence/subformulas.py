"""From programs to ReLU networks with one unit per sub-formula of the program (§5, restricted to what occurs).

The size is linear in that of the program times its layers, where the construction by the letter has a unit per
formula that could occur. Groups of n equal children are counted by max-n-sum, so each pair of a depth and a size
of groups has a layer of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from isolog.correspondence.formula_network import formula_network, largest_group, rest_of
from isolog.datalog.treelike import TOP, TreeFormula, TreeRule
from isolog.facts.signature import Signature
from isolog.networks.network import Network


def subformula_network(rules: Sequence[TreeRule], signature: Signature) -> Network:
    """The monotonic max-sum network that is equivalent to the rules; the children of each group must be equal.

    >>> from isolog.datalog.treelike import group, tree_formula
    >>> rule = TreeRule("U", tree_formula([], [group("r", tree_formula(["A"]))]))
    >>> subformula_network([rule], Signature.of(["U", "A"], ["r"])).dimensions
    (2, 2, 1, 2)
    """
    return formula_network(signature, units_by_layer([rule.body for rule in rules]), rules)


def units_by_layer(bodies: Iterable[TreeFormula]) -> list[list[TreeFormula]]:
    """The sub-formulas that the layers hold, smaller ones first.

    A formula is computed in the layer of its depth and of the size of its largest groups, from the children of those
    and from the rest of it in the layer below, and carried on to the last layer in which it is needed; bodies are
    needed in the last layer of all. Without bodies there is ⊤ alone.
    """
    wanted = list(dict.fromkeys(bodies)) or [TOP]
    needed = list(wanted)
    parts: dict[TreeFormula, set[TreeFormula]] = {}
    for formula in needed:
        if formula not in parts:
            size = largest_group(formula)
            largest = [each.children[0] for each in formula.groups if len(each.children) == size]
            parts[formula] = {rest_of(formula), *largest} if formula.groups else set()
            needed += parts[formula]
    stages = sorted({_stage(formula) for formula in parts} | {(0, 0)})
    layer = {formula: stages.index(_stage(formula)) + 1 for formula in parts}
    last = dict.fromkeys(wanted, len(stages))
    for formula in sorted(parts, key=lambda each: -layer[each]):
        for part in parts[formula]:
            last[part] = max(layer[formula] - 1, last.get(part, 0))
    ordered = sorted(last, key=lambda formula: (formula.depth, formula.atoms, formula))
    return [[each for each in ordered if layer[each] <= n <= last[each]] for n in range(1, len(stages) + 1)]


def _stage(formula: TreeFormula) -> tuple[int, int]:
    return formula.depth, largest_group(formula)
