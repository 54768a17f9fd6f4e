"""Tree-like bodies on graphs of given sorts, by the letter: every way in which siblings can coincide is one graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import numpy as np

from isolog.datalog.enumerate_trees import tree_formulas
from isolog.datalog.tree_implication import maps_into, sibling_quotients
from isolog.datalog.treelike import TOP, TreeClass, TreeFormula, group, tree_formula
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Sorts
from isolog.networks import exact
from isolog.networks.network import Network


class SortedTrees:
    """The bodies and their graphs for a network and sorts."""

    def __init__(self, network: Network, sorts: Sorts) -> None:
        self.network, self.sorts = network, sorts
        self.colours = {name: number for number, name in enumerate(network.colours)}

    def bodies(self, sort: int, atoms: int) -> list[TreeFormula]:
        """The bodies with at most so many atoms that can hold at a vertex of the sort."""
        network = self.network
        trees = TreeClass(network.features, network.colours, len(network.layers), atoms)
        small = takewhile(lambda formula: formula.atoms <= atoms, tree_formulas(trees))
        return [formula for formula in small if self.is_possible(formula, sort)]

    def is_possible(self, formula: TreeFormula, sort: int) -> bool:
        """Whether some graph of the sorts has a match."""
        if any(self.network.features.index(label) not in self.sorts[sort].features for label in formula.labels):
            return False
        for each in formula.groups:
            around = self.sorts[sort].neighbours[self.colours[each.colour]]
            if around is None or len(each.children) > around.at_most:
                return False
            if not all(self.is_possible(child, around.sort) for child in each.children):
                return False
        return True

    def graphs(self, formula: TreeFormula, sort: int) -> Iterator[TreeFormula]:
        """The least trees of the sorts in which the body holds at the root; all siblings in them are distinct."""
        for quotient in sibling_quotients(formula):
            filled = self.filled(quotient, sort, len(self.network.layers))
            if filled is not None:
                yield filled

    def filled(self, tree: TreeFormula, sort: int, height: int) -> TreeFormula | None:
        """The tree with bare neighbours where the sorts promise more; None if it has too many."""
        if height == 0:
            return tree_formula(tree.labels)
        groups = {each.colour: each.children for each in tree.groups}
        whole: list[tuple[str, list[TreeFormula]]] = []
        for colour, around in zip(self.network.colours, self.sorts[sort].neighbours, strict=True):
            children = list(groups.get(colour, ()))
            if around is None or len(children) > around.at_most:
                if children:
                    return None
                continue
            children += [TOP] * (around.at_least - len(children))
            below = [self.filled(child, around.sort, height - 1) for child in children]
            if None in below:
                return None
            whole.append((colour, [child for child in below if child is not None]))
        return tree_formula(tree.labels, [group(colour, *children) for colour, children in whole])

    def captured(self, formula: TreeFormula, sort: int) -> list[bool]:
        """Per output, whether every match of the body gets it, on graphs of the sorts."""
        found = np.ones(len(self.network.thresholds), bool)
        for tree in self.graphs(formula, sort):
            found &= exact.apply(self.network, self.graph(tree))[0]
        return found.tolist()

    def implied(self, formula: TreeFormula, others: Sequence[TreeFormula], sort: int) -> bool:
        """Whether every match of the body is one of the others, on graphs of the sorts."""
        return all(any(maps_into(other, tree) for other in others) for tree in self.graphs(formula, sort))

    def graph(self, tree: TreeFormula) -> ColouredGraph:
        """The tree as a graph; its root is vertex 0."""
        vertices, edges = [tree], [list[tuple[int, int]]() for _ in self.colours]
        for number, vertex in enumerate(vertices):
            for each in vertex.groups:
                for child in each.children:
                    edges[self.colours[each.colour]].append((number, len(vertices)))
                    vertices.append(child)
        labels = np.array([[name in vertex.labels for name in self.network.features] for vertex in vertices], bool)
        ends = [np.array(pairs, np.int64).reshape(-1, 2) for pairs in edges]
        return ColouredGraph(labels, tuple(Adjacency.from_edges(e[:, 0], e[:, 1], len(vertices)) for e in ends))
