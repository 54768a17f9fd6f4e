"""The direct search: the minimal captured tree-like rules of a network, without rounding and without concepts.

For networks too dense to be written as concepts. Bodies are tried in order of size, shape by shape (`shapes.py`), by
branch and bound over their labels (`fillings.py`), thousands at a time. What float64 leaves in doubt, and bodies
whose siblings may coincide where that matters, are decided exactly (`sorted_bodies.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import TRUE, Body
from isolog.concepts.flat_rules import Budget, FlatRules, OutOfTime
from isolog.concepts.together import implied_together
from isolog.correspondence.fillings import Fillings
from isolog.correspondence.part_network import part_network
from isolog.correspondence.reach import Path, Reach, listens
from isolog.correspondence.relevance import relevant_colours
from isolog.correspondence.shape_values import ShapeValues
from isolog.correspondence.shapes import Shape, Shapes
from isolog.correspondence.sorted_bodies import SortedBodies
from isolog.datalog.treelike import TreeRule
from isolog.errors import LimitError
from isolog.graphs.sorts import Sorts, one_sort
from isolog.networks.classes import require_monotonic
from isolog.networks.network import MaxKSum, Network
from isolog.networks.prepared import prepare

_NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True)
class Output:
    """An output of a network, counted from 0, at vertices of a sort."""

    index: int
    sort: int = 0


def direct_rules(
    network: Network,
    sorts: Sorts | None = None,
    heads: Sequence[Output] | None = None,
    budget: Budget = _NO_LIMIT,
) -> FlatRules:
    """The minimal rules that hold on every graph of the sorts, up to the size that the budget allows.

    Without sorts they hold on every graph; without heads there is one for each sort that may have the feature. The
    `tests` of the result are bodies whose capture was tested.

    >>> from isolog.datalog.printer import print_rule
    >>> from isolog.datalog.tree_rules import to_rule
    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> network = Network.canonical(Signature.of(["A", "B"], ["r"]), [
    ...     Layer.from_fractions([[0, 1], [0, 0]], [[[1, 0], [0, 0]]], [0, 0]),
    ... ])
    >>> found = direct_rules(network, budget=Budget(max_atoms=3))
    >>> [print_rule(to_rule(rule)) for rule in found.rules], found.complete
    (['A(X) :- B(X).', 'A(X) :- r(X, Y), A(Y).'], True)
    """
    require_monotonic(network)
    sorts = sorts or one_sort(len(network.features), len(network.colours))
    search = _Search(network, sorts, every_output(network, sorts) if heads is None else heads, budget)
    try:
        complete_up_to = search.run()
    except (OutOfTime, LimitError):
        complete_up_to = search.level - 1
    complete = complete_up_to is None
    up_to = None if complete or complete_up_to < 0 else complete_up_to
    return FlatRules(tuple(sorted(search.rules(), key=_order)), complete, up_to, None, search.tested)


def every_output(network: Network, sorts: Sorts) -> list[Output]:
    """The outputs, each at vertices of the sorts that may have the feature."""
    outputs = range(len(network.thresholds))
    return [Output(i, s) for i in outputs for s, sort in enumerate(sorts) if i in sort.features]


def _order(rule: TreeRule) -> tuple[int, int, TreeRule]:
    return rule.body.atoms, rule.body.inequalities, rule


class _Search:
    """The bodies found so far, head by head."""

    def __init__(self, network: Network, sorts: Sorts, heads: Sequence[Output], budget: Budget) -> None:
        self.network, self.sorts, self.heads, self.budget = network, sorts, heads, budget
        self.tick = budget.clock()
        self.level = self.tested = 0
        self.exact = SortedBodies(network, sorts)
        self.bodies = self.exact.bodies
        self.found: list[list[Body]] = [[] for _ in heads]
        self.kept = [Antichain(self.bodies) for _ in heads]
        self._prepared = prepare(network)
        colours = [{network.colours.index(name) for name in names} for names in relevant_colours(network)]
        self._relevant = [frozenset(each) for each in colours]
        self._reaches = {head.index: Reach(network, head.index) for head in heads}

    def run(self) -> int | None:
        """Fills `found`; returns the number of atoms up to which it is complete, None if it is altogether."""
        most = [most_atoms(self.network, self._reaches[h.index], self.sorts, h.sort) for h in self.heads]
        for self.level in count():
            open_heads = [n for n in range(len(self.heads)) if self.level <= most[n] and TRUE not in self.found[n]]
            if not open_heads:
                return None
            if self.budget.max_atoms is not None and self.level > self.budget.max_atoms:
                return self.budget.max_atoms
            for number in open_heads:
                for body in self._captured(number):
                    self.kept[number].add(body)
                    self.found[number].append(body)
                    if self.budget.max_rules is not None and sum(map(len, self.found)) > self.budget.max_rules:
                        self.found[number].pop()
                        return self.level - 1
        raise AssertionError("levels are counted without end")

    def rules(self) -> list[TreeRule]:
        """The rules without those that the others imply."""
        features, colours = self.network.features, self.network.colours
        return [
            TreeRule(features[head.index], self.bodies.tree(body, features, colours))
            for number, head in enumerate(self.heads)
            for body in self._minimal(number)
        ]

    def _captured(self, number: int) -> Iterator[Body]:
        """The bodies of this level that get the head and are not implied by what is kept when they come."""
        head = self.heads[number]
        reach = self._reaches[head.index]
        part = part_network(self._prepared, reach, head.index, self.sorts, self.level)
        shapes = Shapes(part, reach, self.sorts, self._relevant)
        for shape in shapes.of_size(head.sort, self.level):
            self.tick()
            values = ShapeValues(part, shape, head.sort, self.sorts)
            seen = [shapes.labels(vertex.sort, vertex.path) for vertex in values.vertices]
            fillings = Fillings(values, seen, self._is_settled(shape), self.tick)
            for rows, sure in fillings.captured():
                self.tick()
                bodies = [self._body(values, fillings.places, part.features[row].tolist()) for row in rows]
                new = [(body, yes) for body, yes in zip(bodies, sure, strict=True) if not self._implied(number, body)]
                open_bodies = [body for body, yes in new if not yes]
                decided = iter(self.exact.captured(head.index, open_bodies, head.sort))
                for body, yes in new:
                    self.tick()
                    if (yes or next(decided)) and not self._implied(number, body):
                        yield body
            self.tested += fillings.tested

    def _body(self, values: ShapeValues, places: Sequence[int], labels: Sequence[int]) -> Body:
        """The body of a shape with these labels, place by place; children come before their parents."""
        made: dict[int, Body] = {}
        for number in range(len(values.vertices) - 1, -1, -1):
            vertex = values.vertices[number]
            parts = [self.bodies.label(label) for place, label in zip(places, labels, strict=True) if place == number]
            for colour, groups in vertex.groups:
                parts += [self.bodies.some(colour, (made[child] for child in group)) for group in groups]
            made[number] = TRUE
            for part in parts:
                made[number] = self.bodies.both(made[number], part, vertex.sort)
        return made[0]

    def _implied(self, number: int, body: Body, other_than: Body | None = None) -> bool:
        """Whether what is kept for the head, other than the given body, implies the body on graphs of the sorts."""
        sort = self.heads[number].sort
        return implied_together(self.kept[number], self.exact.completed(body, sort), sort, other_than)

    def _is_settled(self, shape: Shape, far: int = 0) -> bool:
        """Whether all same-colour siblings are distinct in every match, wherever that matters (`relevance.py`)."""
        if far == len(self._relevant):
            return True
        counted = [group.colour for group in shape.groups if group.colour in self._relevant[far]]
        children = (child for group in shape.groups for child in group.children)
        return len(counted) == len(set(counted)) and all(self._is_settled(child, far + 1) for child in children)

    def _minimal(self, number: int) -> list[Body]:
        """What was found without what something more general that came later, or several together, imply."""
        minimal: list[Body] = []
        for body in reversed(self.found[number]):
            if self._implied(number, body, other_than=body):
                self.kept[number].remove(body)
            else:
                minimal.append(body)
        return minimal


def most_atoms(network: Network, reach: Reach, sorts: Sorts, sort: int, path: Path = ()) -> int | float:
    """No rule of the output needs more atoms than this: as many neighbours as are counted, with all labels (Thm. 3)."""
    units = reach.units(path)
    total: int | float = sum(feature in sorts[sort].features for feature in np.flatnonzero(units[0]).tolist())
    for colour, around in enumerate(sorts[sort].neighbours) if len(units) > 1 else ():
        counted = 0.0
        for layer, above in zip(network.layers, units[1:]):
            assert isinstance(layer.aggregation, MaxKSum)
            read = int((layer.B[colour][above] != 0).any(axis=0).sum()) if listens(layer) else 0
            counted += layer.aggregation.k * read if read else 0
        children = 0 if around is None else min(counted, around.at_most)
        if around is not None and children:
            each = 1 + most_atoms(network, reach, sorts, around.sort, (*path, colour))
            total = math.inf if children == math.inf else total + int(children) * each
    return total
