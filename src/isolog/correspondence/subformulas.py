"""From programs to networks with one unit per sub-formula of the program (§5, restricted to what occurs).

The size is linear in that of the program times its depth, where the construction by the letter has a unit per
formula that could occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from isolog.correspondence.formula_network import formula_network, own_part
from isolog.datalog.treelike import TOP, TreeFormula, TreeRule
from isolog.facts.signature import Signature
from isolog.networks.network import Network


def subformula_network(rules: Sequence[TreeRule], signature: Signature) -> Network:
    """The monotonic max network that is equivalent to the rules, which must have no inequalities.

    >>> from isolog.datalog.treelike import group, tree_formula
    >>> rule = TreeRule("U", tree_formula([], [group("r", tree_formula(["A"]))]))
    >>> subformula_network([rule], Signature.of(["U", "A"], ["r"])).dimensions
    (2, 2, 1, 2)
    """
    return formula_network(signature, units_by_layer([rule.body for rule in rules]), rules)


def units_by_layer(bodies: Iterable[TreeFormula]) -> list[list[TreeFormula]]:
    """The sub-formulas that layers 1, …, d+1 hold, smaller ones first.

    A formula of depth e is computed in layer e+1 from its labels and children in layer e, and carried on to the
    last layer in which it is needed; bodies are needed in layer d+1. Without bodies there is ⊤ alone.
    """
    wanted = list(bodies) or [TOP]
    layers = 1 + max(body.depth for body in wanted)
    last = dict.fromkeys(wanted, layers)
    pending = list(last)
    while pending:
        formula = pending.pop()
        depth = formula.depth
        for part in (own_part(formula), *formula.children) if depth else ():
            if part not in last:
                pending.append(part)
            last[part] = max(depth, last.get(part, 0))
    ordered = sorted(last, key=lambda formula: (formula.depth, formula.atoms, formula))
    return [[each for each in ordered if each.depth < layer <= last[each]] for layer in range(1, layers + 1)]
