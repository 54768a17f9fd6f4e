"""How long a network takes on a large graph, exactly, beside the same float64 computation written plainly.

    python bench/apply_network.py [EDGES (1000000)] [ROUNDS (3)]

Two layers with 64 hidden units over 4 colours and a tenth as many vertices as edges; a tenth of the edges leave 1 % of
the vertices. *Plain* is what one writes without a thought for rounding: scipy's CSR times the labels for sum, a gather
and `np.maximum.reduceat` for max. The two alternate, and the least CPU time of each counts. *Exact* includes preparing
the network. The thresholds of `tight` are the exact values of some vertices. *Recomputed* are the facts that float64
leaves in doubt, *differing* those that plain float64 decides wrongly.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks.apply import application
from isolog.networks.network import MAX, SUM, Aggregation, Layer, Network
from isolog.networks.recompute import ExactLabelling

FEATURES, HIDDEN, COLOURS, HUB_SHARE = 32, 64, 4, 0.1
SIGNATURE = Signature.of([f"U{i}" for i in range(FEATURES)], [f"c{i}" for i in range(COLOURS)])
Floats = NDArray[np.float64]


def random_graph(edges: int, seed: int = 0) -> ColouredGraph:
    """So many distinct edges, give or take a few, in four colours; three features in ten hold."""
    chance = np.random.default_rng(seed)
    vertices = max(2, edges // 10)
    colours: list[Adjacency] = []
    for _ in range(COLOURS):
        sources = chance.integers(0, vertices, edges // COLOURS)
        from_hubs = chance.random(len(sources)) < HUB_SHARE
        sources[from_hubs] = chance.integers(0, max(1, vertices // 100), from_hubs.sum())
        codes = np.unique(sources * vertices + chance.integers(0, vertices, len(sources)))
        colours.append(Adjacency.from_edges(codes // vertices, codes % vertices, vertices))
    return ColouredGraph(chance.random((vertices, FEATURES)) < 0.3, tuple(colours))


def random_network(kind: str, aggregation: Aggregation, seed: int = 0) -> Network:
    """Two layers, a quarter of whose weights are not zero: sixteenths (`grid`), or normally distributed."""
    chance = np.random.default_rng(seed)

    def matrix(rows: int, columns: int) -> NDArray[np.generic]:
        chosen = chance.random((rows, columns)) < 0.25
        if kind == "grid":
            return np.where(chosen, chance.integers(1, 17, chosen.shape), 0)
        return np.where(chosen, np.abs(chance.standard_normal(chosen.shape)), 0.0)

    layers: list[Layer] = []
    for below, units in ((FEATURES, HIDDEN), (HIDDEN, FEATURES)):
        own, others = matrix(units, below), tuple(matrix(units, below) for _ in range(COLOURS))
        bias = -4 * np.abs(matrix(units, 1)[:, 0])
        layers.append(Layer(own, others, bias, aggregation, scale=16 if kind == "grid" else 1))
    return Network.canonical(SIGNATURE, layers, Fraction(100))


@dataclass(frozen=True, eq=False)
class Plain:
    """A network and a graph as a float64 program would hold them."""

    weights: list[tuple[Floats, list[Floats], Floats]]
    matrices: list[csr_array]
    features: Floats
    aggregation: Aggregation
    thresholds: Floats

    @classmethod
    def of(cls, network: Network, graph: ColouredGraph) -> Plain:
        """What is made once, before the clock starts."""
        size = graph.vertices, graph.vertices
        matrices = [csr_array((np.ones(len(c.targets)), c.targets, c.starts), shape=size) for c in graph.colours]
        weights = [
            (layer.A / layer.scale, [matrix / layer.scale for matrix in layer.B], layer.b / layer.scale)
            for layer in network.layers
        ]
        thresholds = np.array([float(threshold) for threshold in network.thresholds])
        return cls(weights, matrices, graph.features.astype(float), network.layers[0].aggregation, thresholds)

    def labels(self) -> NDArray[np.bool_]:
        """Eq. (2), line by line."""
        below = self.features
        for own, others, bias in self.weights:
            values = below @ own.T + bias
            for matrix, weights in zip(self.matrices, others, strict=True):
                values += self._aggregate(matrix, below) @ weights.T
            below = np.maximum(values, 0)
        return below >= self.thresholds

    def _aggregate(self, matrix: csr_array, values: Floats) -> Floats:
        if self.aggregation == SUM:
            return matrix @ values
        some = np.flatnonzero(np.diff(matrix.indptr))
        result = np.zeros_like(values)
        result[some] = np.maximum.reduceat(values[matrix.indices], matrix.indptr[some], axis=0)
        return result


def tight(network: Network, graph: ColouredGraph) -> Network:
    """The network with each threshold exactly where some vertex is."""
    labelling, chance = ExactLabelling(network, graph), np.random.default_rng(1)
    reached: list[Fraction] = []
    for output in range(FEATURES):
        vertex = np.array([chance.integers(graph.vertices)])
        value = labelling.arguments(len(network.layers), output, vertex)[0]
        reached.append(value if value > 0 else network.thresholds[output])
    return replace(network, thresholds=tuple(reached))


def alternate(rounds: int, *calls: Callable[[], object]) -> list[float]:
    """The least CPU seconds of each call, the calls taking turns."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            start = time.process_time()
            call()
            best[place] = min(best[place], time.process_time() - start)
    return best


def main(edges: int, rounds: int) -> None:
    """Prints a line for each aggregation and kind of weights."""
    graph = random_graph(edges)
    count = sum(len(colour.targets) for colour in graph.colours)
    print(f"{count:,} edges, {COLOURS} colours, {graph.vertices:,} vertices, {FEATURES} - {HIDDEN} - {FEATURES} units")
    print(f"{'':12}{'plain s':>9}{'exact s':>9}{'ratio':>7}{'rounded':>9}{'recomputed':>12}{'differing':>11}")
    for aggregation in (SUM, MAX):
        for kind in ("grid", "float", "tight"):
            network = random_network(kind, aggregation)
            if kind == "tight":
                network = tight(network, graph)
            plain = Plain.of(network, graph)
            seconds = alternate(rounds, plain.labels, lambda network=network: application(network, graph))
            found = application(network, graph)
            differing = int((found.labels != plain.labels()).sum())
            print(f"{aggregation!s:6}{kind:6}{seconds[0]:9.2f}{seconds[1]:9.2f}{seconds[1] / seconds[0]:7.2f}", end="")
            print(f"{found.rounded!s:>9}{found.recomputed:12,}{differing:11,}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main(*(int(number) for number in [*sys.argv[1:], *("1000000", "3")[len(sys.argv) - 1 :]]))
