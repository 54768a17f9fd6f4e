"""Random float networks with thresholds on values that they reach: how often float64 decides wrongly, and isolog.

    python bench/float_exactness.py [NETWORKS (1000)]

Two layers, weights between 2^-132 and 4, graphs with 60 vertices and about 200 edges in two colours, every aggregation
in turn. Each threshold is the exact value of some vertex. All decisions are compared with those of fractions. What
exactness costs is measured on large graphs, by bench/apply_network.py.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks import exact
from isolog.networks.apply import application
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Network

FEATURES, HIDDEN, VERTICES, EDGES = 4, 6, 60, 100
SIGNATURE = Signature.of([f"U{i}" for i in range(FEATURES)], ["r", "s"])
AGGREGATIONS = (MAX, SUM, MaxKSum(2), MaxKSum(3))


@dataclass
class Tally:
    """How many facts were decided, recomputed, and decided wrongly here and by plain float64."""

    facts: int = 0
    recomputed: int = 0
    wrong: int = 0
    wrong_in_float64: int = 0


def random_graph(chance: np.random.Generator) -> ColouredGraph:
    """Half of the features hold."""
    colours: list[Adjacency] = []
    for _ in SIGNATURE.binary:
        codes = np.unique(chance.integers(0, VERTICES**2, EDGES))
        colours.append(Adjacency.from_edges(codes // VERTICES, codes % VERTICES, VERTICES))
    return ColouredGraph(chance.random((VERTICES, FEATURES)) < 0.5, tuple(colours))


def random_network(chance: np.random.Generator, aggregation: Aggregation) -> Network:
    """Half of the weights are not zero, and one in eight of these is tiny."""

    def matrix(rows: int, columns: int) -> NDArray[np.float64]:
        size = 4 * chance.random((rows, columns))
        tiny = chance.random(size.shape) < 1 / 8
        size[tiny] *= 2.0 ** chance.integers(-134, -20, tiny.sum())
        return np.where(chance.random(size.shape) < 0.5, size, 0.0)

    layers: list[Layer] = []
    for below, units in ((FEATURES, HIDDEN), (HIDDEN, FEATURES)):
        others = tuple(matrix(units, below) for _ in SIGNATURE.binary)
        layers.append(Layer(matrix(units, below), others, -matrix(units, 1)[:, 0], aggregation))
    return Network.canonical(SIGNATURE, layers)


def plain_labels(network: Network, graph: ColouredGraph) -> NDArray[np.bool_]:
    """Eq. (2) in float64, vertex by vertex."""
    values = graph.features.astype(float)
    for layer in network.layers:
        assert isinstance(layer.aggregation, MaxKSum)
        k = graph.vertices if layer.aggregation == SUM else int(layer.aggregation.k)
        total = values @ layer.A.T + layer.b
        for matrix, colour in zip(layer.B, graph.colours, strict=True):
            read = [-np.sort(-values[colour.neighbours(v)], axis=0)[:k].sum(axis=0) for v in range(graph.vertices)]
            total += np.array(read) @ matrix.T
        values = np.maximum(total, 0)
    return values >= [float(threshold) for threshold in network.thresholds]


def main(networks: int) -> None:
    """Prints the tally; exit code 1 when a decision is wrong."""
    chance, tally = np.random.default_rng(0), Tally()
    for number in range(networks):
        graph, network = random_graph(chance), random_network(chance, AGGREGATIONS[number % len(AGGREGATIONS)])
        values = exact.trace(network, graph)[-1]
        vertices = chance.integers(0, VERTICES, FEATURES)
        thresholds = tuple(Fraction(values[vertex][output]) for output, vertex in enumerate(vertices))
        network = replace(network, thresholds=thresholds)
        right = np.array([[value >= t for value, t in zip(row, thresholds, strict=True)] for row in values])
        found = application(network, graph)
        tally.facts += right.size
        tally.recomputed += found.recomputed
        tally.wrong += int((found.labels != right).sum())
        tally.wrong_in_float64 += int((plain_labels(network, graph) != right).sum())
    print(f"{networks:,} networks, {tally.facts:,} facts decided, {tally.wrong:,} of them wrongly")
    print(f"{tally.recomputed:,} facts ({tally.recomputed / tally.facts:.2%}) left in doubt by float64 and recomputed")
    print(f"{tally.wrong_in_float64:,} facts decided wrongly by plain float64")
    sys.exit(tally.wrong > 0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000)
