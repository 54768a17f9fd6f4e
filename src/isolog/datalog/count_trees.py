"""How many (d,f)-tree-like formulas there are up to variable renaming: exactly, and the bound of Thm. 6.

The children of a variable are a multiset of groups, and a group is a colour with a multiset of children. There
are C(n+k−1, k) multisets of size k over n kinds.
"""

from __future__ import annotations

import math
from dataclasses import replace

from isolog.datalog.treelike import TreeClass

_EXACT_SLOTS = 200
_EXACT_DIGITS = 1000


def count_formulas(trees: TreeClass, depth: int | None = None) -> int:
    """How many formulas the class has, or how many of them have at most this depth, up to variable renaming.

    >>> count_formulas(TreeClass(("U",), ("E",), depth=1, fan_out=1))
    6
    """
    labellings = 2 ** len(trees.unary)
    levels = trees.depth if depth is None else min(depth, trees.depth)
    count = labellings
    for below in range(trees.depth - levels + 1, trees.depth + 1):
        sets = _counted_sets if trees.inequalities else _plain_sets
        count = labellings * sets(len(trees.colours), count, trees.fan_out * below)
    return count


def theorem_bound(trees: TreeClass) -> int:
    """The bound of Thm. 6 on formulas without inequalities, corrected: a variable other than the root may be absent.

    >>> theorem_bound(TreeClass(("U",), ("E",), depth=1, fan_out=1, inequalities=False))
    6
    """
    labellings = 2 ** len(trees.unary)
    if trees.fan_out == 0:
        return labellings
    others = trees.fan_out**trees.depth * math.factorial(trees.depth + 1) - 1
    return int(labellings * (1 + len(trees.colours) * labellings) ** others)


def describe_count(trees: TreeClass, times: int = 1) -> str:
    """`times` the number of formulas in words: exact, rounded, or a lower bound when even the number is too long.

    >>> describe_count(TreeClass(("U",), ("E",), depth=2, fan_out=9), times=2)
    'about 10^62'
    """
    if _is_countable(trees):
        return magnitude(times * count_formulas(trees))
    digits = min(least_digits(trees) + math.log10(times), 1e308)
    return f"at least 10^{int(digits):,}" if digits < 1e15 else f"at least 10^(10^{int(math.log10(digits))})"


def has_more_formulas(trees: TreeClass, limit: int, times: int = 1) -> bool:
    """Whether `times` the number of formulas exceeds the limit; quick however large the number is."""
    beyond = least_digits(trees) > math.log10(limit) + 1
    return times > 0 and (beyond or times * count_formulas(trees) > limit)


def magnitude(number: int) -> str:
    """The number with its digits grouped, or as a power of ten when they would not be read."""
    return f"{number:,}" if number < 10**15 else f"about 10^{int(math.log10(number)):,}"


def least_digits(trees: TreeClass) -> float:
    """A lower bound on the decimal logarithm of the number of formulas, from logarithms alone.

    Without inequalities it is the logarithm itself. With them, each set of sizes with a sum within the fan-out
    can be the sizes of the root's groups, and the numbers 1, …, s have 2^s subsets.
    """
    labellings = len(trees.unary) * math.log(2)
    logarithm = labellings
    for below in range(1, trees.depth + 1):
        kinds = logarithm + math.log(len(trees.colours)) if trees.colours else -math.inf
        logarithm = labellings + _log_plain_sets(kinds, trees.fan_out * below)
    if trees.inequalities and trees.colours:
        slots = trees.fan_out * trees.depth
        logarithm = max(logarithm, labellings + math.log(2) * ((math.isqrt(8 * slots + 1) - 1) // 2))
    return logarithm / math.log(10)


def _is_countable(trees: TreeClass) -> bool:
    within = not trees.inequalities or trees.fan_out * trees.depth <= _EXACT_SLOTS
    return within and least_digits(replace(trees, inequalities=False)) <= _EXACT_DIGITS


def _multisets(kinds: int, size: int) -> int:
    return math.comb(kinds + size - 1, size) if kinds else int(size == 0)


def _plain_sets(colours: int, formulas: int, slots: int) -> int:
    """How many multisets of at most `slots` coloured children there are."""
    return math.comb(colours * formulas + slots, slots)


def _counted_sets(colours: int, formulas: int, slots: int) -> int:
    """How many multisets of groups with at most `slots` children in all there are: ∏_k (1 − x^k)^(−groups of k)."""
    of_size = [1] + [0] * slots
    for size in range(1, slots + 1):
        kinds = colours * _multisets(formulas, size)
        repeated = [_multisets(kinds, times) for times in range(slots // size + 1)]
        of_size = [
            sum(repeated[times] * of_size[total - times * size] for times in range(total // size + 1))
            for total in range(slots + 1)
        ]
    return sum(of_size)


def _log_plain_sets(log_kinds: float, slots: int) -> float:
    """The logarithm of C(kinds + slots, slots), given that of `kinds`."""
    if log_kinds > 30:
        return slots * log_kinds - math.lgamma(slots + 1)
    kinds = math.exp(log_kinds)
    return math.lgamma(kinds + slots + 1) - math.lgamma(kinds + 1) - math.lgamma(slots + 1)
