"""How large the concepts of someone else's dense network are, rounded down to a grid.

    ISOLOG_DATA=... python bench/extract_dag.py [BITS (1,2,3,4)] [MAX_NODES (20000000)] [SECONDS (600)]

The network is the authors' own for fb237v1, where a score of more than 0.1 derives a fact; weights and biases are
rounded down to multiples of 2^-bits. Its graphs have the sorts of pairs, and the heads are those of pair vertices.
Each size is measured in a process of its own: CPU seconds and the most memory. The concepts are checked against the
rounded network on the test graph, and on random graphs of these sorts. Derivations are given by their digits; those
of compact concepts, and of more than 8,000,000 concepts, are not counted.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import resource
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from isolog.concepts.counting import derivations
from isolog.concepts.evaluate import evaluate
from isolog.correspondence.heads import Budget, Heads, UnfinishedError, extract_heads
from isolog.networks.apply import labels
from isolog.networks.foreign import read_foreign
from isolog.networks.network import Layer, Network, Weights
from support.pairs import EncodedPairs, encode_pairs, pair_sorts, read_triples

MODEL = "peer-models/fb237v1_maxmax_without_dummies.json"
GRAPH = "grail/fb237v1/test_graph.tsv.gz"
MOST_COUNTED = 8_000_000
"""Derivations are not counted where the big numbers would need more memory than the concepts."""

PAIR = 1
"""The sort of the vertices that stand for pairs."""


def rounded_down(network: Network, bits: int) -> Network:
    """The network with weights and biases rounded down to multiples of 2^-bits."""

    def floor(layer: Layer, array: Weights) -> Weights:
        entries = [math.floor(layer.exact(entry) * (1 << bits)) for entry in array.ravel()]
        return np.array(entries, np.int64).reshape(array.shape)

    layers = [
        replace(
            layer,
            A=floor(layer, layer.A),
            B=tuple(floor(layer, matrix) for matrix in layer.B),
            b=floor(layer, layer.b),
            scale=1 << bits,
        )
        for layer in network.layers
    ]
    return replace(network, layers=tuple(layers))


def random_pairs(network: Network, seed: int) -> EncodedPairs:
    """A small graph in which pairs have many features, so that much is derived."""
    chance = np.random.default_rng(seed)
    features = len(network.features)
    facts = {(*chance.integers(0, 8, 2).tolist(), int(chance.integers(features))) for _ in range(1500)}
    triples = [[f"c{s}", network.features[p].removesuffix("/2"), f"c{o}"] for s, o, p in sorted(facts) if s != o]
    return encode_pairs(triples, network.features)


def check(network: Network, found: Heads, encoded: EncodedPairs) -> tuple[int, int]:
    """How many facts the network derives at pairs, and for how many the concepts say otherwise."""
    pairs = [vertex for name, vertex in encoded.vertices.items() if len(name) == 2]
    expected, vectors = (
        labels(network, encoded.graph)[pairs],
        evaluate(found.concepts, found.nodes.values(), encoded.graph),
    )
    derived = wrong = 0
    for (output, _), node in found.nodes.items():
        derived += int(expected[:, output].sum())
        wrong += int((expected[:, output] != vectors[node][pairs]).sum())
    return derived, wrong


def measure(bits: int, compact: bool, max_nodes: int) -> None:
    """Prints one line of the table."""
    data = Path(os.environ["ISOLOG_DATA"])
    network = rounded_down(read_foreign(data / MODEL, probability=Fraction(1, 10)), bits)
    heads = [(output, PAIR) for output in range(len(network.features))]
    start, note = time.process_time(), ""
    try:
        found = extract_heads(network, pair_sorts(len(network.features)), heads, Budget(max_nodes, compact))
    except UnfinishedError as error:
        found, note = error.finished, f"  {error.findings[0].message}"
    seconds, memory = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    digits = ""
    if not compact and len(found.concepts) < MOST_COUNTED:
        digits = f"{len(str(sum(derivations(found.concepts, found.nodes.values())))):,}"
    nodes, live = len(found.concepts), len(found.concepts.reachable(found.nodes.values()))
    print(
        f"{bits:4} {'compact' if compact else 'diagrams':9}{len(found.nodes):6}{nodes:12,}{live:12,}{digits:>12}"
        f"{seconds:9.1f}{memory:8,}",
        end="",
        flush=True,
    )
    graphs = [encode_pairs(read_triples(data / GRAPH), network.features)]
    graphs += [random_pairs(network, seed) for seed in range(3)]
    start = time.process_time()
    checks = [check(network, found, encoded) for encoded in graphs]
    differ = sum(wrong for _, wrong in checks)
    print(
        f"{checks[0][0]:9}{sum(d for d, _ in checks[1:]):9}{differ:8}{time.process_time() - start:9.1f}{note}",
        flush=True,
    )


def main(sizes: list[int], max_nodes: int, seconds: float) -> None:
    """Prints the table."""
    print(
        "bits form     heads       nodes   reachable derivations      CPU s     MiB  derived  (random)  differ  check s"
    )
    spawn = multiprocessing.get_context("spawn")
    for bits in sizes:
        for compact in (False, True):
            process = spawn.Process(target=measure, args=(bits, compact, max_nodes))
            process.start()
            process.join(seconds)
            if process.is_alive():
                process.kill()
                print(f"{bits:4} {'compact' if compact else 'diagrams':9} not within {seconds:,.0f} s")


if __name__ == "__main__":
    if "ISOLOG_DATA" in os.environ:
        given = sys.argv[1:] + ["1,2,3,4", "20000000", "600"][len(sys.argv) - 1 :]
        main([int(bits) for bits in given[0].split(",")], int(given[1]), float(given[2]))
    else:
        print("left out: ISOLOG_DATA does not name the folder with the real data", file=sys.stderr)
