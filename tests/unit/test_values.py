"""Value sets (Def. 7) and Next (Alg. 2), through the frontier and through bit masks."""

import math
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from isolog.correspondence.values import END, START, ValueSets
from isolog.errors import InputError, LimitError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU, Activation, piecewise_linear
from isolog.networks.network import MAX, SUM, Layer, MaxKSum, Network
from support.strategies import AT_LEAST_ONE, BENT, CLIPPED

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
U, E = Signature.of(["U"], ["E"]), Signature.of(["U"], ["E", "F"])
both_ways = pytest.mark.parametrize("coarse", [0, 2**20], ids=["frontier", "bitsets"])


def network(*layers: Layer, signature: Signature = U) -> Network:
    return Network.canonical(signature, layers)


def one_unit(own: Fraction | int, other: Fraction | int, bias: Fraction | int, *kind: MaxKSum | Activation) -> Layer:
    return Layer.from_fractions([[own]], [[[other]]], [bias], *kind)


def test_the_inputs_are_0_and_1() -> None:
    sets = ValueSets(network(one_unit(1, 0, 0)))
    answers = [sets.next(0, 1, alpha) for alpha in (START, -HALF, 0, HALF, 1, 2)]
    assert answers == [0, 0, 1, 1, END, END]


@both_ways
@pytest.mark.parametrize(
    ("aggregation", "values"),
    [
        (MaxKSum(0), [0, HALF]),
        (MAX, [0, THIRD, HALF, THIRD + HALF]),
        (MaxKSum(2), [0, THIRD, HALF, 2 * THIRD, THIRD + HALF, 2 * THIRD + HALF]),
        (SUM, [0, THIRD, HALF, 2 * THIRD, THIRD + HALF, 1, 2 * THIRD + HALF, 4 * THIRD, 1 + HALF]),
    ],
    ids=str,
)
def test_each_aggregation(aggregation: MaxKSum, values: list[Fraction], coarse: int) -> None:
    sets = ValueSets(network(one_unit(HALF, THIRD, 0, aggregation)), coarse=coarse)
    assert sets.first(1, 1, 9) == values


@both_ways
@pytest.mark.parametrize(
    ("activation", "values"),
    [
        (RELU, [0, HALF, 1, 1 + HALF, 2]),
        (CLIPPED, [0, 1, 1 + HALF, 2, 2 + HALF]),
        (AT_LEAST_ONE, [1, 1 + HALF, 2, 2 + HALF, 3]),
        (BENT, [0, Fraction(1, 4), HALF, 5 * HALF / 4, 3 * HALF / 2]),
        (
            piecewise_linear([(-2, 0), (Fraction(1, 4), 2)], 2),
            [8 * THIRD / 3, 4 * THIRD, 16 * THIRD / 3, 5 * HALF, 7 * HALF],
        ),
        (piecewise_linear([(0, HALF)], THIRD), [HALF, 2 * THIRD, 5 * THIRD / 2, 1, 7 * THIRD / 2]),
    ],
    ids=["relu", "clipped", "at least one", "bent", "steep", "third"],
)
def test_each_activation(activation: Activation, values: list[Fraction], coarse: int) -> None:
    """Flat stretches give one value, however many arguments lie there."""
    sets = ValueSets(network(one_unit(0, HALF, -1, SUM, activation)), coarse=coarse)
    assert sets.first(1, 1, 5) == values


@both_ways
def test_next_takes_any_number(coarse: int) -> None:
    sets = ValueSets(network(one_unit(0, 2, 1, SUM)), coarse=coarse)
    asked = [(100, 101), (Fraction(99, 10), 11), (3, 5), (START, 1), (-7, 1), (0, 1), (1, 3)]
    assert [(alpha, sets.next(1, 1, alpha)) for alpha, _ in asked] == asked


@both_ways
def test_finite_sets_end(coarse: int) -> None:
    sets = ValueSets(network(one_unit(1, 2, 0, MaxKSum(2))), coarse=coarse)
    assert list(sets.values(1, 1)) == [0, 1, 2, 3, 4, 5]
    assert sets.largest(1, 1) == 5 and sets.is_finite(1, 1)
    assert sets.next(1, 1, 5) is END and sets.next(1, 1, 1000) is END
    assert sets.first(1, 1, 100) == sets.up_to(1, 1, 100) == [0, 1, 2, 3, 4, 5]


@both_ways
def test_up_to_includes_the_bound(coarse: int) -> None:
    sets = ValueSets(network(one_unit(1, HALF, 0, SUM)), coarse=coarse)
    assert sets.up_to(1, 1, 1) == [0, HALF, 1]
    assert sets.up_to(1, 1, Fraction(99, 100)) == [0, HALF]
    assert sets.up_to(1, 1, -1) == []


@both_ways
def test_every_neighbour_brings_what_it_has_at_least(coarse: int) -> None:
    """START is 1 below: each neighbour adds at least 1, and the number of neighbours is at most k."""
    constant = Layer.from_fractions([[1], [0]], [[[0], [0]]], [0, 1])
    above = Layer.from_fractions([[0, 0]], [[[HALF, 1]]], [0], MaxKSum(2))
    sets = ValueSets(network(constant, above), coarse=coarse)
    assert sets.first(2, 1, 9) == [0, 1, 1 + HALF, 2, 2 + HALF, 3]


