"""What an output is worth at the root of many bodies of one shape at once, and how much more labels can add at most.

The value is that on the body's own tree, in which siblings are distinct; with `grouped`, for each colour the best
group alone is aggregated, which bounds the value from below however siblings coincide (`quotients.py`).

The bound on more labels is linear in them. Let every unit lie between what it is now and what it could become. A
max-k-sum rises by at most the sum of what its members rise, and σ by at most its steepest secant from where it is now
to some point within reach. Going down from the output, this gives each label at each vertex a gain, and labels
together raise the output by no more than the sum of their gains, whatever the aggregations and activations are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.part_network import PartLayer, PartNetwork
from isolog.correspondence.reach import Path
from isolog.correspondence.shapes import Shape
from isolog.graphs.sorts import Neighbourhood, Sorts
from isolog.networks.prepared import Floats, PreparedLayer

Labelling = list[list[Floats]]
"""Per layer, and per vertex not too far from the root, a row per body."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex of a shape: its children by colour and group, and the sibling before it if that has the same shape."""

    sort: int
    path: Path
    labels: int
    groups: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]
    twin: int | None


def vertices(shape: Shape, sort: int, sorts: Sorts) -> list[Vertex]:
    """The vertices of a shape, the root first, parents before their children."""
    placed: list[tuple[Shape, int, Path, int | None]] = [(shape, sort, (), None)]
    found: list[Vertex] = []
    for number, (here, its_sort, path, twin) in enumerate(placed):
        assert number == len(found)
        by_colour: dict[int, list[tuple[int, ...]]] = {}
        before: dict[tuple[int, Shape], int] = {}
        for group in here.groups:
            around = sorts[its_sort].neighbours[group.colour]
            assert around is not None, "shapes have neighbours only where the sort allows some"
            members = tuple(range(len(placed), len(placed) + len(group.children)))
            by_colour.setdefault(group.colour, []).append(members)
            inside: dict[tuple[int, Shape], int] = before if len(members) == 1 else {}
            for child, place in zip(group.children, members, strict=True):
                key = group.colour, child
                placed.append((child, around.sort, (*path, group.colour), inside.get(key)))
                inside[key] = place
        groups = tuple((colour, tuple(members)) for colour, members in by_colour.items())
        found.append(Vertex(its_sort, path, here.labels, groups, twin))
    return found


