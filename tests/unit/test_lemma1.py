"""Lemma 1 by the letter on rules whose answer is known."""

import pytest

from isolog.correspondence.lemma1 import bell, failing_instance, identifications, instances, readable_names
from isolog.correspondence.patterns import pattern
from isolog.datalog.parser import parse_rule
from isolog.errors import LimitError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.network import MAX, SUM, Aggregation, Layer, Mean, Network

SIGNATURE = Signature.of(["A", "U"], ["r"])


def at_least_two(aggregation: Aggregation) -> Network:
    """Derives U where the r-neighbours' A, aggregated, come to 2."""
    return Network.canonical(SIGNATURE, [Layer.from_fractions([[0, 0]] * 2, [[[0, 0], [1, 0]]], [0, -1], aggregation)])


def captured(network: Network, text: str) -> bool:
    return failing_instance(network, parse_rule(text)) is None


def test_distinct_variables_are_counted_twice_and_others_are_not() -> None:
    distinct = "U(X) :- r(X, Y), r(X, Z), A(Y), A(Z), Y != Z."
    assert captured(at_least_two(SUM), distinct)
    assert not captured(at_least_two(MAX), distinct)
    assert not captured(at_least_two(SUM), distinct.replace(", Y != Z", ""))


def test_the_failing_instance_is_the_one_where_they_coincide() -> None:
    instance = failing_instance(at_least_two(SUM), parse_rule("U(X) :- r(X, Y), r(X, Z), A(Y), A(Z)."))
    assert instance is not None
    facts = set(instance.dataset)
    assert (facts, instance.fact) in [
        ({Atom("r", (x, y)), Atom("A", (y,))}, Atom("U", (x,))) for x, y in (("a", "b"), ("a", "a"))
    ]


def test_counts_are_written_out() -> None:
    assert captured(at_least_two(SUM), "U(X) :- #count{Y : r(X, Y), A(Y)} >= 2.")
    assert not captured(at_least_two(SUM), "U(X) :- #count{Y : r(X, Y), A(Y)} >= 1.")


def test_constants_differ_from_one_another_but_not_from_variables() -> None:
    assert captured(at_least_two(SUM), "U(X) :- r(X, a), r(X, b), A(a), A(b).")
    assert not captured(at_least_two(SUM), "U(X) :- r(X, a), r(X, Y), A(a), A(Y).")
    assert captured(at_least_two(SUM), "U(X) :- r(X, a), r(X, Y), A(a), A(Y), Y != a.")


def test_a_constant_of_the_head_need_not_be_in_the_data() -> None:
    derives_all = Network.canonical(Signature.of(["U"], ["r"]), [Layer.from_fractions([[0]], [[[0]]], [1])])
    instance = failing_instance(derives_all, parse_rule("U(a) :- r(X, Y)."))
    assert instance is not None and instance.fact == Atom("U", ("a",)) and "a" not in instance.dataset.terms
    assert captured(derives_all, "U(a) :- r(a, Y).")
    empty = failing_instance(derives_all, parse_rule("U(a) :- true."))
    assert empty is not None and empty.dataset == Dataset.empty()


def test_a_rule_that_cannot_fire_is_captured() -> None:
    nothing = Network.canonical(SIGNATURE, [Layer.from_fractions([[0, 0]] * 2, [[[0, 0]] * 2], [0, 0])])
    assert captured(nothing, "U(X) :- A(X), X != X.")
    assert captured(nothing, "r(X, Y) :- A(X), A(Y), a != a.")
    assert not captured(nothing, "U(X) :- A(X), a != b.")


@pytest.mark.parametrize(
    ("text", "count"),
    [("U(X) :- r(Y, Z).", 5), ("U(X) :- r(Y, Z), Y != Z.", 3), ("U(X) :- r(Y, a), r(Y, b).", 10), ("U(a) :- A(b).", 1)],
)
def test_identifications_are_the_partitions_that_inequalities_allow(text: str, count: int) -> None:
    wanted = pattern(parse_rule(text))
    found = list(identifications(wanted))
    assert len(found) == len(set(found)) == count
    assert all(classes[x] != classes[y] for classes in found for x, y in wanted.distinct)


def test_names_are_readable_and_avoid_the_rule_s_own() -> None:
    wanted = pattern(parse_rule("U(X) :- r(X, a), r(a, Y)."))
    (instance,) = instances(wanted, (0, 1, 2), SIGNATURE)
    assert set(instance.dataset) == {Atom("r", ("b", "a")), Atom("r", ("a", "c"))}
    names = readable_names()
    assert [next(names) for _ in range(28)][-4:] == ["y", "z", "a1", "b1"]


def test_too_many_partitions_are_counted_beforehand() -> None:
    rule = parse_rule("U(X) :- #count{Y : r(X, Y)} >= 24.")
    with pytest.raises(LimitError, match="E430 25 terms can coincide in up to 4,638,590,332,229,999,353 ways"):
        failing_instance(at_least_two(SUM), rule)
    assert failing_instance(at_least_two(SUM), parse_rule("U(X) :- A(X), r(X, Y)."), partitions=bell(2)) is not None


def test_networks_outside_the_class_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="E361"):
        captured(at_least_two(Mean()), "U(X) :- A(X).")