@both_ways
def test_colours_are_aggregated_apart(coarse: int) -> None:
    layer = Layer.from_fractions([[0]], [[[1]], [[10]]], [0])
    assert ValueSets(network(layer, signature=E), coarse=coarse).first(1, 1, 9) == [0, 1, 10, 11]


@pytest.mark.parametrize(
    ("k", "own", "other", "finite"),
    [
        (math.inf, 1, 0, True),
        (math.inf, 0, 1, False),
        (5, 1, 1, True),
        (0, 1, 1, True),
    ],
)
def test_finiteness_in_one_layer(k: int, own: int, other: int, finite: bool) -> None:
    sets = ValueSets(network(one_unit(own, other, 0, MaxKSum(k))))
    assert sets.is_finite(1, 1) == finite


def test_finiteness_above_an_infinite_layer() -> None:
    infinite = one_unit(0, 1, 0, SUM)
    assert not ValueSets(network(infinite, one_unit(1, 0, 0))).is_finite(2, 1)
    assert not ValueSets(network(infinite, one_unit(0, 1, 0))).is_finite(2, 1)
    assert ValueSets(network(infinite, one_unit(0, 1, 0, MaxKSum(0)))).is_finite(2, 1)
    assert ValueSets(network(infinite, one_unit(0, 0, 3))).values(2, 1).__next__() == 3
    nothing_to_sum = one_unit(0, 0, -1)
    assert ValueSets(network(nothing_to_sum, one_unit(1, 1, 0, SUM))).largest(2, 1) == 0


def test_floats_mean_what_they_hold() -> None:
    layer = Layer(np.array([[0.1]]), (np.array([[0.25]]),), np.array([0.0]))
    assert ValueSets(network(layer)).first(1, 1, 9) == [0, Fraction(0.1), HALF / 2, Fraction(0.1) + HALF / 2]


def test_numbers_beyond_machine_words() -> None:
    tiny = Fraction(1, 10**400)
    sets = ValueSets(network(one_unit(1, tiny, 0, SUM), one_unit(1, 0, 0)))
    assert sets.first(2, 1, 3) == [0, tiny, 2 * tiny]
    assert not sets.is_finite(2, 1)


@both_ways
def test_a_budget_ends_the_enumeration(coarse: int) -> None:
    sets = ValueSets(network(one_unit(0, HALF, 0, SUM)), steps=300, coarse=coarse)
    known = list(islice(sets.values(1, 1), 20))
    with pytest.raises(LimitError, match=r"E440 the values of unit 1 in layer 1 take more than 300 steps; \d+ of them"):
        list(sets.values(1, 1))
    assert sets.first(1, 1, 20) == known
    with pytest.raises(LimitError, match="E440"):
        sets.next(1, 1, 10**6)
    assert sets.next(0, 1, START) == 0


def test_a_flat_stretch_is_one_value() -> None:
    sets = ValueSets(network(one_unit(0, 1, -100, SUM)), steps=50, coarse=0)
    with pytest.raises(LimitError, match="more than 50 steps; 1 of them are known, up to 0"):
        sets.next(1, 1, 0)


@both_ways
def test_steps_are_neither_wasted_nor_passed(coarse: int) -> None:
    layers = [one_unit(0, HALF, -20, SUM), one_unit(1, 1, 0)]
    enough = ValueSets(network(*layers), coarse=coarse)
    values = enough.first(2, 1, 9)
    assert ValueSets(network(*layers), enough.steps.taken, coarse).first(2, 1, 9) == values
    too_few = ValueSets(network(*layers), enough.steps.taken - 1, coarse)
    for _ in range(2):
        with pytest.raises(LimitError, match="E440"):
            too_few.first(2, 1, 9)


def test_a_mask_too_large_for_the_steps_is_never_made() -> None:
    sets = ValueSets(network(one_unit(0, 1000, -(10**6), SUM)), steps=500)
    for _ in range(2):
        with pytest.raises(LimitError, match="more than 500 steps; 0 of them are known"):
            sets.next(1, 1, 0)


def test_wide_gaps_are_no_trouble() -> None:
    sets = ValueSets(network(one_unit(0, 10**11, -(10**12), SUM)), steps=100)
    assert sets.first(1, 1, 3) == [0, 10**11, 2 * 10**11]


def test_start_and_end_take_no_steps() -> None:
    sets = ValueSets(network(one_unit(1, 1, 0), one_unit(1, 1, HALF)), steps=0)
    assert sets.next(2, 1, START) == HALF
    assert sets.next(2, 1, 4 + HALF) is END
    with pytest.raises(LimitError, match="take more than 0 steps; 0 of them are known"):
        sets.next(2, 1, 0)


@pytest.mark.parametrize(("layer", "unit", "code"), [(2, 1, "E375"), (-1, 1, "E375"), (1, 0, "E376"), (1, 2, "E376")])
def test_there_is_no_such_unit(layer: int, unit: int, code: str) -> None:
    with pytest.raises(InputError, match=code):
        ValueSets(network(one_unit(1, 1, 0))).next(layer, unit, START)


def test_only_monotonic_networks_have_value_sets() -> None:
    with pytest.raises(UnsupportedError, match="negative"):
        ValueSets(network(one_unit(-1, 1, 0)))
