"""Bit masks: bounds, long masks, and the steps that they take."""

import pytest

from isolog.correspondence.bitsets import Bitsets
from isolog.correspondence.frontier import OutOfSteps, Steps
from isolog.correspondence.grid import on_grids
from isolog.facts.signature import Signature
from isolog.networks.activation import piecewise_linear
from isolog.networks.network import SUM, Layer, MaxKSum, Network

ALL = Layer.from_fractions([[0]], [[[1]]], [0], SUM)
THREES = Layer.from_fractions([[0]], [[[3]]], [0], SUM)
THOUSANDS = Layer.from_fractions([[0]], [[[1000]]], [0], SUM)
COPY = Layer.from_fractions([[1]], [[[0]]], [0])


def bitsets(*layers: Layer, steps: int = 10_000) -> Bitsets:
    return Bitsets(on_grids(Network.canonical(Signature.of(["U"], ["E"]), layers)), Steps(steps))


def test_a_bound_may_be_larger_or_smaller_than_the_last_one() -> None:
    sets = bitsets(ALL, COPY)
    for bound in (3, 20, 5, 0, 40, -1):
        assert sets.up_to(2, 1, bound) == 2 ** (bound + 1) - 1
    assert [sets.up_to(0, 1, bound) for bound in (-1, 0, 1, 9)] == [0, 1, 3, 3]


def test_arguments_may_be_negative_where_values_are_not() -> None:
    rising = piecewise_linear([(-2, 2)], 2)
    sets = bitsets(Layer.from_fractions([[0]], [[[1]]], [-3], SUM, rising))
    assert [sets.up_to(1, 1, bound) for bound in (1, 2, 3, 4, 9)] == [0, 0b100, 0b100, 0b10100, 0b101010100]


def test_elements_come_once_and_to_the_end() -> None:
    sets = bitsets(Layer.from_fractions([[64]], [[[100]]], [0], MaxKSum(2)))
    assert list(sets.elements(1, 1, 264)) == [0, 64, 100, 164, 200, 264]


def test_masks_longer_than_a_chunk() -> None:
    elements = bitsets(THOUSANDS, COPY).elements(2, 1, None)
    assert [next(elements) for _ in range(200)] == list(range(0, 200_000, 1000))


def test_each_run_of_ones_is_a_step() -> None:
    sets = bitsets(THOUSANDS, COPY, steps=300)
    assert sets.up_to(2, 1, 50_000).bit_count() == 51
    with pytest.raises(OutOfSteps):
        sets.up_to(2, 1, 200_000)


def test_many_short_runs_are_as_many_steps() -> None:
    twice = Layer.from_fractions([[2]], [[[0]]], [0])
    assert bitsets(THREES, twice, steps=5_000).up_to(2, 1, 6_000).bit_count() == 1001
    with pytest.raises(OutOfSteps):
        bitsets(THREES, twice, steps=500).up_to(2, 1, 6_000)
