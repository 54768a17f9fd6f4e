"""The direct search on a dense network that somebody else trained: every rule up to a size, for every head.

    ISOLOG_DATA=... python bench/direct.py [ATOMS (5)] [SECONDS (300)]

The network is the authors' own for fb237v1 (180–360–180, max, 20,000 nonzero float weights, a fact is a score of more
than 0.1), on graphs of pairs. For each number of atoms from 1 on: CPU seconds, bodies whose capture was tested, and
the minimal rules by size; then how many of the facts that the network derives on the test graph these rules derive,
all of which it must derive itself. It stops after the seconds.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from isolog.concepts.dag import Concepts
from isolog.concepts.evaluate import evaluate
from isolog.concepts.flat_rules import Budget, FlatRules
from isolog.concepts.from_rules import concept_of_tree
from isolog.correspondence.direct import Output, direct_rules
from isolog.graphs.graph import ColouredGraph
from isolog.networks.apply import labels
from isolog.networks.foreign import read_foreign
from isolog.networks.network import Network
from support.pairs import encode_pairs, pair_sorts, read_triples

MODEL = "peer-models/fb237v1_maxmax_without_dummies.json"
FACTS = "grail/fb237v1/test_graph.tsv.gz"


def fired(network: Network, found: FlatRules, graph: ColouredGraph) -> NDArray[np.bool_]:
    """Vertex × head: where some rule fires."""
    features = {name: number for number, name in enumerate(network.features)}
    colours = {name: number for number, name in enumerate(network.colours)}
    concepts = Concepts()
    by_head: dict[str, list[int]] = {}
    for rule in found.rules:
        by_head.setdefault(rule.head, []).append(concept_of_tree(concepts, rule.body, features, colours))
    result = np.zeros((graph.vertices, len(network.features)), bool)
    for head, bodies in by_head.items():
        root = concepts.any_of(bodies)
        result[:, features[head]] = evaluate(concepts, [root], graph)[root]
    return result


def main(most: int, seconds: float) -> None:
    """Prints the table."""
    folder = Path(os.environ["ISOLOG_DATA"])
    network = read_foreign(folder / MODEL, probability=Fraction(1, 10))
    vertices, graph, _ = encode_pairs(read_triples(folder / FACTS), network.features)
    pairs = [vertex for name, vertex in vertices.items() if len(name) == 2]
    derived = labels(network, graph)[pairs]
    size = len(network.features)
    print(f"{derived.sum()} facts derived by the network on {len(pairs):,} pairs; {size} heads")
    for atoms in range(1, most + 1):
        start = time.process_time()
        heads, budget = [Output(index, 1) for index in range(size)], Budget(max_atoms=atoms, seconds=seconds)
        found = direct_rules(network, pair_sorts(size), heads, budget)
        used = time.process_time() - start
        by_rules = fired(network, found, graph)[pairs]
        assert not (by_rules & ~derived).any(), "a rule derives what the network does not"
        sizes = ", ".join(f"{n}: {count:,}" for n, count in sorted(Counter(r.body.atoms for r in found.rules).items()))
        print(f"up to {atoms} atoms (complete up to {found.complete_up_to_atoms}): {used:.2f} s CPU")
        print(
            f"    {found.tests:,} capture tests, {found.tests / used:,.0f} per second; rules by size: {sizes or 'none'}"
        )
        share = f"{by_rules.sum()} of the {derived.sum()} facts, and no others"
        print(f"    {share}; peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB", flush=True)
        if found.complete_up_to_atoms != atoms:
            break


if __name__ == "__main__":
    if "ISOLOG_DATA" in os.environ:
        main(int(sys.argv[1]) if sys.argv[1:] else 5, float(sys.argv[2]) if sys.argv[2:] else 300)
    else:
        print("left out: ISOLOG_DATA does not name the folder with the real data", file=sys.stderr)
