"""The workload of the engine benchmarks: a random coloured graph, and tree-shaped rules that share their steps."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program
from isolog.facts.dataset import Dataset, Vocabulary
from isolog.facts.terms import Predicate

COLOURS = ("r", "s", "t", "u")
LABELS = ("A", "B", "C", "D", "E", "F")


@dataclass(frozen=True)
class Size:
    """How large the graph is."""

    constants: int = 100_000
    edges: int = 1_000_000
    labels: int = 300_000

    def times(self, factor: float) -> Size:
        """The same shape, so many times as large."""
        return Size(int(self.constants * factor), int(self.edges * factor), int(self.labels * factor))

    @property
    def facts(self) -> int:
        """How many facts, but for repetitions."""
        return self.edges + self.labels


def workload_data(size: Size = Size(), seed: int = 0) -> Dataset:
    """Edges and labels drawn at random, evenly over colours and predicates; targets are skewed like real hubs."""
    chance = np.random.default_rng(seed)
    tables = {}
    for colour in COLOURS:
        count = size.edges // len(COLOURS)
        sources = chance.integers(0, size.constants, count)
        targets = (chance.random(count) ** 1.5 * size.constants).astype(np.int64)
        tables[Predicate(colour, 2)] = np.column_stack([sources, targets])
    for label in LABELS:
        tables[Predicate(label, 1)] = chance.integers(0, size.constants, size.labels // len(LABELS))[:, None]
    return Dataset.from_tables(Vocabulary(f"c{number}" for number in range(size.constants)), tables)


def workload_rules(seed: int = 0) -> str:
    """Twenty tree-shaped rules, up to three steps deep."""
    chance = random.Random(seed)
    below = [_label(chance) for _ in range(6)]
    level = [_step(chance, below) for _ in range(17)]
    above = [_step(chance, level) for _ in range(14)]
    heads = [_step(chance, above) for _ in range(20)]
    return "".join([f"p{number}(X0) :- {_literals(head, 0)}.\n" for number, head in enumerate(heads)])


def workload_program(seed: int = 0) -> Program:
    """The rules, parsed."""
    return parse(workload_rules(seed))


_Tree = tuple[str, tuple[tuple[str, int, "_Tree"], ...]]


def _label(chance: random.Random) -> _Tree:
    return chance.choice(LABELS), ()


def _step(chance: random.Random, below: list[_Tree]) -> _Tree:
    """A label, and one or two steps to what is below."""
    steps = [
        (chance.choice(COLOURS), chance.choice((1, 1, 2, 3)), chance.choice(below))
        for _ in range(chance.choice((1, 1, 2)))
    ]
    return (chance.choice((*LABELS, "")), tuple(steps))


def _literals(tree: _Tree, depth: int, fresh: list[int] | None = None) -> str:
    fresh = [depth] if fresh is None else fresh
    here, (label, steps) = f"X{depth}", tree
    found = [f"{label}({here})"] if label else []
    for colour, at_least, below in steps:
        fresh[0] += 1
        there = fresh[0]
        inner = _literals(below, there, fresh)
        body = f"{colour}({here}, X{there})" + (f", {inner}" if inner else "")
        found.append(body if at_least == 1 else f"#count{{X{there} : {body}}} >= {at_least}")
    return ", ".join(found)
