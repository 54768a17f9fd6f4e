"""The arguments for which an activation reaches a threshold."""

from fractions import Fraction
from itertools import pairwise

import pytest

from isolog.networks.activation import RELU, Activation, piecewise_linear
from isolog.networks.superlevel import superlevel
from support.strategies import ACTIVATIONS

WAVE = piecewise_linear([(0, 1), (1, 0), (2, 2), (3, -1), (4, 2), (5, 2)], -1)
BOUNDED = piecewise_linear([(0, 0), (1, 1)], 0)
FALLING = piecewise_linear([(-1, 2), (Fraction(1, 3), -1)], -2)


@pytest.mark.parametrize("activation", [*ACTIVATIONS, WAVE, BOUNDED, FALLING], ids=lambda a: f"{len(a.points)} points")
@pytest.mark.parametrize("threshold", [Fraction(n, 2) for n in range(-3, 6)], ids=str)
def test_it_is_where_the_threshold_is_reached(activation: Activation, threshold: Fraction) -> None:
    intervals = superlevel(activation, threshold)
    for z in (Fraction(n, 12) for n in range(-50, 100)):
        inside = [(low is None or low <= z) and (high is None or z <= high) for low, high in intervals]
        assert any(inside) == (activation(z) >= threshold)
        assert sum(inside) <= 1
    assert all(high is not None and low is not None and high < low for (_, high), (low, _) in pairwise(intervals))


def test_a_peak_is_an_interval_of_one_point() -> None:
    assert superlevel(WAVE, Fraction(2)) == [(2, 2), (4, 5)]


def test_nothing_reaches_what_is_above_a_bounded_activation() -> None:
    assert superlevel(BOUNDED, Fraction(3, 2)) == []


def test_everything_reaches_what_is_below_all_values() -> None:
    assert superlevel(RELU, Fraction(-1)) == [(None, None)]
