"""Counting tree-like formulas, and the bound of Thm. 6."""

import math

import pytest

from isolog.datalog.count_trees import (
    count_formulas,
    describe_count,
    has_more_formulas,
    least_digits,
    magnitude,
    theorem_bound,
)
from isolog.datalog.treelike import TreeClass

SMALL = [
    TreeClass(tuple("UVW"[:unary]), tuple("rs"[:colours]), d, f, inequalities)
    for unary in (0, 1, 3)
    for colours in (0, 1, 2)
    for d in (0, 1, 2)
    for f in (0, 1, 3)
    for inequalities in (True, False)
]


@pytest.mark.parametrize(
    ("trees", "expected"),
    [
        (TreeClass(("U",), ("r",), 0, 5), 2),
        (TreeClass(("U",), ("r",), 1, 1), 6),
        (TreeClass((), ("r",), 1, 2, inequalities=False), 3),
        (TreeClass((), ("r",), 1, 2), 4),  # ⊤, one child, two that may coincide, two distinct ones
        (TreeClass((), ("r",), 1, 5), 1 + 1 + 2 + 3 + 5 + 7),  # partitions of the number of children
        (TreeClass((), ("r", "s"), 1, 2), 1 + 2 + (3 + 2)),
        (TreeClass(("U",), (), 3, 3), 2),
        (TreeClass(("U",), ("r",), 3, 0), 2),
    ],
)
def test_counted_by_hand(trees: TreeClass, expected: int) -> None:
    assert count_formulas(trees) == expected


def test_counts_by_depth_add_up() -> None:
    trees = TreeClass(("U",), ("r",), depth=2, fan_out=1)
    assert [count_formulas(trees, depth) for depth in range(4)] == [
        2,
        18,
        98,
        98,
    ]  # 2·(1 + 2 + 3 + 3), 2·(1 + 6 + 21 + 21)


@pytest.mark.parametrize("trees", SMALL)
def test_estimates_enclose_the_count(trees: TreeClass) -> None:
    count = count_formulas(trees)
    digits = least_digits(trees)
    assert digits <= math.log10(count) + 1e-9
    if not trees.inequalities:
        assert digits == pytest.approx(math.log10(count))
        assert theorem_bound(trees) >= count


@pytest.mark.parametrize(
    ("trees", "bound"),
    [
        (TreeClass(("U",), ("r",), 2, 2), 2 * 3**23),  # at most 4·3! variables
        (TreeClass(("U", "V"), ("r", "s", "t"), 1, 2), 4 * 13**3),
        (TreeClass(("U",), ("r",), 0, 7), 2),
        (TreeClass(("U",), ("r",), 3, 0), 2),
    ],
)
def test_the_bound_of_theorem_6(trees: TreeClass, bound: int) -> None:
    assert theorem_bound(trees) == bound


def test_inequalities_raise_the_estimate() -> None:
    sets_of_sizes = least_digits(TreeClass((), ("r",), depth=1, fan_out=10))  # the subsets of {1, 2, 3, 4}
    assert 10**sets_of_sizes == pytest.approx(16)


@pytest.mark.parametrize("inequalities", [True, False])
def test_limits_are_exact(inequalities: bool) -> None:
    trees = TreeClass(("U", "V"), ("r",), depth=2, fan_out=1, inequalities=inequalities)
    count = count_formulas(trees)
    assert has_more_formulas(trees, count - 1) and not has_more_formulas(trees, count)
    assert has_more_formulas(trees, 3 * count - 1, times=3) and not has_more_formulas(trees, 3 * count, times=3)


def test_nothing_to_test_is_within_every_limit() -> None:
    assert not has_more_formulas(TreeClass(("U",), ("r",), 1, 1), 1, times=0)


@pytest.mark.parametrize("inequalities", [True, False])
def test_hopeless_numbers_are_described_at_once(inequalities: bool) -> None:
    trees = TreeClass(("U",) * 180, ("r",) * 4, depth=2, fan_out=7200, inequalities=inequalities)
    assert has_more_formulas(trees, 10**6)
    assert describe_count(trees).startswith("at least 10^5,326,1")
    assert describe_count(trees, times=10**99) == f"at least 10^{int(least_digits(trees)) + 99:,}"


def test_numbers_beyond_floating_point_are_described_too() -> None:
    deep = TreeClass(("U",), ("r",), depth=20, fan_out=10)
    assert describe_count(deep) == "at least 10^(10^37)"
    hopeless = TreeClass(("U",), ("r",), depth=500, fan_out=10)
    assert has_more_formulas(hopeless, 10**6) and describe_count(hopeless) == "at least 10^(10^308)"


def test_descriptions() -> None:
    trees = TreeClass(("U",), ("r",), depth=1, fan_out=1)
    assert describe_count(trees) == "6" and describe_count(trees, times=1000) == "6,000"
    assert magnitude(10**15 - 1) == "999,999,999,999,999" and magnitude(10**15) == "about 10^15"
    assert magnitude(7 * 10**5000) == "about 10^5,000"
    many_children = TreeClass(("U",), ("r",), depth=1, fan_out=1000)
    assert describe_count(many_children).startswith("at least 10^")
