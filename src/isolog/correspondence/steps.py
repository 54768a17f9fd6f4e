"""A unit's weighted sum as a sequence of yes-or-no steps, by the layer-cake identity.

With `v_1 < … < v_m` the levels of a feature and `N_p` the number of neighbours that reach `v_p`,
max-k-sum = Σ_p (v_p − v_{p−1}) · min(k, N_p). Each step asks whether one concept holds: yes adds its gain and goes
on to `yes`, no goes on to `no`. A chain of levels is asked from the top where one neighbour decides, and level by
level with ever smaller counts where several add up. Steps do not depend on what sum is wanted.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from isolog.correspondence.levels import Grid, Input, Unit

END = -1


@dataclass(frozen=True, slots=True)
class Question:
    """Whether `number` neighbours of the colour, or the vertex itself (colour None), reach a value of a unit.

    Every vertex that is asked has `always` neighbours of the colour at least.
    """

    unit: Unit
    value: int
    colour: int | None = None
    number: int = 1
    always: int = 0


@dataclass(frozen=True, slots=True)
class Chain:
    """One input of a unit: the positive levels of the unit below, and how many neighbours add up."""

    use: Input
    below: Unit
    levels: list[int]
    bound: int | float
    always: int

    def gains(self, room: int) -> list[list[tuple[int, Question]]]:
        """The layer-cake sum: what each question adds, in rows where each question implies those before it."""
        pairs = list(pairwise([0, *self.levels]))
        if self.bound == 1:
            return [[(self.use.weight * (value - lower), self.question(value)) for lower, value in pairs]]
        each = [(self.use.weight * (value - lower), value) for lower, value in pairs]
        counted = [(gain, value, int(min(self.bound, -(-room // gain)))) for gain, value in each]
        return [[(gain, self.question(value, n)) for n in range(1, most + 1)] for gain, value, most in counted]

    def question(self, value: int, number: int = 1) -> Question:
        """Whether so many reach the value."""
        return Question(self.below, value, self.use.colour, number, self.always)


class Steps:
    """The steps of all units asked for so far, in arrays.

    `rest` is the most that can be gained from a step on; `implies_next` says whether yes to a step's question is yes
    to the one that is asked after no.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.yes = array("i")
        self.no = array("i")
        self.gain: list[int] = []
        self.rest: list[int] = []
        self.implies_next = bytearray()
        self.questions: list[Question] = []
        self._starts: dict[Unit, int] = {}

    def start(self, unit: Unit) -> int:
        """The first step of the unit."""
        found = self._starts.get(unit)
        if found is None:
            found = self._starts[unit] = self._build(unit)
        return found

    def of_units(self) -> Iterator[tuple[Unit, range]]:
        """The units asked for, each with its steps, the last one first: the steps of a unit follow each other."""
        before = 0
        for unit, start in self._starts.items():
            if start != END:
                yield unit, range(start, before - 1, -1)
                before = start + 1

    def _build(self, unit: Unit) -> int:
        """Appends the steps, last input first."""
        room = max(self.grid.room(unit), 1)
        after = END
        for chain in reversed(self.chains(unit)):
            after = self._single(chain, after) if chain.bound == 1 else self._counted(chain, after, room)
        return after

    def chains(self, unit: Unit) -> list[Chain]:
        """What may add to the unit; the inputs that can gain most come first."""
        grid = self.grid
        room = max(grid.room(unit), 1)
        chains: list[tuple[int, Chain]] = []
        for use in grid.inputs[unit.layer - 1][unit.index]:
            below = grid.below(unit, use)
            bound = 1 if use.colour is None else grid.bound(unit.layer, use.colour, unit.sort)
            levels = [] if below is None else [value for value in grid.levels(below) if value]
            if below is not None and levels and bound:
                most = min(room, int(min(bound, room)) * use.weight * levels[-1])
                chains.append((most, Chain(use, below, levels, bound, grid.always(unit, use))))
        return [chain for _, chain in sorted(chains, key=lambda pair: pair[0])][::-1]

    def _single(self, chain: Chain, after: int) -> int:
        """One neighbour, or the vertex itself, decides: the highest level that is reached, asked from the top."""
        step = after
        for value in chain.levels:
            question = chain.question(value)
            step = self._step(question, chain.use.weight * value, after, step)
        return step

    def _counted(self, chain: Chain, after: int, room: int) -> int:
        """Several neighbours add up: how many reach the lowest level, how many of those the next one, and so on."""
        above: list[int] = [after]
        for lower, value in reversed(list(pairwise([0, *chain.levels]))):
            each = chain.use.weight * (value - lower)
            most = int(min(chain.bound, -(-room // each)))
            entries = [after]
            for number in range(1, most + 1):
                question = chain.question(value, number)
                entries.append(self._step(question, each * number, above[min(number, len(above) - 1)], entries[-1]))
            above = entries
        return above[-1]

    def _step(self, question: Question, gain: int, yes: int, no: int) -> int:
        self.implies_next.append(no != END and _implies(question, self.questions[no]))
        self.questions.append(question)
        self.gain.append(gain)
        self.yes.append(yes)
        self.no.append(no)
        self.rest.append(max(gain + self.left(yes), self.left(no)))
        return len(self.gain) - 1

    def left(self, step: int) -> int:
        """The most that can be gained from the step on."""
        return 0 if step == END else self.rest[step]


def _implies(one: Question, other: Question) -> bool:
    """Whether yes to one is yes to the other."""
    same = one.unit == other.unit and one.colour == other.colour
    return same and one.value >= other.value and one.number >= other.number
