"""Layers that begin as a given network, with more units beside it that nothing reads yet."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from isolog.learning.layers import Layers
from isolog.learning.start import Start

CARRIED = 1.0
"""With this weight a new unit reads the one of the same number in the layer below, so that layers are deep from the
start on only where training makes them so."""


def begin_with(layers: Layers, start: Start) -> None:
    """Puts the network in the first units of each layer, with nothing else in its way.

    New units read everything, sparsely and at random, and are read by new ones alone: training begins with exactly
    the network. Its weights are drawn back to where they were, as all others are to zero, and its biases stay.
    """
    last = len(layers.matrices) - 1
    given = [layers.shape.dimensions[0], *start.units, layers.shape.dimensions[-1]]
    layers.origins = [torch.zeros_like(stack) for stack in layers.matrices]
    with torch.no_grad():
        for number, (stack, bias) in enumerate(zip(layers.matrices, layers.biases, strict=True)):
            below, units = given[number], given[number + 1]
            own = torch.from_numpy(start.stacks[number]).to(stack)
            stack[:, :units] = 0
            stack[:, :units, :below] = own
            layers.origins[number][:, :units, :below] = own
            bias[:units] = torch.from_numpy(start.biases[number]).to(bias)
            if 0 < number < last:
                stack[0, units:, below:].fill_diagonal_(CARRIED)
    for number, bias in enumerate(layers.biases):
        held = torch.zeros_like(bias)
        held[: start.units[number] if number < last else 0] = 1
        held[list(start.thresholds) if number == last else []] = 1
        bias.register_hook(_without(held.bool()))
    layers.thresholds = dict(start.thresholds)


def _without(held: Tensor) -> Callable[[Tensor], Tensor]:
    """What takes the held entries out of a gradient."""

    def masked(gradient: Tensor) -> Tensor:
        return gradient.masked_fill(held, 0)

    return masked
