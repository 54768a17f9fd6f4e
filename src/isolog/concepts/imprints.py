"""Imprints: the atoms of a tree-like body as seen from its root, as bit masks.

An imprint has a bit for every path of colours, and for every label at the end of a path, as often as one group of
pairwise distinct neighbours needs it. Where a body holds at the root of a tree, every bit is an atom of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Imprint: TypeAlias = int
Path: TypeAlias = tuple[int, ...]
"""Colours; a label stands at the end, as -1 less its number."""


class Imprints:
    """Numbers the elements of imprints as they come."""

    def __init__(self) -> None:
        self._elements: list[tuple[Path, int]] = []
        self._bits: dict[tuple[Path, int], Imprint] = {}
        self._seen: dict[tuple[int, Imprint], Imprint] = {}

    def of_labels(self, labels: int) -> Imprint:
        """The imprint of labels at the root, given as a mask of features."""
        return sum(self._bit((-1 - n,), 1) for n in range(labels.bit_length()) if labels >> n & 1)

    def of_group(self, colour: int, children: Sequence[Imprint]) -> Imprint:
        """The imprint of pairwise distinct neighbours with these imprints: what they need adds up."""
        if len(children) == 1:
            return self._seen_from_above(colour, children[0])
        times = Counter[Path]({(colour,): len(children)})
        for child in children:
            times.update((colour, *path) for path, _ in self._split(child))
        return sum(self._bit(path, n) for path, most in times.items() for n in range(1, most + 1))

    def _seen_from_above(self, colour: int, child: Imprint) -> Imprint:
        found = self._seen.get((colour, child))
        if found is None:
            found = self._bit((colour,), 1) + sum(self._bit((colour, *path), n) for path, n in self._split(child))
            self._seen[colour, child] = found
        return found

    def _bit(self, path: Path, time: int) -> Imprint:
        bit = self._bits.setdefault((path, time), 1 << len(self._elements))
        if bit.bit_length() > len(self._elements):
            self._elements.append((path, time))
        return bit

    def _split(self, imprint: Imprint) -> Iterator[tuple[Path, int]]:
        while imprint:
            lowest = imprint & -imprint
            yield self._elements[lowest.bit_length() - 1]
            imprint ^= lowest
