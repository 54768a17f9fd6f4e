"""Between which sizes the bodies of concepts lie: bounds by imprints, in one pass over the graph."""

from __future__ import annotations

from isolog.concepts.dag import AND, BOTTOM, COUNT, LABEL, OR, Concepts
from isolog.concepts.imprints import Imprint, Imprints

ENDLESS = 1 << 20
"""Sizes from here on are not told apart."""

ANY: Imprint = -1
"""All atoms there are: where groups of a conjunction may be joined, nothing more is known."""


class Extents:
    """Per node: the atoms in the imprints of all its bodies (`common`) and of any (`possible`), and the least and the
    most atoms of an imprint (`least`, `most`). ⊥ has no bodies, so its `least` is `ENDLESS`.

    Joining groups never makes a body longer as it is written, though its imprint may have more than the two had; so
    where groups may be joined, `most` is what can be written."""

    def __init__(self, concepts: Concepts, imprints: Imprints) -> None:
        self.common: list[Imprint] = [0] * len(concepts)
        self.possible: list[Imprint] = [0] * len(concepts)
        self.least = [0] * len(concepts)
        self.most = [0] * len(concepts)
        self._repeated: dict[int, Imprint] = {}
        self._written = [0] * len(concepts)
        self._imprints = imprints
        self.least[BOTTOM] = ENDLESS
        kinds, left, right = concepts.kinds, concepts.left, concepts.right
        for node, kind in enumerate(kinds):
            if kind == AND:
                self._conjunction(node, left[node], right[node])
            elif kind == OR:
                self._disjunction(node, left[node], right[node])
            elif kind == COUNT:
                self._counted(node, left[node], *concepts.quantity(node))
            elif kind == LABEL:
                self.common[node] = self.possible[node] = imprints.of_labels(1 << left[node])
                self.least[node] = self.most[node] = self._written[node] = 1

    def least_beside(self, node: int, other: int) -> int:
        """How many atoms of a body of the node no body of the other has, at least."""
        if self.possible[node] & self.possible[other]:
            return (self.common[node] & ~self.possible[other]).bit_count()
        return self.least[node]

    def _conjunction(self, node: int, one: int, other: int) -> None:
        common, possible, least = self.common, self.possible, self.least
        common[node] = common[one] | common[other]
        least[node] = max(
            common[node].bit_count(),
            least[one] + self.least_beside(other, one),
            least[other] + self.least_beside(one, other),
        )
        self.most[node] = self.most[one] + self.most[other]
        self._written[node] = min(self._written[one] + self._written[other], ENDLESS)
        if self._may_join(one, other):
            possible[node] = self._repeated[node] = ANY
            self.most[node] = self._written[node]
        else:
            either = possible[node] = possible[one] | possible[other]
            self._repeat(node, one, other)
            if either != ANY:
                self.most[node] = min(self.most[node], either.bit_count())
        least[node], self.most[node] = min(least[node], ENDLESS), min(self.most[node], ENDLESS)

    def _disjunction(self, node: int, one: int, other: int) -> None:
        self.common[node] = self.common[one] & self.common[other]
        self.possible[node] = self.possible[one] | self.possible[other]
        self._repeat(node, one, other)
        self.least[node] = min(self.least[one], self.least[other])
        self.most[node] = max(self.most[one], self.most[other])
        self._written[node] = max(self._written[one], self._written[other])

    def _counted(self, node: int, part: int, number: int, colour: int) -> None:
        self.least[node] = min(number * (1 + self.least[part]), ENDLESS)
        self.most[node] = min(number * (1 + self.most[part]), ENDLESS)
        self._written[node] = min(number * (1 + self._written[part]), ENDLESS)
        if self.least[node] < ENDLESS:
            self.common[node] = self._imprints.of_group(colour, [self.common[part]] * number)
        if self.possible[part] == ANY or self.most[node] == ENDLESS:
            self.possible[node] = self._repeated[node] = ANY
            return
        self.possible[node] = self._imprints.of_group(colour, [self.possible[part]] * number)
        if number > 1:
            self._repeated[node] = self.possible[node]
        elif part in self._repeated:
            self._repeated[node] = self._imprints.of_group(colour, [self._repeated[part]])

    def _may_join(self, one: int, other: int) -> bool:
        """Whether a group of several members of one part may meet a group of the other part."""
        repeated, possible = self._repeated, self.possible
        return bool(repeated.get(one, 0) & possible[other] or repeated.get(other, 0) & possible[one])

    def _repeat(self, node: int, one: int, other: int) -> None:
        repeated = self._repeated.get(one, 0) | self._repeated.get(other, 0)
        if repeated:
            self._repeated[node] = repeated
