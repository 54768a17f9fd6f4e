"""Normal forms of rules: equal exactly for rules that are equal up to variable renaming."""

from itertools import combinations
from random import Random

import pytest

from isolog.datalog.labelling import canonical_order
from isolog.datalog.normal import normal_form
from isolog.datalog.parser import parse_rule
from isolog.datalog.printer import print_rule
from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Rule, rule_variables
from isolog.facts.terms import Atom, Variable


def form(rule: str) -> str:
    """The normal form of a rule, as text."""
    return print_rule(normal_form(parse_rule(rule)))


def test_the_variables_of_the_head_come_first() -> None:
    assert form("p(Z, A) :- r(M, Z), not q(A, _), A != a, #count{N : r(M, N)} >= 2.") == (
        "p(X1, X2) :- r(X3, X1), not q(X2, _), #count{X4 : r(X3, X4)} >= 2, X2 != a."
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("p(X) :- r(X, Y), q(Y)", "p(A) :- q(B), r(A, B)"),
        ("p(X) :- r(X, Y), r(X, Y)", "p(X) :- r(X, Y)"),
        ("p(X) :- r(X, _)", "p(X) :- r(X, Y)"),
        ("p(X) :- q(X), X != Y", "p(Y) :- q(Y), X != Y"),
        ("p(X) :- q(X), f(X) != g(X, a)", "p(Y) :- q(Y), g(Y, a) != f(Y)"),
        ("p(X) :- q(X), X != a, a != X", "p(X) :- q(X), a != X"),
        ("p(X) :- q(X), not r(X, _), not r(X, _)", "p(Y) :- q(Y), not r(Y, _)"),
        ("p(X) :- #count{Y : r(X, Y), s(Y, Z)} >= 2", "p(Z) :- #count{X : s(X, _), r(Z, X)} >= 2"),
        ("p(X) :- #count{Y : r(X, Y)} >= 2, #count{Z : r(X, Z)} >= 2", "p(X) :- #count{Y : r(X, Y)} >= 2"),
        ("p(X) :- #count{Y : r(X, Y), r(X, Y)} >= 2", "p(X) :- #count{Y : r(X, Y)} >= 2"),
        (
            "p(X) :- #count{Y : #count{Z : r(Y, Z)} >= 2, #count{W : r(Y, W)} >= 2, s(X, Y)} >= 2",
            "p(X) :- #count{Y : s(X, Y), #count{Y1 : r(Y, Y1)} >= 2} >= 2",
        ),
        (
            "p :- #count{Y : r(Y, Z)} >= 2, #count{Y : r(Y, Z)} >= 2, #count{Y : r(Y, Z)} >= 2",
            "p :- #count{A : r(A, Z)} >= 2, #count{B : r(B, Z)} >= 2",
        ),
        ("p(X, Y) :- r(X, Z), r(Y, W)", "p(X, Y) :- r(Y, Z), r(X, W)"),
    ],
)
def test_equal_rules(one: str, other: str) -> None:
    assert form(one) == form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("p(X) :- r(X, Y)", "p(Y) :- r(X, Y)"),
        ("p(X) :- r(X, Y)", "p(X) :- r(X, X)"),
        ("p(X) :- r(X, Y)", "p(X) :- r(X, a)"),
        ("p(X) :- r(X, a)", 'p(X) :- r(X, "a")'),
        ("p(X) :- r(X, Y), r(X, Z)", "p(X) :- r(X, Y)"),
        ("p(X) :- r(X, _), r(X, _)", "p(X) :- r(X, _)"),
        ("p(X) :- r(X, Y), not q(Y)", "p(X) :- r(X, Y), q(Y)"),
        ("p(X) :- q(X), not r(X, _)", "p(X) :- q(X), not r(_, X)"),
        ("p(X, Y) :- q(X), q(Y)", "p(X, X) :- q(X), q(Y)"),
        ("p(X) :- #count{Y : r(X, Y)} >= 2", "p(X) :- #count{Y : r(X, Y)} >= 3"),
        ("p(X) :- #count{Y : r(Y, Z), s(Z, X)} >= 2", "p(X) :- #count{Z : r(Y, Z), s(Z, X)} >= 2"),
        ("p(X) :- #count{Y : r(X, Y), s(Y, Z)} >= 2, q(Z)", "p(X) :- #count{Y : r(X, Y), s(Y, Z)} >= 2, q(W)"),
        ("p :- #count{Y : r(Y, Z)} >= 2, #count{Y : r(Y, Z)} >= 2", "p :- #count{Y : r(Y, Z)} >= 2"),
        (
            "p(X) :- #count{Y : r(X, Y), s(Y)} >= 2, #count{Y : r(X, Y), q(Y)} >= 2",
            "p(X) :- #count{Y : r(X, Y), s(Y), q(Y)} >= 2, #count{Y : r(X, Y)} >= 2",
        ),
        ("p(X) :- u(g(X, Y))", "p(X) :- u(g(Y, X))"),
        ("p(X) :- r(X, Y), r(Y, Z), r(Z, X)", "p(X) :- r(X, Y), r(Y, Z), r(X, Z)"),
    ],
)
def test_different_rules(one: str, other: str) -> None:
    assert form(one) != form(other)


