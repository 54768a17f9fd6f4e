"""Operators: everything isolog builds maps a dataset to a dataset, and any two can be compared on data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from isolog.facts.dataset import Dataset

Operator: TypeAlias = Callable[[Dataset], Dataset]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether two operators derive the same facts on a dataset, and what only one of them derives."""

    only_a: Dataset
    only_b: Dataset
    common: int

    @property
    def agrees(self) -> bool:
        """Whether neither derives a fact that the other does not."""
        return not len(self.only_a) and not len(self.only_b)


def agree(a: Operator, b: Operator, dataset: Dataset) -> Agreement:
    """The facts on which the two operators differ on the dataset."""
    of_a, of_b = a(dataset), b(dataset)
    only_a = of_a - of_b
    return Agreement(only_a, of_b - of_a, len(of_a) - len(only_a))
