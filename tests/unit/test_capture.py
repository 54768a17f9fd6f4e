"""Capture as users ask for it: rules as text, coded errors, limits, and decisions that no rounding changes."""

import re
from fractions import Fraction

import numpy as np
import pytest

from isolog.correspondence.capture import captures, captures_all, captures_tree_rule, captures_tree_rules
from isolog.correspondence.lemma1 import failing_instance
from isolog.datalog.parser import parse, parse_rule
from isolog.datalog.treelike import TreeRule, group, tree_formula
from isolog.errors import InputError, IsologError, LimitError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Aggregation, EncodingName, Layer, MaxKSum, Network

SIGNATURE = Signature.of(["A", "U"], ["r"])


def counting(aggregation: Aggregation = SUM, at_least: int = 2) -> Network:
    """Derives U where the r-neighbours' A, aggregated, come to so many."""
    layer = Layer.from_fractions([[0, 0]] * 2, [[[0, 0], [1, 0]]], [0, 1 - at_least], aggregation)
    return Network.canonical(SIGNATURE, [layer])


@pytest.mark.parametrize(
    ("text", "aggregation", "captured", "method"),
    [
        ("U(X) :- r(X, Y), A(Y), r(X, Z), A(Z), Y != Z.", SUM, True, "one evaluation"),
        ("U(X) :- r(X, Y), A(Y), r(X, Z), A(Z), Y != Z.", MAX, False, "one evaluation"),
        ("U(X) :- r(X, Y), A(Y), r(X, Z), A(Z).", SUM, False, "sibling merges"),
        ("U(X) :- r(X, Y), A(Y), r(X, Z), A(Z).", MAX, False, "one evaluation"),
        ("U(X) :- #count{Y : r(X, Y), A(Y)} >= 2, r(X, Z), A(Z).", MaxKSum(2), True, "sibling merges"),
        ("U(X) :- r(X, X), A(X), r(X, Y), A(Y), X != Y.", SUM, True, "identifications"),
        ("U(X) :- r(X, X), A(X), r(X, Y), A(Y).", SUM, False, "identifications"),
        ("r(X, Y) :- r(X, Y), A(Y).", SUM, True, "identifications"),
    ],
)
def test_rules_as_text(text: str, aggregation: Aggregation, captured: bool, method: str) -> None:
    result = captures(counting(aggregation), text)
    assert (result.captured, result.method, result.rule) == (captured, method, parse_rule(text))
    assert (result.counterexample is None) == (result.fact is None) == captured


def test_many_neighbours_are_counted() -> None:
    network = counting(at_least=500)
    enough, too_few = (f"U(X) :- #count{{Y : r(X, Y), A(Y)}} >= {n}." for n in (500, 499))
    assert captures(network, enough).captured
    result = captures(network, too_few)
    assert result.counterexample is not None and len(result.counterexample) == 998


def test_a_program_is_tested_rule_by_rule() -> None:
    program = parse(
        "U(X) :- #count{Y : r(X, Y), A(Y)} >= 3. r(X, Y) :- r(Y, X). U(X) :- r(X, Y), A(Y). U(X) :- U(X), A(Y)."
    )
    results = captures_all(counting(), program)
    assert [result.rule for result in results] == list(program)
    assert [result.captured for result in results] == [True, False, False, False]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("U(X) :- r(X, Y, Z).", UnsupportedError, "E250 `r/3` is neither unary nor binary"),
        ("go :- A(X).", UnsupportedError, "E250 `go/0` is neither unary nor binary"),
        ("U(X) :- R(X, Y).", UnsupportedError, "E251 the network does not know `R/2`"),
        ("U(X) :- A(X, Y).", UnsupportedError, "did you mean `A/1`?"),
        ("V(X) :- A(X).", UnsupportedError, "E251 the network does not know `V/1`"),
        ("U(X) :- #count{Y : q(X, Y)} >= 2.", UnsupportedError, "E251 the network does not know `q/2`"),
        ("U(X) :- A(X), not r(X, _).", UnsupportedError, "E252 `not r(X, _)` cannot be tested"),
        ("U(f(X)) :- A(X).", UnsupportedError, "E253 `f(X)` is a function term"),
        ("U(X) :- A(X), X != f(Y).", UnsupportedError, "E253 `f(Y)` is a function term"),
        ("U(Y) :- #count{Y : r(X, Y)} >= 2.", InputError, "E226 `Y` is counted here and used outside"),
    ],
)
def test_what_cannot_be_asked(text: str, error: type[IsologError], message: str) -> None:
    for ask in (captures, lambda network, rule: failing_instance(network, parse_rule(rule))):
        with pytest.raises(error, match=re.escape(message)) as raised:
            ask(counting(), text)
        assert all(finding.hint and finding.span for finding in raised.value.findings)


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(UnsupportedError) as raised:
        captures_all(counting(), parse("U(X) :- q(X). U(X) :- A(f(X)), not U(X), t(X, X, X)."))
    assert [finding.code for finding in raised.value.findings] == ["E251", "E253", "E252", "E250"]


