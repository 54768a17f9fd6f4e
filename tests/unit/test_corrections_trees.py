"""Two places where the printed paper is wrong about tree-like formulas, each with its smallest example.

The printed versions exist here alone.
"""

from dataclasses import replace

import numpy as np

from isolog.correspondence.network_of_program import NetworkOfProgram, network_of_program
from isolog.datalog.count_trees import theorem_bound
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.parser import parse
from isolog.datalog.tree_rules import tree_rules
from isolog.datalog.treelike import TreeClass
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.network import Network
from support.trees import derived, predicted

RULES = tree_rules(parse("U(X) :- U(X), E(X, Y), U(Y)."))
HALF_THE_BODY = Dataset.from_facts([Atom("E", ("a", "b")), Atom("U", ("b",))])


def as_printed(made: NetworkOfProgram) -> Network:
    """N_P with `(B^l_c)_{i,j} = 1` for every unit i of layers 2 ≤ l < L whose formula has τ_j as a c-child."""
    formulas = sorted(tree_formulas(made.trees), key=lambda formula: formula.depth)
    layers = list(made.network.layers)
    for number in range(1, len(layers) - 1):
        B = tuple(np.zeros_like(matrix) for matrix in layers[number].B)
        for i, formula in enumerate(formulas[: layers[number].units]):
            for group in formula.groups:
                for child in group.children:
                    B[made.network.colours.index(group.colour)][i, formulas.index(child)] = 1
        layers[number] = replace(layers[number], B=B)
    return replace(made.network, layers=tuple(layers))


def test_copied_units_must_not_look_at_neighbours() -> None:
    """§5, (B^l_c)_{i,j}: with d = 2 a formula of depth 1 is copied once, and then half of it is enough."""
    made = network_of_program(RULES, Signature.of(["U"], ["E"]), depth=2, fan_out=1)
    assert derived(RULES, HALF_THE_BODY) == predicted(made.network, HALF_THE_BODY) == Dataset.empty()
    assert predicted(as_printed(made), HALF_THE_BODY) == Dataset.from_facts([Atom("U", ("a",))])


def test_the_printed_network_is_right_when_nothing_is_copied_that_has_children() -> None:
    """The example is the smallest: with d = 1 the two constructions are the same network."""
    made = network_of_program(RULES, Signature.of(["U"], ["E"]), depth=1, fan_out=1)
    for mine, theirs in zip(made.network.layers, as_printed(made).layers, strict=True):
        assert all(np.array_equal(one, other) for one, other in zip(mine.B, theirs.B, strict=True))


def printed_bound(trees: TreeClass) -> int:
    """Thm. 6: (|Col|·2^δ)^(f^d·(d+1)!), for d = 1."""
    return (len(trees.colours) * 2 ** len(trees.unary)) ** (trees.fan_out * 2)


def test_the_printed_bound_forgets_that_variables_may_be_absent() -> None:
    """Thm. 6: of the six formulas over U and E with d = f = 1 the bound admits four."""
    trees = TreeClass(("U",), ("E",), depth=1, fan_out=1, inequalities=False)
    formulas = list(tree_formulas(trees))
    assert len(formulas) == 6
    assert printed_bound(trees) == 4
    assert theorem_bound(trees) == 6
