"""What training makes small: a weighted logistic loss, and for classes that exclude each other a softmax loss too."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from isolog.learning.examples import Entries, Examples
from isolog.learning.settings import Settings


class Objective:
    """The loss of the arguments of the last activation; entries in `ignored` have no part in it."""

    def __init__(self, examples: Examples, targets: Entries, ignored: Entries, settings: Settings) -> None:
        self.settings = settings
        self.targets, self.ignored = targets, ignored
        device = torch.device(settings.device)
        self.outputs = [
            (*(torch.from_numpy(part).to(device) for part in (output.vertices, output.features)), output.exclusive)
            for output in examples.outputs
        ]

    def loss(self, arguments: Tensor, hidden: Entries, shown: Entries) -> Tensor:
        """Per true entry that is asked for: targets, and what the input has and `hidden` hides."""
        settings = self.settings
        wanted = torch.zeros_like(arguments)
        weights = torch.full_like(arguments, settings.negative_weight)
        wanted[shown[:, 0], shown[:, 1]] = 1
        weights[shown[:, 0], shown[:, 1]] = settings.known_weight
        for entries in (hidden, self.targets):
            wanted[entries[:, 0], entries[:, 1]] = weights[entries[:, 0], entries[:, 1]] = 1
        weights[self.ignored[:, 0], self.ignored[:, 1]] = 0
        total = arguments.new_zeros(())
        for vertices, features, exclusive in self.outputs:
            parts = [each[vertices][:, features] for each in (arguments, wanted, weights)]
            total = total + (_of_classes(*parts[:2]) if exclusive else _of_entries(*parts))
        return total / max(1, len(hidden) + len(self.targets))


def _of_entries(arguments: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    return binary_cross_entropy_with_logits(arguments, wanted, weight=weights, reduction="sum")


def _of_classes(arguments: Tensor, wanted: Tensor) -> Tensor:
    """Of the vertices whose class is told, both which class stands out and that it alone reaches the threshold."""
    told = wanted.any(dim=1)
    arguments, wanted = arguments[told], wanted[told]
    by_largest = cross_entropy(arguments, wanted.argmax(dim=1), reduction="sum")
    return by_largest + binary_cross_entropy_with_logits(arguments, wanted, reduction="sum") / arguments.shape[1]
