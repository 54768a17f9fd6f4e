"""Sets of bodies none of which implies another that came before it, with a fast look-up of what a body implies."""

from __future__ import annotations

from isolog.concepts.bodies import Bodies, Body
from isolog.concepts.imprints import Imprint


class Antichain:
    """Bodies in order of arrival.

    A body implies another only if its imprint has all of the other's. So per bit of an imprint there is the set of
    kept bodies that have it, as a mask over their places: whoever lacks the bit implies none of those. The bits that
    most bodies have come first, and few of them are enough to rule out all.
    """

    def __init__(self, bodies: Bodies) -> None:
        self.bodies = bodies
        self._places: dict[Body, int] = {}
        self._kept: list[Body] = []
        self._present = 0
        self._having: dict[Imprint, int] = {}
        self._sorted_at = 8

    def add(self, body: Body) -> bool:
        """Keeps the body unless it implies one that is kept; says whether it did."""
        if self.implied_by(body):
            return False
        place = 1 << len(self._kept)
        self._places[body] = len(self._kept)
        self._kept.append(body)
        self._present |= place
        rest = self.bodies.imprints[body]
        while rest:
            bit = rest & -rest
            rest ^= bit
            self._having[bit] = self._having.get(bit, 0) | place
        if len(self._kept) == self._sorted_at:
            self._sorted_at *= 2
            self._having = dict(sorted(self._having.items(), key=lambda item: -item[1].bit_count()))
        return True

    def implied_by(self, body: Body, other_than: Body | None = None) -> bool:
        """Whether the body maps onto one that is kept, other than the given one."""
        left = self._present
        if other_than is not None:
            left &= ~(1 << self._places[other_than])
        imprint = self.bodies.imprints[body]
        for bit, having in self._having.items():
            if not left:
                return False
            if not bit & imprint:
                left &= ~having
        while left:
            place = left & -left
            if self.bodies.implies(body, self._kept[place.bit_length() - 1]):
                return True
            left ^= place
        return False

    def remove(self, body: Body) -> None:
        """Forgets a body that is kept."""
        self._present &= ~(1 << self._places.pop(body))
