"""Branch and bound over the labels of one shape: the bodies that get a head, without those that have too much.

Labels are chosen place by place, for thousands of bodies at once. What is chosen so far is a body, too: when it gets
the head already, what comes after is superfluous; and when the gains of the labels that are still to come
(`shape_values.py`) do not lift it to what is needed, nothing comes after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.shape_values import ShapeValues
from isolog.networks.prepared import Floats

Labels = NDArray[np.int16]
"""A row per body and a column per place: the label chosen there, as a number in the order of its vertex."""

_CHUNK = 1 << 11


class Fillings:
    """The labels of one shape; `seen[v]` are the columns of the labels that vertex `v` may have.

    `settled` says that siblings are distinct wherever that matters. `tick` is called now and then, and may raise.
    """

    def __init__(
        self, values: ShapeValues, seen: list[NDArray[np.intp]], settled: bool, tick: Callable[[], None]
    ) -> None:
        self.values, self.settled, self.tick = values, settled, tick
        self.tested = 0
        self.places = [v for v, vertex in enumerate(values.vertices) for _ in range(vertex.labels)]
        self._orders = list(seen)
        self._lifts: dict[int, list[Floats]] = {}

    def captured(self) -> Iterator[tuple[Labels, NDArray[np.bool_]]]:
        """The bodies that may get the head, and whether it is certain that they do.

        A row holds columns of the part, one for each place. Bodies that certainly get the head without one of their
        labels are left out.
        """
        none = np.zeros((1, 0), np.int16)
        self._leave_out_certain()
        if all(len(self._orders[v]) >= self.places.count(v) for v in self.places):
            self._order(self._gains(self._inputs(none), 0))
            for rows, sure in self._extend(none):
                yield self._columns(rows), sure

    def _leave_out_certain(self) -> None:
        """Drops the labels that are enough by themselves: what has them is superfluous."""
        if len(self.places) < 2:
            return
        for v in sorted(set(self.places)):
            alone = np.zeros((len(self._orders[v]), len(self.values.part.features)))
            alone[np.arange(len(alone)), self._orders[v]] = 1
            inputs = self._inputs(np.zeros((1, 0), np.int16))
            inputs[v] = alone
            self.tested += len(alone)
            self._orders[v] = self._orders[v][~self._certain(inputs, len(alone))]

    def _order(self, gains: list[Floats]) -> None:
        """Puts the labels of each vertex in order, those with the largest gains first; twins have the same order."""
        for v in sorted(set(self.places)):
            twin = self.values.vertices[v].twin
            best = np.argsort(-gains[v][0][self._orders[v]], kind="stable")
            self._orders[v] = self._orders[v][best] if twin is None else self._orders[twin]

    def _extend(self, rows: Labels) -> Iterator[tuple[Labels, NDArray[np.bool_]]]:
        for first in range(0, len(rows), _CHUNK):
            self.tick()
            chunk = rows[first : first + _CHUNK]
            self.tested += len(chunk)
            if rows.shape[1] == len(self.places):
                yield self._finished(chunk)
            else:
                yield from self._extend(self._longer(chunk))

    def _finished(self, rows: Labels) -> tuple[Labels, NDArray[np.bool_]]:
        """Those of the complete bodies that may get the head and need all of their labels."""
        part, value = self.values.part, self._root(self._inputs(rows), len(rows))
        rows = rows[~(value < part.needed - part.doubt)]
        for place in range(len(self.places)):
            if len(rows):
                rows = rows[~self._certain(self._inputs(rows, without=place), len(rows))]
        return rows, self._certain(self._inputs(rows), len(rows)) if len(rows) else np.zeros(0, bool)

    def _longer(self, rows: Labels) -> Labels:
        """The bodies with one label more from which the head may still be reached."""
        rows = rows[~self._certain(self._inputs(rows), len(rows))]
        if not len(rows):
            return np.zeros((0, rows.shape[1] + 1), np.int16)
        inputs, done = self._inputs(rows), rows.shape[1]
        gains = [gain[:, self._orders[v]] for v, gain in enumerate(self._gains(inputs, done))]
        here, later = self.places[done], self.places[done + 1 :]
        total = self._root(inputs, len(rows))[:, None] + gains[here]
        for v in set(later) - {here}:
            total += later.count(v) * gains[v].max(axis=1, keepdims=True)
        more = later.count(here)
        if more:
            best = np.maximum.accumulate(gains[here][:, ::-1], axis=1)[:, ::-1]
            total[:, :-1] += more * best[:, 1:]
        labels = np.arange(total.shape[1])
        possible = ~(total < self.values.part.needed - self.values.part.slack)
        possible &= (labels >= self._least(rows)[:, None]) & (labels < total.shape[1] - more)
        bodies, chosen = np.nonzero(possible)
        return np.hstack([rows[bodies], chosen[:, None].astype(np.int16)])

    def _least(self, rows: Labels) -> NDArray[np.integer]:
        """The least number that the next label may have: labels increase, and so do the first labels of twins."""
        done = rows.shape[1]
        here = self.places[done]
        if done and self.places[done - 1] == here:
            return rows[:, done - 1] + 1
        twin = self.values.vertices[here].twin
        return np.zeros(len(rows), np.int16) if twin is None else rows[:, self.places.index(twin)]

    def _certain(self, inputs: list[Floats], count: int) -> NDArray[np.bool_]:
        """Which bodies certainly get the head, however siblings coincide."""
        part = self.values.part
        with np.errstate(invalid="ignore"):
            return self._root(inputs, count, grouped=not self.settled) - part.doubt >= part.needed

    def _root(self, inputs: list[Floats], count: int, grouped: bool = False) -> Floats:
        """The arguments of the last σ at the root, for so many bodies."""
        _, arguments = self.values.arguments(inputs, grouped=grouped)
        return np.broadcast_to(arguments[-1][0][:, 0], (count,))

    def _gains(self, inputs: list[Floats], done: int) -> list[Floats]:
        lifts = self._lifts.get(done)
        if lifts is None:
            left = [self.places[done:].count(v) for v in range(len(self.values.vertices))]
            lifts = self._lifts[done] = self.values.lifts(self._orders, left)
        return self.values.gains(self.values.arguments(inputs), self.values.arguments(inputs, lifts))

    def _inputs(self, rows: Labels, without: int | None = None) -> list[Floats]:
        """Per vertex, its labels; with one place left empty if so wanted."""
        width = len(self.values.part.features)
        inputs = [np.zeros((1, width)) for _ in self.values.vertices]
        everybody = np.arange(len(rows))
        for place, v in enumerate(self.places[: rows.shape[1]]):
            if len(inputs[v]) != len(rows):
                inputs[v] = np.zeros((len(rows), width))
            if place != without:
                inputs[v][everybody, self._orders[v][rows[:, place]]] = 1
        return inputs

    def _columns(self, rows: Labels) -> Labels:
        columns = [self._orders[v][rows[:, place]].astype(np.int16) for place, v in enumerate(self.places)]
        return np.stack(columns, axis=1) if columns else rows
