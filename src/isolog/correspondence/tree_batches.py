"""Tree-like bodies evaluated thousands at a time: as one coloured graph in which equal subtrees are one vertex.

What a network computes at a vertex depends only on what hangs below it, so trees may share subtrees. Only equal
members of one group need a vertex each, for they are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.bounding import bounding_network
from isolog.correspondence.relevance import is_settled, relevant_colours
from isolog.datalog.treelike import Group, TreeFormula, TreeRule
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks.apply import labels
from isolog.networks.network import Network
from isolog.networks.prepared import PreparedNetwork, prepare

_CHUNK = 1_000


class TreeBatches:
    """A monotonic network that is ready to be applied to many bodies."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.relevant = relevant_colours(network)
        self.features = {name: number for number, name in enumerate(network.features)}
        self.colours = {name: number for number, name in enumerate(network.colours)}

    @cached_property
    def plain(self) -> PreparedNetwork:
        """The network itself: exact on settled bodies."""
        return prepare(self.network)

    @cached_property
    def bounding(self) -> PreparedNetwork:
        """What bounds it on bodies whose siblings may coincide."""
        return prepare(bounding_network(self.network))

    def bounded(self, rules: Sequence[TreeRule]) -> NDArray[np.bool_]:
        """Per rule whether every match of the body gets the head because for each colour the best group is enough.

        That suffices for capture; where the body is settled it is necessary, too. Decided exactly.
        """
        settled = np.array([is_settled(rule.body, self.relevant) for rule in rules], bool)
        result = np.zeros(len(rules), bool)
        for grouped in (False, True):
            places = np.flatnonzero(settled != grouped)
            for first in range(0, len(places), _CHUNK):
                chunk = places[first : first + _CHUNK]
                result[chunk] = self._reached([rules[place] for place in chunk], grouped)
        return result

    def _reached(self, rules: Sequence[TreeRule], grouped: bool) -> NDArray[np.bool_]:
        union = _Union(self.features, self.colours, grouped)
        roots = [union.vertex(rule.body) for rule in rules]
        heads = [self.features[rule.head] for rule in rules]
        return labels(self.bounding if grouped else self.plain, union.graph())[roots, heads]


class _Union:
    """The graph of many bodies as it grows; with a vertex per group if `grouped`."""

    def __init__(self, features: dict[str, int], colours: dict[str, int], grouped: bool) -> None:
        self.features, self.colours, self.grouped = features, colours, grouped
        self.numbers: dict[tuple[TreeFormula | Group, int], int] = {}
        self.edges: list[set[tuple[int, int]]] = [set() for _ in range(len(colours) * (1 + grouped))]

    def vertex(self, part: TreeFormula | Group, copy: int = 0) -> int:
        """The number of this copy of a formula or a group, with all that hangs below it in the graph."""
        if (part, copy) in self.numbers:
            return self.numbers[part, copy]
        number = self.numbers[part, copy] = len(self.numbers)
        for siblings in [part] if isinstance(part, Group) else part.groups:
            colour = self.colours[siblings.colour]
            members = Counter(siblings.children).items()
            self.edges[colour] |= {(number, self.vertex(child, n)) for child, times in members for n in range(times)}
            if self.grouped and siblings is not part:
                self.edges[len(self.colours) + colour].add((number, self.vertex(siblings)))
        return number

    def graph(self) -> ColouredGraph:
        """The graph so far."""
        count = len(self.numbers)
        features = np.zeros((count, len(self.features)), bool)
        for (part, _), number in self.numbers.items():
            if isinstance(part, TreeFormula):
                features[number, [self.features[label] for label in part.labels]] = True
        pairs = [np.array(sorted(found), np.int32).reshape(-1, 2) for found in self.edges]
        return ColouredGraph(features, tuple(Adjacency.from_edges(each[:, 0], each[:, 1], count) for each in pairs))
