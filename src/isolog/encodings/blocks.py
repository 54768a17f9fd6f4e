"""The vertices of one sort: terms of the data, or function terms over them, as sorted rows of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.errors import Finding, LimitError
from isolog.facts.terms import Function, Term

Rows = NDArray[np.int64]
Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """How the vertices of a sort are written: `symbol(t_1, …)`, or just the term itself where there is no symbol.

    >>> Shape("g", 2).term(["a", "b"])
    Function(symbol='g', arguments=('a', 'b'))
    """

    symbol: str | None
    arity: int

    def term(self, arguments: Sequence[Term]) -> Term:
        """The vertex made of these terms."""
        return arguments[0] if self.symbol is None else Function(self.symbol, tuple(arguments))


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Consecutive vertices from `first` on: the distinct rows with these keys, over the terms 0 … `base` - 1.

    A key is the row read as a number with as many digits as columns; keys are in increasing order.
    """

    shape: Shape
    base: int
    keys: Keys
    first: int = 0

    @classmethod
    def of_rows(cls, shape: Shape, base: int, rows: Rows, first: int = 0) -> Block:
        """The block of the distinct rows among these."""
        return cls(shape, base, np.unique(row_keys(rows, base)), first)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def rows(self) -> Rows:
        """The terms that each vertex is made of."""
        rows = np.empty((len(self.keys), self.shape.arity), np.int64, order="F")
        rest = self.keys
        for column in range(self.shape.arity - 1, 0, -1):
            rest, rows[:, column] = np.divmod(rest, self.base)
        rows[:, 0] = rest
        return rows

    def find(self, rows: Rows) -> NDArray[np.int64]:
        """The vertex of each row, -1 where there is none."""
        wanted = row_keys(rows, self.base)
        places = np.searchsorted(self.keys, wanted)
        found = places < len(self.keys)
        found[found] = self.keys[places[found]] == wanted[found]
        return np.where(found, places + self.first, -1)


def row_keys(rows: Rows, base: int) -> Keys:
    """One number per row; a LimitError when the rows of so many terms do not fit 63 bits."""
    if base ** rows.shape[1] >= 2**63:
        message = f"tuples of {rows.shape[1]} among {base:,} terms are too many to be numbered"
        raise LimitError(Finding("E265", message, hint="an encoding with smaller tuples can hold these data"))
    keys = np.zeros(len(rows), np.int64)
    for column in rows.T:
        keys *= base
        keys += column
    return keys
