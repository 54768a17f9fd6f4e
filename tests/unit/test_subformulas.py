"""The sub-formula construction: which formulas each layer holds, and that it stays small."""

import pytest

from isolog.correspondence.subformulas import subformula_network, units_by_layer
from isolog.datalog.parser import parse
from isolog.datalog.tree_rules import tree_rules
from isolog.datalog.treelike import TOP, TreeFormula, TreeRule, group, tree_formula
from isolog.errors import LimitError
from isolog.facts.signature import Signature
from isolog.networks.classes import class_report

A, B = tree_formula(["A"]), tree_formula(["B"])
R_A = tree_formula([], [group("r", A)])
B_S_R_A = tree_formula(["B"], [group("s", R_A)])


def chain(length: int) -> TreeFormula:
    formula = TOP
    for _ in range(length):
        formula = tree_formula(["A"], [group("r", formula)])
    return formula


@pytest.mark.parametrize(
    ("bodies", "units"),
    [
        ([], [[TOP]]),
        ([TOP], [[TOP]]),
        ([A, B, A], [[A, B]]),
        ([R_A], [[TOP, A], [R_A]]),
        ([B_S_R_A], [[TOP, A, B], [B, R_A], [B_S_R_A]]),
        ([B_S_R_A, A], [[TOP, A, B], [A, B, R_A], [A, B_S_R_A]]),
        (
            [tree_formula([], [group("r", A), group("s", A)])],
            [[TOP, A], [tree_formula([], [group("r", A), group("s", A)])]],
        ),
    ],
)
def test_layers_hold_what_later_ones_need(bodies: list[TreeFormula], units: list[list[TreeFormula]]) -> None:
    assert units_by_layer(bodies) == units


def test_the_size_is_linear_in_the_program_times_its_depth() -> None:
    for length in (5, 10, 20):
        units = units_by_layer([chain(length)])
        assert len(units) == length + 1 and sum(map(len, units)) <= 2 * (length + 1) + length


def test_shared_formulas_are_one_unit() -> None:
    bodies = [tree_formula([label], [group("r", chain(3))]) for label in "BCDE"]
    units = units_by_layer(bodies)
    assert [len(layer) for layer in units] == [6, 6, 6, 5, 4]


def test_wide_programs_stay_small() -> None:
    text = "U(X) :- r(X, Y1), r(Y1, Z1), A(Z1), r(X, Y2), r(Y2, Z2), B(Z2), r(X, Y3), r(Y3, Z3), s(X, Y4), s(X, Y5)."
    network = subformula_network(tree_rules(parse(text)), Signature.of(["U", "A", "B"], ["r", "s"]))
    assert network.dimensions == (3, 3, 4, 1, 3)
    assert class_report(network).is_monotonic_max


def test_counts_have_layers_of_their_own() -> None:
    two, three = tree_formula([], [group("r", A, A)]), tree_formula([], [group("r", A, A, A)])
    both = tree_formula(["B"], [*two.groups, group("s", TOP, TOP, TOP)])
    units = units_by_layer([both, three])
    assert units == [[TOP, A, B], [TOP, A, tree_formula(["B"], two.groups)], [three, both]]
    rules = [TreeRule("U", both), TreeRule("U", three)]
    network = subformula_network(rules, Signature.of(["U", "A", "B"], ["r", "s"]))
    assert [layer.aggregation.k for layer in network.layers] == [1, 2, 3, 1]


def test_networks_too_large_for_memory_are_refused() -> None:
    bodies = [tree_formula([], [group("r", tree_formula([f"A{n}"]))]) for n in range(6000)]
    signature = Signature.of([f"A{n}" for n in range(6000)], ["r"])
    message = "E414 layers of up to 6,001 units have 216,024,000 weights; the limit is 100,000,000"
    with pytest.raises(LimitError, match=message):
        subformula_network([TreeRule("A0", body) for body in bodies], signature)
