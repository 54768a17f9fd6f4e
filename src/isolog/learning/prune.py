"""After training: weights without which the network is nearly as good are dropped, the least needed ones first.

Where training started from a network, its weights are not dropped but put back to what they were.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from isolog.learning.layers import Layers

Place = tuple[int, int]
"""The number of a stack of matrices, and of an entry in it."""


def prune(
    layers: Layers,
    measures: Callable[[], Sequence[float]],
    loss: Callable[[], Tensor],
    tolerance: float,
    attempts: int,
    until: float = math.inf,
) -> None:
    """Drops weights, or puts them back to their origins, while all measures stay within the tolerance of what they are
    now, in so many attempts at most, and not after `until` on the clock.

    Weights are tried in the order of what the loss is expected to change by, in groups: twice as many after a success,
    half as many after a failure; a single weight that is needed is left alone for the rest of the round.
    """
    least = [value - tolerance for value in measures()]
    _forget_rounded(layers)
    while attempts > 0:
        queue = _by_effect(layers, loss)
        before, group = len(queue), max(1, len(queue) // 4)
        while queue and attempts > 0:
            if time.monotonic() > until:
                return
            attempts -= 1
            chosen = queue[:group]
            kept = _dropped(layers, chosen)
            if all(value >= bound for value, bound in zip(measures(), least, strict=True)):
                del queue[:group]
                group *= 2
                continue
            _restore(layers, chosen, kept)
            if group == 1:
                del queue[0]
            group = max(1, group // 2)
        if _count(layers) == before:
            return


def _by_effect(layers: Layers, loss: Callable[[], Tensor]) -> list[Place]:
    layers.zero_grad()
    loss().backward()
    found: list[tuple[float, Place]] = []
    for number, (stack, origin) in enumerate(zip(layers.matrices, layers.all_origins(), strict=True)):
        change = stack.detach() - origin
        places = torch.nonzero(change.flatten())[:, 0]
        gradient = torch.zeros_like(stack) if stack.grad is None else stack.grad
        effect = (gradient * change).abs().flatten()[places]
        found += [(value, (number, place)) for value, place in zip(effect.tolist(), places.tolist(), strict=True)]
    layers.zero_grad()
    return [place for _, place in sorted(found)]


def _forget_rounded(layers: Layers) -> None:
    """Entries that are rounded to the same as their origins are those from now on."""
    with torch.no_grad():
        for stack, origin in zip(layers.matrices, layers.all_origins(), strict=True):
            stack.copy_(torch.where(layers.rounded(stack) == layers.rounded(origin), origin, stack))


def _dropped(layers: Layers, places: list[Place]) -> list[float]:
    flat = [stack.data.view(-1) for stack in layers.matrices]
    kept = [float(flat[number][place]) for number, place in places]
    origins = [origin.view(-1) for origin in layers.all_origins()]
    _restore(layers, places, [float(origins[number][place]) for number, place in places])
    return kept


def _restore(layers: Layers, places: list[Place], values: list[float]) -> None:
    flat = [stack.data.view(-1) for stack in layers.matrices]
    for (number, place), value in zip(places, values, strict=True):
        flat[number][place] = value


def _count(layers: Layers) -> int:
    stacks = zip(layers.matrices, layers.all_origins(), strict=True)
    return sum(int(torch.count_nonzero(stack != origin)) for stack, origin in stacks)
