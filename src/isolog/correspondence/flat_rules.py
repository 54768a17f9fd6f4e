"""Flat programs: tree-like rules that a network captures, with how much of the network they are (P_N, reduced)."""

from __future__ import annotations

from dataclasses import dataclass

from isolog.datalog.treelike import TreeRule


@dataclass(frozen=True, slots=True)
class FlatRules:
    """Rules that the network captures, none of them implied by those before it.

    Every captured rule of at most `complete_up_to_atoms` body atoms is implied by these (None: nothing is promised);
    `complete` says that together they are all of the network. `derivations` is how many derivations the network's
    concepts have, where they were counted.
    """

    rules: tuple[TreeRule, ...]
    complete: bool
    complete_up_to_atoms: int | None
    derivations: int | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search for rules ends: at rules with more atoms, after so many rules or seconds; None is no limit."""

    max_atoms: int | None = None
    max_rules: int | None = None
    seconds: float | None = None
