"""Strata: the order in which the predicates of a program can be computed, so that `not` always asks what is settled.

The terms of the data count as a predicate: a rule with a variable that ranges over them needs them, and a rule
whose head may contain a term that is not yet among them provides some.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from isolog.datalog.scope import scoped
from isolog.datalog.syntax import BodyLiteral, Count, Negation, Program
from isolog.facts.terms import Atom, Predicate
from isolog.source import Span

TERMS = Predicate("the terms of the data", -1)


@dataclass(frozen=True, slots=True)
class Dependency:
    """The predicate `head` is derived from facts of the predicate `on`, or from their absence."""

    head: Predicate
    on: Predicate
    negated: bool = False
    span: Span | None = None


def body_atoms(literals: Iterable[BodyLiteral]) -> Iterator[tuple[Atom, bool]]:
    """The atoms among the literals, those inside counts included, each with whether it stands under `not`."""
    for literal in literals:
        match literal:
            case Atom():
                yield literal, False
            case Negation():
                yield literal.atom, True
            case Count():
                yield from body_atoms(literal.body)
            case _:
                pass


def dependencies(program: Program) -> list[Dependency]:
    """What each head is derived from in the least model, the terms of the data included."""
    found: list[Dependency] = []
    for rule in map(scoped, program.rules):
        head, atoms = rule.rule.head, list(body_atoms(rule.rule.body))
        found += [Dependency(head.predicate, atom.predicate, negated, atom.span) for atom, negated in atoms]
        if rule.unsafe:
            found.append(Dependency(head.predicate, TERMS, span=head.span))
        facts = [atom for atom, negated in atoms if not negated and atom.predicate not in program.auxiliary]
        known = rule.unsafe.union(argument for fact in facts for argument in fact.arguments)
        if head.predicate not in program.auxiliary and not known.issuperset(head.arguments):
            found.append(Dependency(TERMS, head.predicate, span=head.span))
    return found


def auxiliary_dependencies(program: Program) -> list[Dependency]:
    """What the auxiliary predicates are derived from, among themselves."""
    return [
        Dependency(rule.head.predicate, atom.predicate, negated, atom.span)
        for rule in program.rules
        if rule.head.predicate in program.auxiliary
        for atom, negated in body_atoms(rule.body)
        if atom.predicate in program.auxiliary
    ]


def strata(of: Iterable[Predicate], found: Iterable[Dependency]) -> list[frozenset[Predicate]]:
    """The sets of mutually dependent predicates, each after all those that it depends on.

    >>> a, b, c = (Predicate(name, 1) for name in "abc")
    >>> [sorted(p.name for p in s) for s in strata([a, b, c], [Dependency(a, b), Dependency(b, c), Dependency(c, b)])]
    [['b', 'c'], ['a']]
    """
    graph: dict[Predicate, dict[Predicate, None]] = {predicate: {} for predicate in of}
    for dependency in found:
        graph.setdefault(dependency.head, {})[dependency.on] = None
        graph.setdefault(dependency.on, {})
    return _components(graph)


def cycles(found: list[Dependency], negated: bool) -> Iterator[tuple[Dependency, ...]]:
    """One shortest cycle for each set of mutually dependent predicates; with `negated`, one that starts at a
    negated dependency, for each set that has such a cycle."""
    of_predicate = {predicate: number for number, members in enumerate(strata([], found)) for predicate in members}
    inside = [d for d in found if of_predicate[d.head] == of_predicate[d.on]]
    reported: set[int] = set()
    for dependency in inside:
        number = of_predicate[dependency.head]
        if (dependency.negated or not negated) and number not in reported:
            reported.add(number)
            yield (dependency, *_path(dependency.on, dependency.head, inside))


def _path(start: Predicate, end: Predicate, found: list[Dependency]) -> tuple[Dependency, ...]:
    """A shortest chain of dependencies from one predicate to another, which must exist."""
    leaving: dict[Predicate, list[Dependency]] = {}
    for dependency in found:
        leaving.setdefault(dependency.head, []).append(dependency)
    paths: dict[Predicate, tuple[Dependency, ...]] = {start: ()}
    queue = deque([start])
    while end not in paths:
        here = queue.popleft()
        for dependency in leaving[here]:
            if dependency.on not in paths:
                paths[dependency.on] = (*paths[here], dependency)
                queue.append(dependency.on)
    return paths[end]


def _components(graph: Mapping[Predicate, Iterable[Predicate]]) -> list[frozenset[Predicate]]:
    """The strongly connected components, successors first (Tarjan's algorithm, without recursion)."""
    order: dict[Predicate, int] = {}
    lowest: dict[Predicate, int] = {}
    pending: list[Predicate] = []
    found: list[frozenset[Predicate]] = []
    settled: set[Predicate] = set()
    for root in graph:
        path = [] if root in order else [(root, iter(graph[root]))]
        while path:
            node, successors = path[-1]
            if node not in order:
                order[node] = lowest[node] = len(order)
                pending.append(node)
            for successor in successors:
                if successor not in order:
                    path.append((successor, iter(graph[successor])))
                    break
                if successor not in settled:
                    lowest[node] = min(lowest[node], lowest[successor])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    members = {node}
                    while (member := pending.pop()) != node:
                        members.add(member)
                    found.append(frozenset(members))
                    settled |= members
    return found
