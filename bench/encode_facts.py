"""How fast graphs are encoded, and how large programs are with sorts and without.

python bench/encode_facts.py DATA      DATA is the folder with the real data; times are CPU seconds, best of three
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from isolog.concepts.counting import derivations
from isolog.correspondence.compose import compose_concepts, read_places
from isolog.correspondence.concepts_of_network import Extraction, concepts_of_network
from isolog.encodings.encoding import Encoding
from isolog.encodings.registry import find_encoding
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.network import MAX, SUM, Aggregation, EncodingName, Layer, Network

GRAPHS = [
    ("grail/WN18RRv1/train_graph.tsv.gz", ["pairs", "pairs:2", "indigo", "paths"]),
    ("grail/fb237v4/test_graph.tsv.gz", ["pairs", "pairs:2", "indigo", "paths"]),
]


def best_of_three(work: Callable[[], object]) -> float:
    """The least CPU time of three runs."""
    times: list[float] = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def sparse_network(encoding: Encoding, weights: int, aggregation: Aggregation, seed: int) -> Network:
    """Two layers with so many nonzero weights on a grid of quarters, as training leaves them."""
    random = np.random.default_rng(seed)
    features, hidden = len(encoding.features), 3
    layers: list[Layer] = []
    for units, below in ((hidden, features), (features, hidden)):
        matrices = [np.zeros((units, below), np.int64) for _ in range(1 + len(encoding.colours))]
        for _ in range(weights // 2):
            matrix = matrices[random.integers(len(matrices))]
            matrix[random.integers(units), random.integers(below)] = random.integers(1, 9)
        bias = np.full(units, -1, np.int64)
        layers.append(Layer(matrices[0], tuple(matrices[1:]), bias, aggregation, scale=4))
    plain = Network.canonical(encoding.canonical, layers)
    return Network(
        encoding.signature, plain.features, plain.colours, plain.layers, plain.thresholds, EncodingName(encoding.name)
    )


def size(extraction: Extraction, places: list[tuple[int, int]] | None) -> tuple[int, int]:
    """Nodes that the heads are made of, and derivations, of the heads that are read."""
    if places is None:
        heads = [node for sorts in extraction.heads for node in sorts]
    else:
        heads = [extraction.heads[feature][sort] for feature, sort in places]
    return len(extraction.concepts.reachable(heads)), sum(derivations(extraction.concepts, heads))


def encode_real(data: Path) -> None:
    """Sizes and times of graphs of real data."""
    print(f"{'graph':36} {'encoding':10} {'vertices':>12} {'edges':>12} {'seconds':>8}")
    for name, encodings in GRAPHS:
        dataset = read_facts(data / name)
        signature = Signature.from_dataset(dataset)
        for each in encodings:
            encode_one(name, find_encoding(each, signature), dataset)


def encode_one(name: str, encoding: Encoding, dataset: Dataset) -> None:
    """One line of the table."""
    graph = encoding.encode(dataset).graph
    seconds = best_of_three(lambda: encoding.encode(dataset))
    edges = sum(len(colour.targets) for colour in graph.colours)
    print(f"{name:36} {encoding.name:10} {graph.vertices:12,} {edges:12,} {seconds:8.2f}")


def encode_dense() -> None:
    """Encodings that grow with the square of the number of constants, on 300 of them."""
    random = np.random.default_rng(0)
    some = [Atom("r", (f"c{a}", f"c{b}")) for a, b in random.integers(0, 300, (1200, 2))]
    dataset = Dataset.from_facts([*some, *(Atom("AB"[n % 2], (f"c{n}",)) for n in range(300))])
    for name in ("all-pairs", "kgnn"):
        encode_one("300 constants, 1,200 links", find_encoding(name, Signature.from_dataset(dataset)), dataset)


def with_and_without_sorts(data: Path) -> None:
    """How much sorts shrink what networks equal."""
    print(f"\n{'network':34} {'nodes':>9} {'derivations':>13} {'with sorts':>11} {'derivations':>13} {'rules':>7}")
    signature = Signature.from_dataset(read_facts(data / "grail/WN18RRv1/train_graph.tsv.gz"))
    for name in ("pairs", "pairs:2", "paths"):
        encoding = find_encoding(name, signature)
        for aggregation in (MAX, SUM):
            for weights in (14, 28):
                network = sparse_network(encoding, weights, aggregation, seed=1)
                plain, sorted_ = concepts_of_network(network), concepts_of_network(network, encoding.sorts)
                before, after = size(plain, None), size(sorted_, read_places(encoding))
                try:
                    rules = f"{len(compose_concepts(sorted_, encoding).program):,}"
                except LimitError:
                    rules = "limit"
                label = f"WN18RRv1 {name}, {aggregation}, {weights} weights"
                counts = f"{before[0]:9,} {before[1]:13.3g} {after[0]:11,} {after[1]:13.3g} {rules:>7}"
                print(f"{label:34} {counts}")


def main() -> None:
    """Everything in turn."""
    data = Path(sys.argv[1])
    encode_real(data)
    encode_dense()
    with_and_without_sorts(data)
    print(f"\nmost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
