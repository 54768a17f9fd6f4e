"""Exact arrays: the same numbers over another scale, or as floats where they are floats."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.networks.exact_array import ExactArray, as_integers, narrowest, unite

floats = st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=4)
integers = st.lists(st.integers(-(2**70), 2**70), max_size=4)
fractions = st.lists(st.fractions(), max_size=4)


def numbers(array: ExactArray) -> list[Fraction]:
    """What the entries stand for."""
    return [Fraction(entry) / array.scale for entry in array.entries.tolist()]


def of_integers(entries: list[int], scale: int) -> ExactArray:
    """The array with these numerators, as the network has it: int64 where it can be."""
    fits = all(-(2**63) <= entry < 2**63 for entry in entries)
    return ExactArray(np.array(entries, np.int64 if fits else object), scale)


@given(floats, integers, st.integers(1, 99), st.integers(1, 99))
def test_the_denominator_is_the_least_one(entries: list[float], others: list[int], scale: int, factor: int) -> None:
    for array in (ExactArray(np.array(entries, float)), of_integers(others, scale)):
        exact = numbers(array)
        assert array.denominator == math.lcm(*(number.denominator for number in exact))
        assert numbers(ExactArray(array.over(array.denominator * factor), array.denominator * factor)) == exact


@given(floats, integers, st.integers(1, 99))
def test_united_arrays_have_one_scale_and_the_same_numbers(entries: list[float], others: list[int], scale: int) -> None:
    arrays = [ExactArray(np.array(entries, float)), of_integers(others, scale), of_integers([1], 3)]
    for some in (arrays, arrays[1:], arrays[:1]):
        united, common = unite(some)
        assert [numbers(ExactArray(array, common)) for array in united] == [numbers(array) for array in some]


@given(fractions)
def test_fractions_become_floats_where_all_of_them_are(entries: list[Fraction]) -> None:
    array = ExactArray.from_fractions(entries)
    assert numbers(array) == entries
    assert array.is_float == all(Fraction(float(entry)) == entry for entry in entries)


@pytest.mark.parametrize("number", [10**400, -(10**400), Fraction(10**400 + 1, 3), Fraction(1, 2**1100), 2**53 + 1])
def test_numbers_that_are_no_floats(number: Fraction) -> None:
    array = ExactArray.from_fractions([Fraction(number)])
    assert not array.is_float and array.as_floats() is None and numbers(array) == [number]


@pytest.mark.parametrize(
    ("entry", "dtype"), [(2**63 - 1, "int64"), (2**63, "object"), (-(2**63), "int64"), (-(2**63) - 1, "object")]
)
def test_integers_are_int64_where_they_fit(entry: int, dtype: str) -> None:
    array = as_integers(np.array([0, entry], object))
    assert array.dtype == dtype and array.tolist() == [0, entry]


@pytest.mark.parametrize(
    ("entries", "dtype"),
    [
        ([-128, 127], "int8"),
        ([128], "int16"),
        ([-32769], "int32"),
        ([2**31], "int64"),
        ([], "int8"),
        ([0.5, 2.0**-149], "float32"),
        ([0.1], "float64"),
        ([1e300], "float64"),
    ],
)
def test_the_narrowest_type_that_is_exact(entries: list[float], dtype: str) -> None:
    array = np.array(entries, "f8" if dtype.startswith("float") else "i8")
    assert narrowest(array).dtype == dtype and np.array_equal(narrowest(array), array)
