"""Brackets on small networks, and the bounds of somebody else's network on real data."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from isolog.correspondence.bracket import bracket
from isolog.correspondence.rounding import rounded, same_on_grid
from isolog.errors import InputError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.activation import piecewise_linear
from isolog.networks.apply import labels
from isolog.networks.foreign import read_foreign
from isolog.networks.network import SUM, Layer, Network
from support.pairs import encode_pairs, read_triples

SIGNATURE = Signature.of(["A", "B"], ["r"])
LAYER = Layer(np.array([[0.3, 0.0], [0.6, 0.45]]), (np.array([[0.4, 0.0], [0.0, 0.1]]),), np.array([-0.1, 0.05]), SUM)
NETWORK = Network.canonical(SIGNATURE, [LAYER, LAYER], Fraction(1, 2))
FACTS = Dataset.from_facts([Atom("A", ("a",)), Atom("B", ("a",)), Atom("r", ("a", "b")), Atom("A", ("b",))])


def test_hidden_biases_are_rounded_too() -> None:
    assert [rounded(NETWORK, 2, side).layers[0].b.tolist() for side in ("down", "up")] == [[-1, 0], [0, 1]]


def test_biases_at_the_end_move_into_the_thresholds() -> None:
    low, high = rounded(NETWORK, 2, "down"), rounded(NETWORK, 2, "up")
    assert low.thresholds == high.thresholds
    for network in (low, high):
        last = network.layers[-1]
        wanted = [t - b for t, b in zip(network.thresholds, last.exact_bias(), strict=True)]
        assert wanted == [Fraction(1, 2) - b for b in LAYER.exact_bias()]


def test_other_activations_keep_their_thresholds() -> None:
    bent = Layer(LAYER.A, LAYER.B, LAYER.b, SUM, piecewise_linear([(0, 0), (1, 2)], 1))
    network = Network.canonical(SIGNATURE, [bent], Fraction(1, 2))
    assert rounded(network, 2, "up").thresholds == network.thresholds
    assert rounded(network, 2, "up").layers[-1].b.tolist() == [0, 1]


def test_numbers_beyond_floats_and_machine_integers_are_exact() -> None:
    huge = Layer(np.array([[1e300]]), (), np.array([0.5]))
    network = Network.canonical(Signature.of(["A"]), [huge, huge])
    assert int(rounded(network, 40, "down").layers[0].A[0, 0]) == int(1e300) << 40
    big = Layer(np.array([[10**30 + 1]], object), (), np.array([1], object), scale=3)
    assert int(rounded(Network.canonical(Signature.of(["A"]), [big]), 0, "up").layers[0].A[0, 0]) == (10**30 + 2) // 3


def test_a_network_on_a_grid_is_its_own_bracket() -> None:
    quarters = Layer.from_fractions([[Fraction(3, 4)]], [], [0])
    network = Network.canonical(Signature.of(["A"]), [quarters, quarters], Fraction(1, 3))
    assert [same_on_grid(network, bits) for bits in (1, 2, 3)] == [False, True, True]
    found = bracket(network, "complete")
    assert (found.bits, found.exact, found.closed, found.gap) == (2, True, True, None)


def test_the_grid_is_refined_until_nothing_is_in_the_gap() -> None:
    found = bracket(NETWORK, "sound", FACTS)
    assert found.closed and not found.exact and found.bits > 0
    coarse = bracket(NETWORK, "sound", FACTS, bits=0)
    assert coarse.gap is not None and not coarse.closed
    assert coarse.network is coarse.lower and bracket(NETWORK, "complete", bits=0).network.layers[0].A[0, 0] == 1
    assert coarse.gap.derived <= coarse.gap.facts


def test_the_last_grid_is_returned_when_time_is_over() -> None:
    assert bracket(NETWORK, "sound", FACTS, seconds=-1).bits == 0


def test_there_is_no_grid_with_so_many_bits() -> None:
    with pytest.raises(InputError, match="E460 no grid has 65 bits"):
        bracket(NETWORK, "sound", bits=65)


# Kept by N⁻ and derived by N⁺, of the 545 facts that the network derives.
BOUNDS = [(2, 98, 3511), (3, 208, 1479), (4, 405, 890), (5, 478, 642), (6, 503, 597), (8, 536, 568)]


@pytest.mark.data
def test_bounds_of_a_published_network(data: Path) -> None:
    name = "peer-models/fb237v1_maxmax_without_dummies.json"
    network = read_foreign(data / name, probability=Fraction(1, 10))
    encoded = encode_pairs(read_triples(data / "grail/fb237v1/test_graph.tsv.gz"), network.features)
    pairs = [vertex for vertex_name, vertex in encoded.vertices.items() if len(vertex_name) == 2]
    derived = labels(network, encoded.graph)[pairs]
    assert derived.sum() == 545
    for bits, kept, all_derived in BOUNDS:
        low, high = (labels(rounded(network, bits, side), encoded.graph)[pairs] for side in ("down", "up"))
        assert (low <= derived).all() and (derived <= high).all()
        assert (low.sum(), high.sum()) == (kept, all_derived)
