"""Programs taken apart for other systems: relations, conjunctions without counts, and counts on their own.

One round (CONTRACTS: T_P) becomes a program without recursion: what is read and what is derived are relations of their
own, so that a system that computes least models computes one round. The least model of several rounds reads both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program, Rule
from isolog.facts.terms import Predicate, Term

_UNUSUAL = re.compile(r"[^A-Za-z0-9]+")
_LONGEST_NAME = 40


class Role(Enum):
    """What a relation holds: facts of the data, derived facts, both, what is local to the program, or all terms."""

    DATA = auto()
    DERIVED = auto()
    KNOWN = auto()
    LOCAL = auto()
    TERMS = auto()


_PREFIXES = {Role.DATA: "in_", Role.DERIVED: "out_", Role.KNOWN: "all_", Role.LOCAL: "aux_", Role.TERMS: ""}


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation, whose name is a word of letters, digits and `_`; two names differ in more than case."""

    name: str
    arity: int
    role: Role
    predicate: Predicate | None = None


TERMS = Relation("term", 1, Role.TERMS)


@dataclass(frozen=True, slots=True)
class Part:
    """`relation(arguments)`; `_` stands for anything."""

    relation: Relation
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The head holds where all `parts` hold, none of `absent`, and the pairs `different` differ.

    Each of its variables occurs in one of the parts. `origin` is the rule that it is made from.
    """

    head: Part
    parts: tuple[Part, ...] = ()
    absent: tuple[Part, ...] = ()
    different: tuple[tuple[Term, Term], ...] = ()
    origin: Rule | None = None


@dataclass(frozen=True, slots=True)
class Enough:
    """The head holds where `counted` has at least so many values of its last argument, the only one not in the head."""

    head: Part
    counted: Part
    at_least: int
    origin: Rule


Definition: TypeAlias = Conjunction | Enough


@dataclass(frozen=True, slots=True)
class FlatProgram:
    """Definitions, for one round each after those that it reads.

    `reads` are the relations of the data, `derives` those that are output.
    """

    program: Program
    rounds: Rounds
    definitions: tuple[Definition, ...]
    reads: Mapping[Predicate, Relation]
    derives: Mapping[Predicate, Relation]
    reads_terms: bool

    @property
    def locals(self) -> list[Relation]:
        """The relations that are neither data nor output nor the terms, in order of first use."""
        found = dict.fromkeys(
            part.relation for definition in self.definitions for part in (*parts_of(definition), definition.head)
        )
        return [relation for relation in found if relation.role in (Role.LOCAL, Role.KNOWN)]

    @property
    def undefined(self) -> list[Relation]:
        """The relations but those of the data that no definition fills, because each of their rules is false."""
        defined = {definition.head.relation for definition in self.definitions}
        return [r for r in (*self.locals, *self.derives.values()) if r not in defined]


def parts_of(definition: Definition) -> tuple[Part, ...]:
    """What a definition reads, `absent` parts included."""
    if isinstance(definition, Enough):
        return (definition.counted,)
    return (*definition.parts, *definition.absent)


class Names:
    """Hands out the names of relations: what they hold, then the last word of the predicate.

    >>> names = Names()
    >>> names.relation(Role.DATA, Predicate("http://ex.org/onto#memberOf", 2)).name
    'in_memberOf'
    >>> names.relation(Role.DATA, Predicate("memberof", 2)).name
    'in_memberof_2'
    """

    def __init__(self) -> None:
        self._taken = {TERMS.name}
        self._relations: dict[tuple[Role, Predicate], Relation] = {}

    def relation(self, role: Role, predicate: Predicate) -> Relation:
        """The relation that holds the facts of the predicate in this role."""
        known = self._relations.get((role, predicate))
        if known is None:
            known = Relation(self._free(_PREFIXES[role] + _last_word(predicate.name)), predicate.arity, role, predicate)
            self._relations[role, predicate] = known
        return known

    def local(self, word: str, arity: int) -> Relation:
        """A new relation that no predicate has."""
        return Relation(self._free(f"{word}_1"), arity, Role.LOCAL)

    def _free(self, name: str) -> str:
        stem, number = name.removesuffix("_1"), 1
        while name.lower() in self._taken:
            number += 1
            name = f"{stem}_{number}"
        self._taken.add(name.lower())
        return name


def _last_word(name: str) -> str:
    words = [word for word in re.split("[#/:]", name) if _UNUSUAL.sub("", word)]
    last = _UNUSUAL.sub("_", words[-1]).strip("_") if words else ""
    return last[:_LONGEST_NAME].rstrip("_") or "predicate"
