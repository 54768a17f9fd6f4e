"""Counterexamples: no superfluous fact, readable constants, and what was merged is merged."""

import pytest

from isolog.correspondence.capture import captures
from isolog.datalog.parser import parse
from isolog.facts.signature import Signature
from isolog.facts.text import print_atom
from isolog.networks.network import SUM, Layer, Network

SIGNATURE = Signature.of(["A", "B", "U"], ["r", "s"])


def network(weight_of_r: int = 0, weight_of_a: int = 0) -> Network:
    """Derives U where the own A, and the A of r-neighbours, weighted and added up, come to 2."""
    none = [[0, 0, 0] for _ in range(3)]
    own, r = [*none[:2], [weight_of_a, 0, 0]], [*none[:2], [weight_of_r, 0, 0]]
    return Network.canonical(SIGNATURE, [Layer.from_fractions(own, [r, none], [0, 0, -1], SUM)])


def counterexample(text: str, of: Network) -> list[str]:
    """Facts, sorted, and last the fact that only the rule derives."""
    result = captures(of, text)
    assert result.counterexample is not None and result.fact is not None and not result.captured
    return [*sorted(map(print_atom, result.counterexample)), print_atom(result.fact)]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("U(X) :- r(X, Y1), r(X, Y2), B(Y2).", ["B(b)", "r(a, b)", "U(a)"]),
        ("U(X) :- r(X, Y1), r(X, Y2), B(Y2), Y1 != Y2.", ["B(c)", "r(a, b)", "r(a, c)", "U(a)"]),
        ("U(X) :- s(X, Y), s(Y, Z1), A(Z1), s(Y, Z2), A(Z2), B(Z2).", ["A(c)", "B(c)", "s(a, b)", "s(b, c)", "U(a)"]),
        ("U(X) :- r(X, Y1), r(X, Y2), B(Y2), s(X, Z).", ["B(b)", "r(a, b)", "s(a, c)", "U(a)"]),
        ("U(X) :- r(X, Y), s(X, Z).", ["r(a, b)", "s(a, c)", "U(a)"]),
        ("U(X) :- true.", ["r(b, a)", "U(a)"]),
        ("U(X) :- B(X).", ["B(a)", "U(a)"]),
    ],
)
def test_of_tree_like_rules(text: str, facts: list[str]) -> None:
    assert counterexample(text, network()) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("U(X) :- r(X, Y), r(Y, X), s(Y, Z).", ["r(a, b)", "r(b, a)", "s(b, c)", "U(a)"]),
        ("U(X) :- s(Y, X), s(Z, X), A(Z).", ["A(b)", "s(b, a)", "U(a)"]),
        ("U(X) :- s(Y, Z), B(Z).", ["B(b)", "r(c, a)", "s(d, b)", "U(a)"]),
        ("U(a) :- r(X, Y), B(Y).", ["B(b)", "r(c, b)", "U(a)"]),
        ("U(X) :- r(X, b), r(X, c), s(b, Y).", ["r(a, b)", "r(a, c)", "s(b, d)", "U(a)"]),
        ('U(X) :- r(X, "b"), r(X, Y), Y != "b".', ['r(a, "b")', "r(a, b)", "U(a)"]),
        ("U(X) :- A(X), X != Y.", ["A(a)", "r(b, c)", "U(a)"]),
        ("s(X, Y) :- r(X, Y), r(X, Z).", ["r(a, b)", "s(a, b)"]),
    ],
)
def test_of_other_rules(text: str, facts: list[str]) -> None:
    assert counterexample(text, network()) == facts


def test_variables_coincide_where_only_that_shows_it() -> None:
    tree_like, other = "U(X) :- r(X, Y), r(X, Z), A(Y), A(Z).", "U(X) :- r(X, Y), r(X, Z), A(Y), A(Z), s(Z, X)."
    assert counterexample(tree_like, network(weight_of_r=1)) == ["A(b)", "r(a, b)", "U(a)"]
    assert counterexample(other, network(weight_of_r=1)) == ["A(b)", "r(a, b)", "s(b, a)", "U(a)"]


def test_what_makes_the_network_derive_the_head_is_not_merged_in() -> None:
    """The sibling with A and the one with B: merged or not, the rule fires, and neither has the weight of two."""
    text = "U(X) :- r(X, Y), A(Y), r(X, Z), B(Z)."
    facts = counterexample(text, network(weight_of_r=1))
    assert facts in (["A(b)", "B(c)", "r(a, b)", "r(a, c)", "U(a)"], ["A(b)", "B(b)", "r(a, b)", "U(a)"])
    assert captures(network(weight_of_r=2), text).captured


def test_the_same_names_in_all_runs() -> None:
    rules = parse("U(X) :- r(X, Y), B(Y), s(Y, Z), A(Z). U(X) :- r(X, Y), r(Y, X), r(Y, Z).")
    for rule in rules:
        assert captures(network(), rule) == captures(network(), rule)
