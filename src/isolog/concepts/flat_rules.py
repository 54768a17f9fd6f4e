"""Flat programs: tree-like rules, none of them superfluous, with how much of the whole they are (P_N, reduced)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from isolog.concepts.dag import Node
from isolog.datalog.treelike import TreeRule


@dataclass(frozen=True, slots=True)
class Head:
    """A predicate, and the concept of the vertices of a sort for which it is derived."""

    name: str
    concept: Node
    sort: int = 0


@dataclass(frozen=True, slots=True)
class FlatRules:
    """Rules in order of size, none of them implied by the others together.

    Every rule of at most `complete_up_to_atoms` body atoms that holds is implied by these (None: nothing is promised);
    `complete` says that all rules that hold are. `derivations` is how many bodies there are before any is dropped,
    where they were counted, and `tests` how many implications between bodies, or captures of bodies, were decided.
    """

    rules: tuple[TreeRule, ...]
    complete: bool
    complete_up_to_atoms: int | None
    derivations: int | None = None
    tests: int = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search for rules ends: at rules with more atoms, after so many rules or seconds; None is no limit.

    With `max_atoms` these are the minimal ones of the rules with no more atoms: a longer rule may be more general.
    """

    max_atoms: int | None = None
    max_rules: int | None = None
    seconds: float | None = None

    def less(self, seconds: float) -> Budget:
        """The budget after so many seconds of other work."""
        return self if self.seconds is None else replace(self, seconds=max(0.0, self.seconds - seconds))

    def clock(self) -> Callable[[], None]:
        """What a search calls again and again from now on: it raises `OutOfTime` when the seconds are over."""
        if self.seconds is None:
            return lambda: None
        end = time.monotonic() + self.seconds

        def tick() -> None:
            if time.monotonic() > end:
                raise OutOfTime

        return tick


class OutOfTime(Exception):
    """The seconds of a budget are over; what was found stays valid."""
