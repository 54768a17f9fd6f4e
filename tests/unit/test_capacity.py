"""Capacities (Alg. 1): the numbers on the way, the early return, and upper bounds when steps run out."""

import math
from fractions import Fraction

import numpy as np
import pytest

from isolog.correspondence.capacity import LayerCapacity, capacity
from isolog.errors import UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Layer, MaxKSum, Network
from support.strategies import BENT, CLIPPED

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
U, UV = Signature.of(["U"], ["E"]), Signature.of(["U", "V"], ["E"])


def capacities(network: Network, steps: int = 1_000_000) -> list[int]:
    return [layer.capacity for layer in capacity(network, steps).layers]


def test_the_numbers_on_the_way() -> None:
    lower = Layer.from_fractions([[0], [HALF]], [[[QUARTER], [0]]], [Fraction(-1, 3), 0], SUM)
    upper = Layer.from_fractions([[0, 3]], [[[2, 0]]], [-2], SUM)
    report = capacity(Network.canonical(U, [lower, upper], Fraction(5, 2)))
    # X_{1,1} = {0, 1/6, 5/12, …} and X_{1,2} = {0, 1/2}
    assert report.layers[1] == LayerCapacity(
        15, SUM, True, alpha=Fraction(5, 2), beta=3, least_weight=Fraction(2), least_value=Fraction(1, 6), least_bias=-2
    )
    assert report.layers[0] == LayerCapacity(
        14, SUM, True, HALF * 5, 3, least_weight=QUARTER, least_value=Fraction(1), least_bias=Fraction(-1, 3)
    )
    assert report.capacity == 15 and report.exact


def test_the_aggregation_bounds_the_capacity() -> None:
    layers = [Layer.from_fractions([[0]], [[[QUARTER]]], [0], k) for k in (MAX, MaxKSum(3), SUM, MaxKSum(0))]
    assert [capacities(Network.canonical(U, [layer])) for layer in layers] == [[1], [3], [4], [0]]


def test_the_largest_threshold_counts() -> None:
    layer = Layer.from_fractions([[0, 0], [0, 0]], [[[1, 0], [0, 1]]], [0, 0], SUM)
    assert capacities(Network.canonical(UV, [layer], [Fraction(2), Fraction(5)])) == [5]
    assert capacities(Network.canonical(UV, [layer], [Fraction(-2), Fraction(-5)])) == [1]


def test_beta_is_a_natural_number_that_reaches_alpha() -> None:
    layer = Layer.from_fractions([[0]], [[[1]]], [0], SUM, CLIPPED)
    betas = [capacity(Network.canonical(U, [layer], t)).layers[0].beta for t in (0, Fraction(1, 9), 1, Fraction(5, 4))]
    assert betas == [1, 1, 1, 5]
    bent = Layer.from_fractions([[0]], [[[1]]], [0], SUM, BENT)
    assert capacity(Network.canonical(U, [bent], QUARTER)).layers[0].beta == 1


def test_without_weights_no_layer_below_matters() -> None:
    copy, constant = Layer.from_fractions([[1]], [[[1]]], [0], SUM), Layer.from_fractions([[0]], [[[0]]], [1])
    report = capacity(Network.canonical(U, [copy, constant, copy], 7))
    assert [layer.capacity for layer in report.layers] == [0, 0, 7]
    assert report.layers[0] == LayerCapacity(0, SUM)
    assert report.layers[1] == LayerCapacity(0, MAX, alpha=Fraction(7), least_value=Fraction(1))


def test_without_positive_values_no_layer_below_matters() -> None:
    biases = (0, -9, 1, 0)
    layers = [Layer.from_fractions([[1]], [[[1]]], [bias], MAX if bias < 0 else MaxKSum(3)) for bias in biases]
    report = capacity(Network.canonical(U, layers, 7))
    assert [layer.capacity for layer in report.layers] == [0, 0, 0, 3]
    assert report.layers[2] == LayerCapacity(0, MaxKSum(3), alpha=Fraction(7), least_weight=Fraction(1))
    assert report.layers[0] == LayerCapacity(0, MaxKSum(3))


def test_values_of_idle_units_count_too() -> None:
    """By the letter, x_l is the least value of any unit of the layer below, whether or not a weight reads it."""
    lower, upper = (
        Layer.from_fractions([[1], [QUARTER]], [[[0], [0]]], [0, 0]),
        Layer.from_fractions([[0, 0]], [[[1, 0]]], [0], SUM),
    )
    assert capacities(Network.canonical(U, [lower, upper])) == [1, 4]


def test_past_the_budget_capacities_are_upper_bounds() -> None:
    lower = Layer.from_fractions([[HALF]], [[[Fraction(1, 3)]]], [0], SUM)
    network = Network.canonical(U, [lower, Layer.from_fractions([[1]], [[[1]]], [0], SUM)])
    exact, bounded = capacity(network), capacity(network, steps=0)
    assert [layer.capacity for layer in exact.layers] == [3, 3] and exact.exact
    assert [layer.capacity for layer in bounded.layers] == [3, 6]
    assert [layer.exact for layer in bounded.layers] == [True, False] and not bounded.exact
    assert bounded.layers[1].least_value == Fraction(1, 6)


def test_two_may_be_too_many() -> None:
    lower = Layer.from_fractions([[HALF]], [[[Fraction(1, 3)]]], [0], SUM)
    network = Network.canonical(U, [lower, Layer.from_fractions([[3]], [[[3]]], [0], SUM)])
    assert capacities(network) == [3, 1]
    report = capacity(network, steps=0)
    assert report.layers[1].capacity == 2 and not report.layers[1].exact


def test_a_capacity_of_at_most_one_needs_no_steps() -> None:
    network = Network.canonical(U, [Layer.from_fractions([[1]], [[[1]]], [b], k) for b, k in [(0, MAX), (3, SUM)]])
    report = capacity(network, steps=0)
    assert [layer.capacity for layer in report.layers] == [1, 0] and report.exact


def test_a_positive_least_value_needs_no_steps() -> None:
    lower, upper = Layer.from_fractions([[1]], [[[1]]], [HALF]), Layer.from_fractions([[1]], [[[1]]], [0], SUM)
    report = capacity(Network.canonical(U, [lower, upper], 7), steps=0)
    assert report.layers[1].least_value == HALF and report.layers[1].capacity == 14 and report.exact


def test_dense_floats_give_an_upper_bound() -> None:
    chance = np.random.default_rng(0)
    weights = [chance.uniform(0, 0.1, (40, 40)) for _ in range(4)]
    bias = chance.uniform(-9, -8, 40)
    layers = [Layer(A, (B,), bias, SUM) for A, B in (weights[:2], weights[2:])]
    signature = Signature.of([f"U{i}" for i in range(40)], ["E"])
    report = capacity(Network.canonical(signature, layers), steps=20_000)
    first, second = report.layers
    assert first.exact and first.least_value == 1
    assert not second.exact and 10**6 < second.capacity < math.inf


def test_only_monotonic_networks_have_a_capacity() -> None:
    with pytest.raises(UnsupportedError, match="E360"):
        capacity(Network.canonical(U, [Layer.from_fractions([[-1]], [[[0]]], [0])]))
