"""Tree-like formulas: one value per class of formulas that are equal up to variable renaming."""

import pytest

from isolog.datalog.parser import parse_rule
from isolog.datalog.recognise import recognise
from isolog.datalog.treelike import TOP, TreeFormula, group, is_d_f_tree_like, least_fan_out, tree_formula

A, B = tree_formula(["A"]), tree_formula(["B"])
NESTED = tree_formula(["C"], [group("r", A, B), group("s", tree_formula([], [group("r", TOP)]))])


def body(text: str) -> TreeFormula:
    return recognise(parse_rule(f"U(X) :- {text}")).body


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A(X), B(X)", "B(X), A(X), A(X)"),
        ("r(X, Y), r(X, Z), A(Y)", "A(Z), r(X, Z), r(X, Y)"),
        ("r(X, Y), A(Y), r(X, Z), B(Z), Y != Z", "r(X, P), r(X, Q), Q != P, A(Q), B(P)"),
        ("r(X, Y), s(Y, Z), s(X, Z1)", "s(X, Y), r(X, Z1), s(Z1, Z)"),
    ],
)
def test_equal_up_to_renaming(one: str, other: str) -> None:
    assert body(one) == body(other) and hash(body(one)) == hash(body(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("r(X, Y)", "s(X, Y)"),
        ("r(X, Y), r(X, Z)", "r(X, Y)"),
        ("r(X, Y), r(X, Z)", "r(X, Y), r(X, Z), Y != Z"),
        ("r(X, Y), A(Y), B(Y)", "r(X, Y), A(Y), r(X, Z), B(Z)"),
        ("r(X, Y), r(X, Z), r(X, V), Y != Z, A(Y)", "r(X, Y), r(X, Z), r(X, V), Y != Z, A(V)"),
    ],
)
def test_different(one: str, other: str) -> None:
    assert body(one) != body(other)


def test_labels_are_a_set_in_order() -> None:
    assert tree_formula("HCAGBDFEAC").labels == tuple("ABCDEFGH")


def test_a_group_without_children_says_nothing() -> None:
    assert tree_formula([], [group("r")]) == TOP


def test_sizes() -> None:
    assert (NESTED.atoms, NESTED.variables, NESTED.inequalities) == (7, 5, 1)
    assert (NESTED.depth, NESTED.fan_out, NESTED.children) == (2, 3, (A, B, tree_formula([], [group("r", TOP)])))
    assert (TOP.atoms, TOP.variables, TOP.inequalities, TOP.depth, TOP.fan_out) == (0, 1, 0, 0, 0)


def test_inequalities_are_counted_at_all_depths() -> None:
    three = tree_formula([], [group("r", A, A, B)])
    assert tree_formula([], [group("r", three, TOP), group("s", three)]).inequalities == 7


@pytest.mark.parametrize(
    ("d", "f", "expected"),
    [(2, 2, True), (2, 1, False), (1, 9, False), (3, 1, True), (0, 9, False)],
)
def test_bounds_on_depth_and_fan_out(d: int, f: int, expected: bool) -> None:
    assert is_d_f_tree_like(NESTED, d, f) is expected


def test_the_fan_out_shrinks_with_depth() -> None:
    wide_below = tree_formula([], [group("r", tree_formula([], [group("r", TOP), group("r", TOP), group("r", TOP)]))])
    assert not is_d_f_tree_like(wide_below, 2, 2) and is_d_f_tree_like(wide_below, 3, 2)
    assert least_fan_out(wide_below, 2) == 3 and least_fan_out(wide_below, 3) == 2


@pytest.mark.parametrize("d", [0, 1, 4])
def test_without_children_no_fan_out_is_needed(d: int) -> None:
    assert least_fan_out(A, d) == 0 and is_d_f_tree_like(A, d, 0)
