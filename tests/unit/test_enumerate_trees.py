"""Enumerating tree-like formulas: all of them, each once, the smallest first."""

from itertools import islice

import pytest

from isolog.datalog.count_trees import count_formulas
from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.printer import print_rule
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TOP, TreeClass, TreeRule, is_d_f_tree_like

CLASSES = [
    TreeClass(tuple("UV"[:unary]), tuple("rs"[:colours]), d, f, inequalities)
    for unary, colours, d, f in [
        (1, 1, 1, 1), (1, 1, 2, 1), (1, 1, 1, 3), (2, 1, 1, 2), (1, 2, 1, 2), (0, 1, 3, 1), (0, 2, 2, 1), (2, 0, 2, 2),
        (1, 1, 3, 0), (2, 2, 0, 3), (1, 2, 2, 1),
    ]
    for inequalities in (True, False)
]  # fmt: skip


@pytest.mark.parametrize("trees", CLASSES, ids=str)
def test_all_formulas_once_in_increasing_size(trees: TreeClass) -> None:
    formulas = list(tree_formulas(trees))
    assert len(formulas) == len(set(formulas)) == count_formulas(trees)
    assert [formula.atoms for formula in formulas] == sorted(formula.atoms for formula in formulas)
    assert all(is_d_f_tree_like(formula, trees.depth, trees.fan_out) for formula in formulas)
    assert trees.inequalities or not any(formula.inequalities for formula in formulas)
    for depth in range(trees.depth + 1):
        assert sum(formula.depth <= depth for formula in formulas) == count_formulas(trees, depth)


def test_the_six_smallest_class() -> None:
    rules = [to_rule(TreeRule("U", body)) for body in tree_formulas(TreeClass(("U",), ("r",), depth=1, fan_out=1))]
    assert set(map(print_rule, rules)) == {
        "U(X) :- true.",
        "U(X) :- U(X).",
        "U(X) :- r(X, Y).",
        "U(X) :- U(X), r(X, Y).",
        "U(X) :- r(X, Y), U(Y).",
        "U(X) :- U(X), r(X, Y), U(Y).",
    }


def test_a_class_too_large_to_hold_begins_at_once() -> None:
    first = list(islice(tree_formulas(TreeClass(("U",), ("r",), depth=3, fan_out=10**6)), 1000))
    assert first[0] == TOP and first[-1].atoms >= 5 and len(set(first)) == 1000
