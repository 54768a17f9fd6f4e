"""Bodies on graphs of given sorts: with the neighbours that every vertex of a sort has, capture is what it always is.

A vertex of a sort has so many neighbours of a colour, whether a body mentions them or not. Where it mentions one group
of them, those that are missing join the group: no match does with less. Where it mentions several, which may coincide,
the promised neighbours are a group of their own, whose members may be those of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from isolog.concepts.bodies import TRUE, Bodies, Body, Siblings
from isolog.correspondence.quotients import failing_quotients
from isolog.correspondence.tree_batches import TreeBatches
from isolog.datalog.treelike import TreeRule
from isolog.graphs.sorts import Sorts
from isolog.networks.network import Network

LIMIT = 20_000


class SortedBodies:
    """Decides which bodies a monotonic network captures on all graphs of the sorts."""

    def __init__(self, network: Network, sorts: Sorts) -> None:
        self.network, self.sorts = network, sorts
        self.bodies = Bodies(sorts)
        self._batches = TreeBatches(network)
        self._known: dict[tuple[Body, int, int], Body] = {}

    def captured(self, output: int, bodies: Sequence[Body], sort: int) -> list[bool]:
        """Per body, whether each of its matches gets the output; the root is of the sort. Decided exactly.

        A body whose variables can be merged in more ways than are tried is a LimitError.
        """
        features, colours = self.network.features, self.network.colours
        trees = [self.bodies.tree(self.completed(body, sort), features, colours) for body in bodies]
        rules = [TreeRule(features[output], tree) for tree in trees]
        return [failing is None for failing in failing_quotients(self._batches, rules, LIMIT)]

    def completed(self, body: Body, sort: int, far: int = 0) -> Body:
        """The body with the neighbours that its sort promises, as far as the network sees; `far` is from the root."""
        if far == len(self.network.layers):
            return body
        key = body, sort, far
        found = self._known.get(key)
        if found is None:
            by_colour: dict[int, list[tuple[Body, ...]]] = {}
            for colour, children in self.bodies.groups[body]:
                by_colour.setdefault(colour, []).append(children)
            groups: list[Siblings] = []
            for colour, around in enumerate(self.sorts[sort].neighbours):
                if around is None:
                    continue
                bare = self.completed(TRUE, around.sort, far + 1) if around.at_least else TRUE
                whole = [
                    tuple(self.completed(child, around.sort, far + 1) for child in children)
                    for children in by_colour.get(colour, ())
                ]
                if len(whole) == 1:
                    whole = [(*whole[0], *[bare] * (around.at_least - len(whole[0])))]
                elif around.at_least:
                    whole.append((bare,) * around.at_least)
                groups += [(colour, tuple(sorted(children))) for children in whole]
            found = self._known[key] = self.bodies.with_groups(body, groups)
        return found
