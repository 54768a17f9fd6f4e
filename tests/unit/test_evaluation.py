"""Measures of a hand-made network, with every score known."""

from fractions import Fraction

import pytest

from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.learning.evaluation import evaluate
from isolog.learning.ranking import rank
from isolog.networks.network import EncodingName, Layer, Network

SIGNATURE = Signature.of(["Good", "Bad"], ["likes"])
LAYER = Layer.from_fractions([[1, 0], [0, 1]], [[[2, 0], [0, 0]]], [0, 0])
NETWORK = Network.canonical(SIGNATURE, [LAYER], 2)
"""Good is derived where something good is liked; its score is 2 for each, and 1 for being good oneself, less 2."""


def facts(*found: tuple[str, ...]) -> Dataset:
    return Dataset.from_facts([Atom(predicate, terms) for predicate, *terms in found])


DATA = facts(("likes", "a", "b"), ("Good", "b"), ("likes", "c", "d"), ("Good", "c"))


def test_measures() -> None:
    found = evaluate(NETWORK, DATA, facts(("Good", "a"), ("Good", "zoe")), facts(("Good", "c"), ("Good", "d")))
    assert (found.precision, found.recall, found.accuracy) == (1.0, 0.5, 0.75)
    assert found.f1 == pytest.approx(2 / 3) and found.threshold == 2
    assert (found.reachable_positives, found.positives, found.negatives) == (1, 2, 2)
    assert found.average_precision == pytest.approx(0.5 + 0.5 * 2 / 4)
    assert found.curve == ((0.5, 1.0),)
    assert found.class_accuracy is None


def test_nothing_to_measure() -> None:
    found = evaluate(NETWORK, DATA, facts(), facts())
    assert (found.precision, found.recall, found.accuracy, found.f1, found.average_precision) == (0, 0, 0, 0, 0)


def test_classes_by_the_largest_score() -> None:
    """a scores 0 as good and -2 as bad; c scores -1 and -2: the class is right, but not derived; d is a tie."""
    true = facts(("Good", "a"), ("Good", "c"), ("Bad", "d"))
    found = evaluate(NETWORK, DATA, true, facts())
    assert found.class_accuracy == 2 / 3 and found.exact_classes == 1 / 3


def test_ranks_with_ties_and_what_is_known_left_out() -> None:
    """Of a, b, c, d, the fact asked for is Good(a), which scores best; b and c are good already."""
    found = rank(NETWORK, DATA, facts(("Good", "a")))
    assert (found.mrr, found.hits_at_1) == (1.0, 1.0)
    tied = rank(NETWORK, DATA, facts(("Bad", "d")))
    assert tied.mrr == pytest.approx(1 / 2.5) and (tied.hits_at_1, tied.hits_at_3) == (0.0, 1.0)


def test_both_places_of_a_binary_fact_are_ranked() -> None:
    signature = Signature.of([], ["r", "s"])
    layer = Layer.from_fractions([[0, 0], [1, 0]], [[[0, 0], [0, 0]]] * 4, [0, 0])
    network = Network(
        signature, ("r/2", "s/2"), ("c1", "c2", "c3", "c4"), (layer,), (Fraction(1),) * 2, EncodingName("pairs")
    )
    found = rank(network, facts(("r", "a", "b"), ("r", "b", "c")), facts(("s", "a", "b")))
    assert found.mrr == 1.0 and found.hits_at_10 == 1.0
