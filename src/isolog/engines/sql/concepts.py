"""Concepts as SQL, bottom up: sets of terms, counted over edges instead of joined; a shared concept is one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from isolog.concepts.dag import AND, BOTTOM, COUNT, LABEL, OR, TOP, Concepts, Node

_LONGEST = 10_000


class ConceptRelations:
    """Relations with the column `a1`, in which every term stands once, for the nodes that are asked for.

    `feature` and `colour` say where labels and edges are, `define` makes a table of a query.
    """

    def __init__(
        self,
        concepts: Concepts,
        feature: Callable[[int], str],
        colour: Callable[[int], str],
        define: Callable[[str], str],
    ) -> None:
        self._concepts = concepts
        self._feature = feature
        self._colour = colour
        self._define = define
        self._uses: Counter[Node] = Counter()
        self._tables: dict[Node, str] = {}
        self._sources: dict[Node, list[str]] = {}

    def expect(self, nodes: Iterable[Node]) -> None:
        """These nodes will be asked for: what they share is worth a table."""
        wanted = [*nodes]
        self._uses.update(wanted)
        for node in self._concepts.reachable(wanted):
            self._uses.update(self._concepts.parts(node))

    def relation(self, node: Node) -> str:
        """A relation for the node."""
        for part in self._concepts.reachable([node]):
            if part > BOTTOM and part not in self._tables and part not in self._sources:
                self._sources[part] = self._made(part)
                if self._uses[part] > 1 or sum(map(len, self._sources[part])) > _LONGEST:
                    self._table(part)
        return _one(self._part(node))

    def _table(self, node: Node) -> None:
        """Makes a table of the node, unless it has one by another name already."""
        query = _one(self._sources.pop(node))
        self._tables[node] = self._define(query[1:-1]) if query.startswith("(") else query

    def _part(self, node: Node) -> list[str]:
        """The sets whose intersection the node is."""
        return [self._tables[node]] if node in self._tables else self._sources[node]

    def _made(self, node: Node) -> list[str]:
        left, right = self._concepts.left[node], self._concepts.right[node]
        match self._concepts.kinds[node]:
            case kind if kind == LABEL:
                return [self._feature(left)]
            case kind if kind == AND:
                return [*self._part(left), *self._part(right)]
            case kind if kind == OR:
                union = " UNION ".join([f"SELECT a1 FROM {_one(self._part(part))} AS x" for part in (left, right)])
                return [f"({union})"]
            case kind if kind == COUNT:
                return [self._counted(node)]
            case _:
                raise AssertionError("⊤ and ⊥ are no parts of rules")

    def _counted(self, node: Node) -> str:
        """The terms with enough neighbours in the part."""
        at_least, colour = self._concepts.quantity(node)
        part = self._concepts.left[node]
        sources = [] if part == TOP else self._part(part)
        joins = "".join([f" JOIN {source} AS x{n} ON e.a2 = x{n}.a1" for n, source in enumerate(sources)])
        edges = f"{self._colour(colour)} AS e{joins}"
        if at_least == 1:
            return f"(SELECT DISTINCT e.a1 AS a1 FROM {edges})"
        sums = f"SELECT e.a1 AS a1, COUNT(*) AS times FROM {edges} GROUP BY e.a1"
        return f"(SELECT a1 FROM ({sums}) AS sums WHERE times >= {at_least})"


def _one(sources: Sequence[str]) -> str:
    """The intersection of sets, in which every term stands once."""
    first, *others = dict.fromkeys(sources)
    joins = [f" JOIN {source} AS x{n} ON x0.a1 = x{n}.a1" for n, source in enumerate(others, 1)]
    return f"(SELECT x0.a1 AS a1 FROM {first} AS x0{''.join(joins)})" if others else first
