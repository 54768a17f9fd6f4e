"""Sums in increasing order: every pair that is expanded is a step."""

from itertools import islice

import pytest

from isolog.correspondence.frontier import LazySet, OutOfSteps, Steps, plus, plus_any_number, single


def numbers(count: int, steps: Steps) -> LazySet:
    return LazySet(iter(()), steps, range(count))


def test_each_pair_is_a_step() -> None:
    steps = Steps(10_000)
    assert list(plus(numbers(30, steps), numbers(30, steps))) == list(range(59))
    assert steps.taken > 30 * 30


def test_each_element_with_a_generator_is_a_step() -> None:
    steps = Steps(10_000)
    sums = plus_any_number(single(0, steps), [numbers(11, steps)])
    assert list(islice(sums, 100)) == list(range(100))
    assert steps.taken > 10 * (100 - 10)


def test_out_of_steps_stays_out_of_steps() -> None:
    steps = Steps(20)
    sums = plus(numbers(9, steps), numbers(9, steps))
    for _ in range(3):
        with pytest.raises(OutOfSteps):
            list(sums)
    assert steps.taken == 20 and sums.known == list(range(len(sums.known)))
