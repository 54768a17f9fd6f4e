"""What training makes small: a weighted logistic loss, and for classes that exclude each other a softmax loss too.

Nearly all that a network may say is not known to be true, and a sample of it teaches as much as all. Every epoch asks
the vertices where something is to be derived, and at most so many of the others at random, which stand for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, softplus

from isolog.learning.examples import Entries, Examples, Outputs
from isolog.learning.settings import Settings
from isolog.learning.views import Rows


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """The vertices that an epoch asks, in increasing order, and for how many each of them stands.

    It `is_whole` if it has all vertices that there are.
    """

    rows: Rows
    stands_for: NDArray[np.float32]
    is_whole: bool


class Objective:
    """The loss of the arguments of the last activation; entries in `ignored` have no part in it."""

    def __init__(self, examples: Examples, targets: Entries, ignored: Entries, settings: Settings) -> None:
        self.settings = settings
        self.targets, self.ignored = targets, ignored
        self.outputs = examples.outputs
        self.asked = np.unique(np.concatenate([output.features for output in examples.outputs]))
        self.device = torch.device(settings.device)
        self._groups = [group for output in examples.outputs for group in _groups(output, examples)]
        self._weight = np.zeros(examples.graph.vertices, np.float32)
        for group, weight in self._groups:
            self._weight[group] = settings.negative_weight * weight
        self.true_weight = _balanced(np.concatenate([examples.known, targets])[:, 1], examples, settings.balance)

    def draw(self, random: np.random.Generator, hidden: Entries) -> Batch:
        """The vertices to ask when these entries are hidden."""
        needed = np.zeros(len(self._weight), bool)
        for entries in (hidden, self.targets):
            needed[entries[:, 0]] = True
        stands_for = needed.astype(np.float32)
        is_whole = True
        for group, _ in self._groups:
            others = group[~needed[group]]
            chosen = others
            if len(others) > self.settings.sample:
                chosen = random.choice(others, self.settings.sample, replace=False, shuffle=False)
                is_whole = False
            stands_for[chosen] = len(others) / max(1, len(chosen))
        rows = np.flatnonzero(stands_for)
        return Batch(rows, stands_for[rows], is_whole)

    def loss(self, arguments: Tensor, batch: Batch, hidden: Entries, shown: Entries) -> Tensor:
        """Per true entry that is asked for: targets, and what the input has and `hidden` hides."""
        total = arguments.new_zeros(())
        for output in self.outputs:
            inside = np.isin(batch.rows, output.vertices, assume_unique=True)
            part = _part(arguments, inside, np.isin(self.asked, output.features))
            if output.exclusive:
                total = total + self._of_classes(part, batch.rows[inside], output)
            else:
                weights = self._tensor((self._weight[batch.rows] * batch.stands_for)[inside])
                total = total + weights @ softplus(part).sum(dim=1)
        if not any(output.exclusive for output in self.outputs):
            total = total + self._of_entries(arguments, batch, hidden, shown)
        return total / max(1, len(hidden) + len(self.targets))

    def places(self, rows: Rows, entries: Entries) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the arguments of entries stand, whose vertices must be among the rows."""
        return np.searchsorted(rows, entries[:, 0]), np.searchsorted(self.asked, entries[:, 1])

    def _of_entries(self, arguments: Tensor, batch: Batch, hidden: Entries, shown: Entries) -> Tensor:
        """What true and ignored entries add to the loss of taking everything for false."""
        total = arguments.new_zeros(())
        weights = (1.0, hidden), (1.0, self.targets), (self.settings.known_weight, shown), (0.0, self.ignored)
        for true_weight, entries in weights:
            entries = entries[np.isin(entries[:, 0], batch.rows)]
            rows, columns = self.places(batch.rows, entries)
            found = arguments[torch.from_numpy(rows).to(self.device), torch.from_numpy(columns).to(self.device)]
            stands_for = batch.stands_for[rows]
            as_true = self._tensor(true_weight * self.true_weight[entries[:, 1]] * stands_for)
            as_false = self._tensor(self._weight[entries[:, 0]] * stands_for)
            total = total + (as_true - as_false) @ softplus(found) - as_true @ found
        return total

    def _of_classes(self, arguments: Tensor, rows: Rows, output: Outputs) -> Tensor:
        """Of the vertices whose class is told, both which class stands out and that it alone reaches the threshold."""
        own = self.targets[np.isin(self.targets[:, 0], rows)]
        told = arguments[torch.from_numpy(np.searchsorted(rows, own[:, 0])).to(self.device)]
        true = torch.from_numpy(np.searchsorted(np.sort(output.features), own[:, 1])).to(self.device)
        wanted = torch.zeros_like(told).scatter_(1, true[:, None], 1.0)
        by_largest = cross_entropy(told, true, reduction="sum")
        return by_largest + binary_cross_entropy_with_logits(told, wanted, reduction="sum") / told.shape[1]

    def _tensor(self, values: NDArray[np.float32]) -> Tensor:
        return torch.from_numpy(values.astype(np.float32)).to(self.device)


def _balanced(true: NDArray[np.int64], examples: Examples, balance: float) -> NDArray[np.float32]:
    """What a true entry of each output weighs: more where there are few, so that all weigh 1 in the mean."""
    counts = np.bincount(true, minlength=examples.graph.features.shape[1])
    weights = np.maximum(counts, 1.0) ** -balance
    return (weights / max(1e-9, (weights * counts).sum() / max(1, counts.sum()))).astype(np.float32)


def _groups(output: Outputs, examples: Examples) -> list[tuple[Rows, float]]:
    """The vertices of an output that facts speak of, and the others, which weigh no more than these in all."""
    told, others = (output.vertices[examples.told[output.vertices] == each] for each in (True, False))
    share = min(1.0, len(told) / len(others)) if len(told) and len(others) else 1.0
    return [(group, weight) for group, weight in ((told, 1.0), (others, share)) if len(group)]


def _part(arguments: Tensor, rows: NDArray[np.bool_], columns: NDArray[np.bool_]) -> Tensor:
    if not rows.all():
        arguments = arguments[torch.from_numpy(rows).to(arguments.device)]
    return arguments if columns.all() else arguments[:, torch.from_numpy(columns).to(arguments.device)]
