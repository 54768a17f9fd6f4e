"""How fast concepts are evaluated, beside plain scipy CSR mat-vecs for the same sweeps.

    python bench/evaluate_concepts.py [TIMES_AS_LARGE (1,2,4,10,20)]

The workload of the engine benchmarks: 20 rules with 51 counting steps between them, over 1,000,000 edges in 4 colours
and its multiples. Both ways run in turns in one process; CPU seconds, the least of several runs. The mat-vecs get
their vectors ready-made as float32, and are not even compared with a number.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array
from workload import COLOURS, LABELS, Size, workload_data, workload_program

from isolog.concepts.dag import COUNT, Concepts, Node
from isolog.concepts.evaluate import evaluate
from isolog.concepts.from_rules import concepts_of_program
from isolog.encodings.canonical import encode
from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph

SEED = 5
"""The rules of this seed have 51 counting nodes."""


def main(factors: list[float]) -> None:
    """One line for each size."""
    concepts = Concepts()
    numbers = [{name: number for number, name in enumerate(names)} for names in (LABELS, COLOURS)]
    heads = sorted(set(concepts_of_program(concepts, workload_program(SEED), *numbers).values()))
    counting = [node for node in concepts.reachable(heads) if concepts.kinds[node] == COUNT]
    sweeps = len({(concepts.left[node], concepts.quantity(node).colour) for node in counting})
    print(f"{len(heads)} heads, {len(counting)} counting nodes, {sweeps} of them about different neighbours")
    print(f"{'edges':>12}{'concepts':>12}{'mat-vecs':>12}{'ratio':>8}{'ns per edge and node':>24}{'MiB':>8}")
    for factor in factors:
        measure(concepts, heads, counting, encode(workload_data(Size().times(factor)), Signature.of(LABELS, COLOURS)))


def measure(concepts: Concepts, heads: list[Node], counting: list[Node], graph: ColouredGraph) -> None:
    """Prints both ways on one graph, after a check that they agree."""
    quantities = [concepts.quantity(node) for node in counting]
    marked = evaluate(concepts, {concepts.left[node] for node in counting}, graph)
    matrices = [matrix(adjacency) for adjacency in graph.colours]
    vectors = [marked[concepts.left[node]].astype(np.float32) for node in counting]
    pairs = [(matrices[quantity.colour], x) for quantity, x in zip(quantities, vectors, strict=True)]
    found = evaluate(concepts, counting, graph)
    for node, quantity, (m, x) in zip(counting, quantities, pairs, strict=True):
        assert np.array_equal(found[node], m @ x >= quantity.at_least)
    ours, theirs = least([lambda: evaluate(concepts, heads, graph), lambda: [m @ x for m, x in pairs]])
    edges = sum(len(adjacency.targets) for adjacency in graph.colours)
    swept = sum(len(graph.colours[quantity.colour].targets) for quantity in quantities)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    times = f"{ours:10.3f} s{theirs:10.3f} s{ours / theirs:8.2f}{1e9 * ours / swept:24.2f}"
    print(f"{edges:12,}{times}{memory:8,}", flush=True)


def matrix(adjacency: Adjacency) -> csr_array:
    """The edges of a colour for scipy."""
    ones = np.ones(len(adjacency.targets), np.float32)
    vertices = len(adjacency.starts) - 1
    return csr_array((ones, adjacency.targets, adjacency.starts.astype(np.int32)), shape=(vertices, vertices))


def least(ways: list[Callable[[], object]], runs: int = 7) -> list[float]:
    """The least CPU seconds of each way, the ways taking turns."""
    seconds = [float("inf")] * len(ways)
    for _ in range(runs):
        for place, way in enumerate(ways):
            start = time.process_time()
            way()
            seconds[place] = min(seconds[place], time.process_time() - start)
    return seconds


if __name__ == "__main__":
    main([float(factor) for factor in sys.argv[1].split(",")] if sys.argv[1:] else [1, 2, 4, 10, 20])
