"""Goal regression: which concept says that a unit reaches a value, exactly.

A goal is a step and the sum still wanted from there on. It is the disjunction of the two ways to go on, and goals
with the same step whose wanted sums lie in one interval are one concept, as in a decision diagram of a linear
inequality. Wanted sums at most 0 are ⊤, sums beyond what is left to gain ⊥.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import TypeAlias

from isolog.concepts.dag import BOTTOM, TOP, Concepts, Node
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.steps import END, Question, Steps
from isolog.errors import Finding, LimitError

Goal: TypeAlias = tuple[int, int]
Piece: TypeAlias = tuple[int, int, Node]
"""The goals of one step with low < wanted ≤ high are one concept."""

_FAR = 1 << 200


class Regression:
    """Turns goals into concepts, each once; goals of all outputs share what they have in common."""

    def __init__(self, grid: Grid, concepts: Concepts, max_nodes: int | None = None) -> None:
        self.grid = grid
        self.concepts = concepts
        self.steps = Steps(grid)
        self.max_nodes = max_nodes
        self._highs: dict[int, list[int]] = {}
        self._pieces: dict[int, list[Piece]] = {}
        self._inner: dict[int, Node | Goal] = {}

    def concept(self, unit: Unit, value: Fraction) -> Node:
        """The concept of the vertices of the unit's sort where the unit is at least the value."""
        goal = self._goal(unit, value)
        if isinstance(goal, Node):
            return goal
        waiting = [goal]
        while waiting:
            missing = self._advance(*waiting[-1])
            if missing is None:
                waiting.pop()
            else:
                waiting.append(missing)
        found = self._find(*goal)
        assert found is not None
        return found[2]

    def _goal(self, unit: Unit, value: Fraction) -> Node | Goal:
        """The goal `unit ≥ value`: a node where nothing is left to ask, else a step and the sum wanted."""
        if unit.layer == 0:
            has = unit.index in self.grid.sorts[unit.sort].features
            return TOP if value <= 0 else self.concepts.label(unit.index) if value <= 1 and has else BOTTOM
        wanted = self.grid.argument(unit.layer, unit.index, value)
        return TOP if wanted is None else (self.steps.start(unit), wanted)

    def _find(self, step: int, wanted: int) -> Piece | None:
        if wanted <= 0:
            return (-_FAR, 0, TOP)
        left = self.steps.rest[step] if step != END else 0
        if wanted > left:
            return (left, _FAR, BOTTOM)
        highs = self._highs.get(step)
        if highs is None:
            return None
        place = bisect_left(highs, wanted)
        if place == len(highs):
            return None
        piece = self._pieces[step][place]
        return piece if piece[0] < wanted else None

    def _advance(self, step: int, wanted: int) -> Goal | None:
        """Solves the goal if everything it needs is solved, else names something that is not."""
        if self._find(step, wanted) is not None:
            return None
        steps = self.steps
        no = self._find(steps.no[step], wanted)
        if no is None:
            return (steps.no[step], wanted)
        gain = steps.gain[step]
        yes = self._find(steps.yes[step], wanted - gain)
        if yes is None:
            return (steps.yes[step], wanted - gain)
        node = no[2]
        if yes[2] not in (node, BOTTOM):
            answer = self._answer(step)
            if not isinstance(answer, Node):
                return answer
            node = self.concepts.either(self.concepts.both(answer, yes[2]), node)
        self._keep(step, (max(no[0], yes[0] + gain), min(no[1], yes[1] + gain), node))
        return None

    def _answer(self, step: int) -> Node | Goal:
        """The concept of a step's question, or the goal to be solved first."""
        inner = self._inner.get(step)
        if inner is None:
            question = self.steps.questions[step]
            value = Fraction(question.value, self.grid.value_scale(question.unit.layer))
            inner = self._inner[step] = self._goal(question.unit, value)
        if not isinstance(inner, Node):
            found = self._find(*inner)
            if found is None:
                return inner
            inner = self._inner[step] = found[2]
        return self._asked(self.steps.questions[step], inner)

    def _asked(self, question: Question, node: Node) -> Node:
        """The concept of a question whose inner goal is the node."""
        if question.colour is None:
            return node
        if node == TOP and question.number <= question.always:
            return TOP
        return self.concepts.at_least(question.number, question.colour, node)

    def _keep(self, step: int, piece: Piece) -> None:
        if self.max_nodes is not None and len(self.concepts) > self.max_nodes:
            raise LimitError(Finding("E421", f"more than {self.max_nodes:,} concepts"))
        highs = self._highs.setdefault(step, [])
        place = bisect_left(highs, piece[1])
        highs.insert(place, piece[1])
        self._pieces.setdefault(step, []).insert(place, piece)