class ShapeValues:
    """Values and gains for bodies of one shape, as a part of a network sees them.

    `inputs[v]` has a row per body and a column per feature of the part, or a single row that serves all bodies.
    """

    def __init__(self, part: PartNetwork, shape: Shape, sort: int, sorts: Sorts) -> None:
        self.part, self.sorts = part, sorts
        self.vertices = vertices(shape, sort, sorts)
        height = len(part.layers)
        self._up_to = [[vertex for vertex in self.vertices if len(vertex.path) <= far] for far in range(height + 1)]
        self._bare = [np.zeros((len(sorts), len(part.features))), *(layer.bare for layer in part.layers)]
        self._biases = [
            [self._bias(level, vertex) for vertex in self._above(level)] for level in range(len(part.layers))
        ]

    @np.errstate(all="ignore")
    def arguments(
        self, inputs: Sequence[Floats], lifts: Sequence[Floats] | None = None, grouped: bool = False
    ) -> tuple[Labelling, Labelling]:
        """The values below each layer, and the arguments of its σ; with lifts added to those of the first."""
        values: Labelling = [list(inputs)]
        arguments: Labelling = []
        for level, layer in enumerate(self.part.layers):
            below, found = values[-1], list[Floats]()
            for number, vertex in enumerate(self._above(level)):
                total = below[number] @ layer.own + self._biases[level][number]
                for colour, groups in vertex.groups:
                    weights = layer.around[colour]
                    if weights is not None:
                        total = total + self.aggregate(level, vertex, colour, groups, below, grouped) @ weights
                found.append(total if lifts is None or level else total + lifts[number])
            arguments.append(found)
            values.append([layer.whole.activate(argument) for argument in found])
        return values, arguments

    def lifts(self, labels: Sequence[NDArray[np.intp]], left: Sequence[int]) -> list[Floats]:
        """Per vertex, what so many labels more at each vertex can add to the arguments of the first σ at most.

        Vertex `v` may get `left[v]` of the labels `labels[v]`.
        """
        first, lifts = self.part.layers[0], list[Floats]()
        for number, vertex in enumerate(self._above(0)):
            lift = _most(first.own[labels[number]], left[number])
            for colour, groups in vertex.groups:
                weights = first.around[colour]
                if weights is not None:
                    children = (child for group in groups for child in group)
                    lift = lift + sum(_most(weights[labels[child]], left[child]) for child in children)
            lifts.append(lift)
        return lifts

    def aggregate(
        self,
        level: int,
        vertex: Vertex,
        colour: int,
        groups: Sequence[Sequence[int]],
        below: Sequence[Floats],
        grouped: bool = False,
    ) -> Floats:
        """Max-k-sum over the children by a colour, and over as many bare ones as the sort asks for besides."""
        around = self.sorts[vertex.sort].neighbours[colour]
        assert around is not None
        k, bare = self.part.layers[level].k, self._bare[level][around.sort]
        if grouped:
            return _largest([_aggregated(k, [below[u] for u in group], bare, around) for group in groups])
        return _aggregated(k, [below[u] for group in groups for u in group], bare, around)

    @np.errstate(all="ignore")
    def gains(self, low: tuple[Labelling, Labelling], high: tuple[Labelling, Labelling]) -> list[Floats]:
        """Per vertex: body × feature, how much the output rises at most with a label."""
        rise = [np.ones((1, 1))]
        for level in range(len(self.part.layers) - 1, -1, -1):
            layer = self.part.layers[level]
            below: list[Floats | None] = [None] * len(self._above(level - 1))
            for number, vertex in enumerate(self._above(level)):
                _add(below, number, rise[number] @ layer.own.T)
                for colour, groups in vertex.groups:
                    weights = layer.around[colour]
                    if weights is None:
                        continue
                    seen = rise[number] @ weights.T
                    compared = level and layer.k == 1
                    now = self.aggregate(level, vertex, colour, groups, low[0][level]) if compared else None
                    for child in (child for group in groups for child in group):
                        _add(below, child, seen if now is None else seen * (high[0][level][child] > now))
            rise = [np.zeros((1, 1)) if each is None else each for each in below]
            if level:
                whole = self.part.layers[level - 1].whole
                ends = zip(rise, low[1][level - 1], high[1][level - 1], strict=True)
                rise = [each * steepest_secant(whole, start, end) for each, start, end in ends]
        return rise

    def _above(self, level: int) -> list[Vertex]:
        """The vertices that have values above this many layers; these come first."""
        return self._up_to[len(self.part.layers) - level - 1]

    def _bias(self, level: int, vertex: Vertex) -> Floats:
        """What a vertex has without its labels and children."""
        layer: PartLayer = self.part.layers[level]
        mentioned = {colour for colour, _ in vertex.groups}
        total = layer.bias
        for colour, around in enumerate(self.sorts[vertex.sort].neighbours):
            weights = layer.around[colour]
            if around is not None and around.at_least and weights is not None and colour not in mentioned:
                total = total + min(layer.k, around.at_least) * (self._bare[level][around.sort] @ weights)
        return total


def steepest_secant(layer: PreparedLayer, start: Floats, end: Floats) -> Floats:
    """The steepest secant of σ from `start` to a point that is not beyond `end`; 0 where `end` is not beyond it."""
    value, rise = layer.activate(start), np.zeros(np.broadcast_shapes(start.shape, end.shape))
    for stop in (end, *layer.breaks[1:]):
        run = np.minimum(stop, end) - start
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = (layer.activate(np.minimum(stop, end)) - value) / run
        np.maximum(rise, slope, out=rise, where=run > 0)
    return rise


def _aggregated(k: int | float, members: list[Floats], bare: Floats, around: Neighbourhood) -> Floats:
    missing = max(0, around.at_least - len(members))
    if k == 1:
        return _largest([*members, bare] if missing else members)
    if k >= len(members) + missing:
        return sum(members[1:], members[0]) + missing * bare
    ordered = np.sort(np.stack(np.broadcast_arrays(*members, *[bare] * missing)), axis=0)
    return ordered[-int(k) :].sum(axis=0)


def _most(weights: Floats, number: int) -> Floats:
    """Per unit, the sum of so many of the largest weights."""
    if not number:
        return np.zeros(weights.shape[1])
    return np.sort(weights, axis=0)[-number:].sum(axis=0)


def _largest(parts: Sequence[Floats]) -> Floats:
    found = parts[0]
    for part in parts[1:]:
        found = np.maximum(found, part)
    return found


def _add(totals: list[Floats | None], place: int, more: Floats) -> None:
    so_far = totals[place]
    totals[place] = more if so_far is None else so_far + more
