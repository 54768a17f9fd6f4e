"""Scopes: which part of a rule a variable belongs to."""

import pytest

from isolog.datalog.parser import parse_rule
from isolog.datalog.printer import print_rule
from isolog.datalog.scope import scoped
from isolog.datalog.syntax import Count, Rule
from isolog.facts.terms import Atom, Variable


@pytest.mark.parametrize(
    ("rule", "apart"),
    [
        ("p(X) :- r(X, Y), not q(Y, _).", "p(X) :- r(X, Y), not q(Y, _)."),
        ("p(X) :- r(X, _), r(_, X).", "p(X) :- r(X, _1), r(_2, X)."),
        ("p(X) :- r(X, _), r(_1, X).", "p(X) :- r(X, _2), r(_1, X)."),
        ("p(X) :- q(X), X != _.", "p(X) :- q(X), X != _1."),
        (
            "p(X) :- #count{Y : r(X, Y)} >= 2, #count{Y : s(X, Y)} >= 2.",
            "p(X) :- #count{Y : r(X, Y)} >= 2, #count{Y1 : s(X, Y1)} >= 2.",
        ),
        (
            "p(X) :- #count{Y : t(X, Y, _), not q(Y, _)} >= 2, q(Y1, X).",
            "p(X) :- #count{Y : t(X, Y, _1), not q(Y, _)} >= 2, q(Y1, X).",
        ),
        (
            "p(X) :- #count{Y : r(X, Y), #count{Z : s(Y, Z)} >= 2} >= 2, #count{Z : r(Z, X)} >= 1.",
            "p(X) :- #count{Y : r(X, Y), #count{Z : s(Y, Z)} >= 2} >= 2, #count{Z1 : r(Z1, X)} >= 1.",
        ),
        (
            "p(X) :- #count{Y : #count{Z : r(Z, Y)} >= 1} >= 2, #count{Y : #count{Z : r(Z, Y)} >= 1} >= 3.",
            "p(X) :- #count{Y : #count{Z : r(Z, Y)} >= 1} >= 2, #count{Y1 : #count{Z1 : r(Z1, Y1)} >= 1} >= 3.",
        ),
    ],
)
def test_names_change_where_scopes_share_them(rule: str, apart: str) -> None:
    assert print_rule(scoped(parse_rule(rule)).rule) == apart


@pytest.mark.parametrize(
    ("rule", "unsafe"),
    [
        ("p(X, Y) :- q(X)", "Y"),
        ("p(X) :- q(X), X != Z", "Z"),
        ("p(X) :- true", "X"),
        ("p(X) :- u(g(X, Y))", ""),
        ("p(X) :- #count{Y : r(X, Y)} >= 2", ""),
        ("p(X) :- #count{Y : q(X), Y != Z} >= 2", "Y Z"),
        ("p(X) :- q(X), #count{Y : #count{Z : r(Y, Z)} >= 2, not q(Y)} >= 2", ""),
    ],
)
def test_unsafe_variables_are_in_no_positive_atom(rule: str, unsafe: str) -> None:
    assert sorted(variable.name for variable in scoped(parse_rule(rule)).unsafe) == unsafe.split()


@pytest.mark.parametrize(
    ("rule", "outer"),
    [
        ("p(X) :- #count{Y : r(X, Y), s(Y, Z)} >= 2", {"Y": "X"}),
        ("p(X) :- #count{Y : r(X, Y), s(Y, Z)} >= 2, X != Z", {"Y": "X Z"}),
        ("p(X) :- #count{Y : r(X, Y), s(Y, Z)} >= 2, #count{V : q(V, Z)} >= 2", {"Y": "X Z", "V": "Z"}),
        ("p(X) :- #count{Y : r(Y, W), #count{Z : t(Y, Z, W, V)} >= 2} >= 2", {"Y": "", "Z": "Y W"}),
        (
            "p :- #count{Y : #count{Z : t(Y, Z, W)} >= 2, #count{V : t(Y, V, W)} >= 2} >= 2",
            {"Y": "", "Z": "Y W", "V": "Y W"},
        ),
    ],
)
def test_variables_bound_from_outside_a_count(rule: str, outer: dict[str, str]) -> None:
    found = scoped(parse_rule(rule)).outer
    assert {count.variable.name: " ".join(v.name for v in around) for count, around in found.items()} == outer


def test_an_anonymous_head_variable_and_counted_variable_have_names_after_all() -> None:
    """The parser refuses both, but programs are also built without it."""
    anonymous = Variable("_")
    rule = Rule(Atom("p", (anonymous,)), (Count(anonymous, (Atom("q", (anonymous,)),), 2),))
    assert print_rule(scoped(rule).rule) == "p(_1) :- #count{_2 : q(_3)} >= 2."
