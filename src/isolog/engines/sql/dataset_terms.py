"""A dataset's terms as databases hold them: numbers, or text where rules look into function terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.syntax import Program
from isolog.engines.engine import Options
from isolog.engines.sql.terms import Terms, has_functions
from isolog.facts.dataset import Dataset, Table
from isolog.facts.terms import Term, term_depth

Column: TypeAlias = NDArray[Any]


class DatasetTerms:
    """The terms of a dataset by their numbers; a function term is text iff the program has function terms."""

    def __init__(self, dataset: Dataset, program: Program) -> None:
        self.vocabulary = dataset.vocabulary
        self.structured = has_functions(program)
        quote = _as_text if self.structured else str
        self.terms = Terms(lambda term: str(self.vocabulary.intern(term)), quote)
        self._texts: NDArray[np.object_] | None = None
        if self.structured:
            used = dataset.term_numbers
            texts = np.empty(len(self.vocabulary), object)
            texts[used] = [self.terms.encode(self.vocabulary[number]) for number in used]
            self._texts = texts

    def columns(self, table: Table) -> dict[str, Column]:
        """The columns `a1`, `a2`, … of a table; the column `a0` of ones if it has none."""
        if not table.shape[1]:
            return {"a0": np.ones(len(table), np.int32)}
        values = table if self._texts is None else self._texts[table]
        return {f"a{place}": np.ascontiguousarray(values[:, place - 1]) for place in range(1, table.shape[1] + 1)}

    def table(self, columns: Iterable[Column], arity: int) -> NDArray[np.int32]:
        """The numbers of the terms in these columns; new function terms get new numbers."""
        read = [self._numbers(column) for column in columns]
        return np.stack(read, axis=1) if arity else np.empty((len(read[0]), 0), np.int32)

    def _numbers(self, column: Column) -> NDArray[np.int32]:
        if not self.structured or column.dtype != object:
            return np.asarray(column, np.int32)
        distinct = dict.fromkeys(column.tolist())
        numbers = {text: self.vocabulary.intern(self.terms.decode(text, self._constant)) for text in distinct}
        return np.array([numbers[text] for text in column.tolist()], np.int32)

    def _constant(self, text: str) -> Term:
        return self.vocabulary[int(text)]


def _as_text(word: str) -> str:
    return f"'{word}'"


def deepest_term(program: Program, dataset: Dataset, options: Options) -> int | None:
    """How deep a fixpoint may nest functions; no bound is needed for programs without function terms."""
    if not has_functions(program):
        return None
    return max(map(term_depth, dataset.terms), default=0) + options.max_term_depth