def test_tree_like_rules_over_unknown_predicates() -> None:
    rule = TreeRule("V", tree_formula(["B"], [group("r", tree_formula([], [group("t", tree_formula(["U"]))]))]))
    with pytest.raises(UnsupportedError) as raised:
        captures_tree_rule(counting(), rule)
    assert [re.findall("`(.*)`", finding.message) for finding in raised.value.findings] == [["V/1"], ["B/1"], ["t/2"]]


def test_a_network_outside_the_class_is_refused() -> None:
    negative = Network.canonical(SIGNATURE, [Layer.from_fractions([[-1, 0]] * 2, [[[0, 0]] * 2], [0, 0])])
    with pytest.raises(UnsupportedError, match="E360"):
        captures(negative, "U(X) :- A(X).")
    with pytest.raises(UnsupportedError, match="E360"):
        captures_tree_rules(negative, [])


def test_of_an_encoding_canonical_rules_are_about_features_and_colours() -> None:
    plain = counting()
    encoded = Network(Signature(), plain.features, plain.colours, plain.layers, plain.thresholds, EncodingName("pairs"))
    rule = "U(X) :- #count{Y : r(X, Y), A(Y)} >= 2."
    assert captures(encoded, rule, canonical=True).captured


def test_beyond_the_limit_nothing_is_claimed() -> None:
    """A rule whose variables are in a cycle, so that it is not tree-like; four neighbours may be one."""
    neighbours = ", ".join(f"r(X, Y{n}), A(Y{n})" for n in range(4))
    rule = f"U(X) :- {neighbours}, r(Y1, X)."
    with pytest.raises(LimitError, match="E431 undecided: the network derives the head on the first 3 instances"):
        captures(counting(at_least=2), rule, limit=3)
    assert not captures(counting(at_least=2), rule).captured
    assert captures(counting(at_least=1), rule).captured
    assert captures(counting(MAX, at_least=1), rule, limit=1).captured


def test_counts_in_rules_that_are_not_tree_like_have_a_limit() -> None:
    with pytest.raises(LimitError, match="E432 `#count` stands for 2,000 variables; the limit is 1,000"):
        captures(counting(), "U(X) :- r(X, X), #count{Y : r(X, Y), r(Y, Z)} >= 1000.")


@pytest.mark.parametrize(("threshold", "captured"), [("0.3", True), ("0.30000000000000002", False)])
def test_decisions_are_exact_where_floats_round(threshold: str, captured: bool) -> None:
    """The doubles 0.1 and 0.2 add up to a number between the two thresholds, their rounded sum is above both."""
    layer = Layer(np.array([[0.1, 0.2]] * 2), (np.zeros((2, 2)),), np.zeros(2), MAX)
    network = Network.canonical(SIGNATURE, [layer], Fraction(threshold))
    assert Fraction("0.30000000000000002") < 0.1 + 0.2
    assert captures(network, "U(X) :- A(X), U(X).").captured == captured
    assert captures_tree_rules(network, [TreeRule("U", tree_formula(["A", "U"]))] * 3) == [captured] * 3
    assert captures(network, "U(X) :- A(X), U(X), r(Y, X).").captured == captured