def names(letter: str, number: int) -> list[Variable]:
    """So many variables."""
    return [Variable(f"{letter}{n}") for n in range(number)]


X, Y, Z = Variable("X"), names("Y", 20), names("Z", 20)
CUBE = [Inequality(Y[a], Y[a ^ bit]) for a in range(8) for bit in (1, 2, 4)]
TWISTED = [Inequality(Y[a], Y[(a + step) % 8]) for a in range(8) for step in (1, 4)]
HEXAGONS = [Atom("r", (Y[n], Y[n // 6 * 6 + (n + 1) % 6])) for n in range(12)]
TRIANGLES = [Atom("r", (Y[n], Y[n // 3 * 3 + (n + 1) % 3])) for n in range(12)]
MIXED = [*HEXAGONS[:6], *TRIANGLES[6:]]
SYMMETRIC: dict[str, list[BodyLiteral]] = {
    "twelve distinct neighbours": [
        *(Atom("r", (X, y)) for y in Y[:12]),
        *(Inequality(a, b) for a, b in combinations(Y[:12], 2)),
    ],
    "twenty neighbours": [Atom("r", (X, y)) for y in Y],
    "ten branches": [Atom(*pair) for y, z in zip(Y[:10], Z) for pair in (("r", (X, y)), ("s", (y, z)))],
    "twenty separate edges": [Atom("r", pair) for pair in zip(Y, Z)],
    "a cycle": [Atom("r", (Y[n], Y[n - 1])) for n in range(20)],
    "ten counts": [Count(y, (Atom("r", (X, y)), Atom("s", (y, z))), 2) for n, (y, z) in enumerate(zip(Y[:10], Z))],
    "ten counts that share variables": [
        Count(y, (Atom("r", (z, y)),), 2) for n, y in enumerate(Y) for z in Z[n % 10 : n % 10 + 1]
    ],
    "a cube": [*CUBE],
    "a twisted cube": [*TWISTED],
    "hexagons": [*HEXAGONS],
    "triangles": [*TRIANGLES],
    "a hexagon and triangles": [*MIXED],
}


@pytest.mark.parametrize("body", SYMMETRIC.values(), ids=SYMMETRIC)
def test_symmetric_bodies_written_differently(body: list[BodyLiteral]) -> None:
    rule = Rule(Atom("p", (X,)), tuple(body))
    expected = normal_form(rule)
    for seed in range(3):
        random = Random(seed)
        variables = list(rule_variables(rule))
        renaming = dict(zip(variables, random.sample(variables, len(variables))))
        renamed = rename_rule(rule, renaming.__getitem__)
        shuffled = random.sample(renamed.body, len(renamed.body))
        assert normal_form(Rule(renamed.head, tuple(shuffled))) == expected


def test_regular_bodies_are_told_apart() -> None:
    bodies = [CUBE, TWISTED, HEXAGONS, TRIANGLES, MIXED]
    assert len({normal_form(Rule(Atom("p"), tuple(body))) for body in bodies}) == len(bodies)


def test_a_structure_without_points() -> None:
    assert canonical_order([("true", ())]) == []
    assert normal_form(parse_rule("p :- q")) == parse_rule("p :- q")
    assert normal_form(parse_rule("p :- true")) == parse_rule("p :- true")
