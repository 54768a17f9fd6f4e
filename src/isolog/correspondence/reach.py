"""Which units and labels an output can see, place by place in a tree: those with a path of nonzero weights to it."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isolog.networks.network import Layer, MaxKSum, Network

Path: TypeAlias = tuple[int, ...]
"""The colours that lead from the root to a vertex."""

Units: TypeAlias = tuple[NDArray[np.bool_], ...]
"""Per layer, from 0 on, which units."""


class Reach:
    """What one output sees. A weight counts as nonzero exactly, not after rounding."""

    def __init__(self, network: Network, output: int) -> None:
        self._network = network
        self._output = output
        self._known: dict[Path, Units] = {}

    def units(self, path: Path) -> Units:
        """Per layer, the units that are seen at the vertices that the path leads to.

        >>> from isolog.facts.signature import Signature
        >>> layer = Layer.from_fractions([[0, 1], [0, 0]], [[[1, 0], [0, 0]]], [0, 0])
        >>> reach = Reach(Network.canonical(Signature.of(["A", "B"], ["r"]), [layer]), 0)
        >>> reach.units(())[0].tolist(), reach.units((0,))[0].tolist()
        ([False, True], [True, False])
        """
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = self._find(path)
        return found

    def everywhere(self) -> Units:
        """Per layer, the units that are seen at any vertex."""
        seen = [self._top()]
        for layer in reversed(self._network.layers):
            matrices = (layer.A, *layer.B) if listens(layer) else (layer.A,)
            seen.append(np.logical_or.reduce([_read(matrix, seen[-1]) for matrix in matrices]))
        return tuple(reversed(seen))

    def _find(self, path: Path) -> Units:
        """From the top layer down: what the vertex's own units above read, and what its parent's do."""
        layers, height = self._network.layers, len(self._network.layers) - len(path)
        parent = self.units(path[:-1]) if path else None
        seen: list[NDArray[np.bool_]] = []
        for level in range(height, -1, -1):
            here = self._top() if parent is None and not seen else np.zeros(self._network.dimensions[level], bool)
            if seen:
                here |= _read(layers[level].A, seen[-1])
            if parent is not None and listens(layers[level]):
                here |= _read(layers[level].B[path[-1]], parent[level + 1])
            seen.append(here)
        return tuple(reversed(seen))

    def _top(self) -> NDArray[np.bool_]:
        top = np.zeros(self._network.dimensions[-1], bool)
        top[self._output] = True
        return top


def listens(layer: Layer) -> bool:
    """Whether the layer depends on neighbours at all."""
    return isinstance(layer.aggregation, MaxKSum) and layer.aggregation.k > 0


def _read(matrix: NDArray[np.number], units: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The columns in which some of these rows are not zero."""
    return (matrix[units] != 0).any(axis=0)
