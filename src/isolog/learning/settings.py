"""How a network is trained: the choices that a user can make, with values that do well without tuning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Device: TypeAlias = Literal["cpu", "cuda"]
AggregationName: TypeAlias = int | float

NAMES: dict[str, AggregationName] = {"max": 1, "sum": math.inf}


@dataclass(frozen=True, slots=True)
class Settings:
    """One training run.

    `hidden` units are in each layer but the last; without a number, twice as many as features, but from 8 to 64.
    `hide` is the share of the input's facts that each epoch hides and asks for, or where there are classes to learn,
    hides without asking; `known_weight` and `negative_weight`
    weigh what the input says already, and what is not known to be true, against a target. With `balance` facts of a
    predicate with n facts weigh n^-balance as much, so that rare predicates have a say. `sparsity` is what a
    step takes from every weight, in learning rates; it grows over the first half of the epochs. From
    `rounded_from` on, a share of the epochs, the weights are on the grid of `bits` whenever the network is applied.
    `held_out` is the share of the targets, and `taken` that of the input's facts, that the network is judged by; it may
    lose `pruning_tolerance` of its score by dropping weights. Of the vertices where nothing is to be derived, an
    epoch asks at most `sample` of those that facts speak of, and as many others. Of a graph with more than
    `most_vertices` a part is used.
    """

    aggregation: tuple[AggregationName, ...] = (1, 1)
    hidden: int | None = None
    epochs: int = 300
    learning_rate: float = 0.02
    density: float = 0.2
    scale: float = 0.1
    hide: float = 0.3
    known_weight: float = 0.02
    negative_weight: float = 0.03
    balance: float = 0.0
    sparsity: float = 0.01
    bits: int | None = 2
    rounded_from: float = 0.6
    held_out: float = 0.2
    taken: float = 0.1
    pruning_tolerance: float = 0.0002
    pruning_attempts: int = 400
    sample: int = 5_000
    most_vertices: int = 4_000_000
    seed: int = 0
    device: Device = "cpu"

    def dimensions(self, features: int, given: Sequence[int] = ()) -> tuple[int, ...]:
        """δ_0, …, δ_L; the units of each layer but the last are added to the given ones.

        >>> Settings().dimensions(9)
        (9, 18, 9)
        """
        hidden = self.hidden or min(64, max(8, 2 * features))
        return (features, *(hidden + each for each in given or [0] * (self.layers - 1)), features)

    @property
    def layers(self) -> int:
        """L."""
        return len(self.aggregation)


def aggregation_of(name: str) -> AggregationName:
    """The k of `max`, `sum` or a number.

    >>> aggregation_of("sum"), aggregation_of("3")
    (inf, 3)
    """
    return NAMES[name] if name in NAMES else int(name)
