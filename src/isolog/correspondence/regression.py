"""Goal regression: which concept says that a unit reaches a value, exactly.

A goal is a step and the sum still wanted from there on. It is the disjunction of the two ways to go on, and goals
with the same step whose wanted sums lie in one interval are one concept, as in a decision diagram of a linear
inequality. Wanted sums at most 0 are ⊤, sums beyond what is left to gain ⊥. The goals of a unit whose diagrams would
be too large are made by counters instead, each at once; such a unit has a place in place of a step.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from isolog.concepts.dag import BOTTOM, TOP, Concepts, Node
from isolog.correspondence.counters import counters_size, sum_reaches
from isolog.correspondence.levels import Grid, Unit
from isolog.correspondence.sizes import Plan, plan
from isolog.correspondence.steps import END, Question, Steps
from isolog.errors import Finding, LimitError

Goal: TypeAlias = tuple[int, int]
Piece: TypeAlias = tuple[int, int, Node]
"""The goals of one step with low < wanted ≤ high are one concept."""

_FAR = 1 << 200


class Regression:
    """Turns goals into concepts, each once; goals of all outputs share what they have in common."""

    def __init__(
        self, grid: Grid, concepts: Concepts, max_nodes: int | None = None, small: int | float = math.inf
    ) -> None:
        """`small` is how large a diagram may be before counters are preferred; always diagrams, unless told."""
        self.grid = grid
        self.concepts = concepts
        self.steps = Steps(grid)
        self.max_nodes = max_nodes
        self.small = small
        self._highs: dict[int, list[int]] = {}
        self._pieces: dict[int, list[Piece]] = {}
        self._answers: dict[int, Node] = {}
        self._plans: dict[Unit, Plan] = {}
        self._places: dict[Unit, int] = {}
        self._counted: list[Unit] = []
        self._reached: dict[Goal, Node] = {}

    def concept(self, unit: Unit, value: Fraction) -> Node:
        """The concept of the vertices of the unit's sort where the unit is at least the value."""
        goal = self._goal(unit, value)
        if isinstance(goal, Node):
            return goal
        waiting = [goal]
        while waiting:
            missing = self._advance(*waiting[-1])
            waiting += missing
            if not missing:
                waiting.pop()
        found = self._find(*goal)
        assert found is not None
        return found[2]

    def known(self, unit: Unit, value: Fraction) -> Node | None:
        """What `concept` gives, if it has been needed."""
        goal = self._goal(unit, value)
        if isinstance(goal, Node):
            return goal
        found = self._find(*goal)
        return None if found is None else found[2]

    def solved(self) -> Iterator[tuple[int, Piece]]:
        """The steps asked for, with the goals that were solved there."""
        for step, pieces in self._pieces.items():
            for piece in pieces:
                yield step, piece

    def _goal(self, unit: Unit, value: Fraction) -> Node | Goal:
        """The goal `unit ≥ value`: a node where nothing is left to ask, else a step and the sum wanted."""
        if unit.layer == 0:
            has = unit.index in self.grid.sorts[unit.sort].features
            return TOP if value <= 0 else self.concepts.label(unit.index) if value <= 1 and has else BOTTOM
        wanted = self.grid.argument(unit.layer, unit.index, value)
        return TOP if wanted is None else (self._start(unit), wanted)

    def plan(self, unit: Unit) -> Plan:
        """How the concepts of a unit above the input are made."""
        found = self._plans.get(unit)
        if found is None:
            found = self._plans[unit] = plan(self.grid, self.steps, unit, self.small)
        return found

    def _start(self, unit: Unit) -> int:
        """The first step of the unit, or its place, before `END` and all steps, if it is counted."""
        if not self.plan(unit).is_counted:
            return self.steps.start(unit)
        place = self._places.setdefault(unit, END - 1 - len(self._counted))
        if place == END - 1 - len(self._counted):
            self._counted.append(unit)
        return place

    def _find(self, step: int, wanted: int) -> Piece | None:
        if wanted <= 0:
            return (-_FAR, 0, TOP)
        if step < END:
            node = self._reached.get((step, wanted))
            return None if node is None else (wanted - 1, wanted, node)
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

    def _advance(self, step: int, wanted: int) -> list[Goal]:
        """Solves the goal if everything it needs is solved, else names what is not."""
        if self._find(step, wanted) is not None:
            return []
        if step < END:
            return self._count(step, wanted)
        steps = self.steps
        no = self._find(steps.no[step], wanted)
        if no is None:
            return [(steps.no[step], wanted)]
        gain = steps.gain[step]
        yes = self._find(steps.yes[step], wanted - gain)
        if yes is None:
            return [(steps.yes[step], wanted - gain)]
        node = no[2]
        if yes[2] not in (node, BOTTOM) and not self._is_superfluous(step, wanted, yes[2]):
            answer = self._answer(step)
            if not isinstance(answer, Node):
                return [answer]
            node = self.concepts.either(self.concepts.both(answer, yes[2]), node)
        self._keep(step, (max(no[0], yes[0] + gain), min(no[1], yes[1] + gain), node))
        return []

    def _is_superfluous(self, step: int, wanted: int, yes: Node) -> bool:
        """Whether the next question, which yes to this one answers, leads to the same concept."""
        steps, lower = self.steps, self.steps.no[step]
        if not steps.implies_next[step]:
            return False
        found = self._find(steps.yes[lower], wanted - steps.gain[lower])
        return found is not None and found[2] == yes

    def _count(self, place: int, wanted: int) -> list[Goal]:
        """Solves a goal of a counted unit if all its questions are solved, else names those that are not."""
        unit, missing = self._counted[END - 1 - place], list[Goal]()
        chains: list[list[tuple[int, Node]]] = []
        for chain in self.steps.chains(unit):
            for row in chain.gains(wanted):
                answers = [(gain, self._solved(question)) for gain, question in row]
                missing += [answer for _, answer in answers if not isinstance(answer, Node)]
                chains.append([(gain, answer) for gain, answer in answers if isinstance(answer, Node)])
        if not missing:
            self._check_room(counters_size([[gain for gain, _ in chain] for chain in chains], wanted))
            self._reached[place, wanted] = sum_reaches(self.concepts, chains, wanted)
        return missing

    def _answer(self, step: int) -> Node | Goal:
        """The concept of a step's question, or the goal to be solved first."""
        answer = self._answers.get(step)
        if answer is None:
            answer = self._solved(self.steps.questions[step])
            if isinstance(answer, Node):
                self._answers[step] = answer
        return answer

    def _solved(self, question: Question) -> Node | Goal:
        """The concept of a question, or the goal to be solved first."""
        value = Fraction(question.value, self.grid.value_scale(question.unit.layer))
        inner = self._goal(question.unit, value)
        if isinstance(inner, Node):
            return self._asked(question, inner)
        found = self._find(*inner)
        return inner if found is None else self._asked(question, found[2])

    def _asked(self, question: Question, node: Node) -> Node:
        """The concept of a question whose inner goal is the node."""
        if question.colour is None:
            return node
        if node == TOP and question.number <= question.always:
            return TOP
        return self.concepts.at_least(question.number, question.colour, node)

    def _keep(self, step: int, piece: Piece) -> None:
        self._check_room()
        highs = self._highs.setdefault(step, [])
        place = bisect_left(highs, piece[1])
        highs.insert(place, piece[1])
        self._pieces.setdefault(step, []).insert(place, piece)

    def _check_room(self, more: int = 0) -> None:
        if self.max_nodes is not None and len(self.concepts) + more > self.max_nodes:
            raise LimitError(Finding("E421", f"more than {self.max_nodes:,} concepts"))
