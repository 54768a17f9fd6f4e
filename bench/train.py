"""How long an epoch of training takes, beside the same layers with a plain gather and scatter.

    python bench/train.py [DATA_FOLDER (generated)] [ROUNDS (5)]

Both do the forward and the backward pass of two layers with 64 units and max on the same graph with the same weights; a
fifth of the weights is not zero. They alternate, and the least processor time of each counts. *Plain* gathers all
features along the edges of each colour and takes the largest per vertex with `scatter_reduce`. DATA_FOLDER holds a
split, whose training graph is encoded with `pairs`; without one, a family is generated.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import Tensor

from isolog.encodings.registry import find_encoding
from isolog.facts.family import generate_family
from isolog.facts.signature import Signature, restrict
from isolog.facts.split_files import read_split
from isolog.graphs.graph import ColouredGraph
from isolog.learning.layers import Edges, Layers, Shape, as_tensor, edges_of

HIDDEN, DENSITY = 64, 0.2
CPU = torch.device("cpu")


def graph_of(folder: str | None) -> ColouredGraph:
    """The graph to train on."""
    if folder is None:
        facts = generate_family(persons=3000, seed=1).facts
        return find_encoding("pairs", Signature.from_dataset(facts)).encode(facts).graph
    split = read_split(Path(folder))
    return find_encoding("pairs", split.signature).encode(restrict(split.train.graph, split.signature)).graph


def plain(layers: Layers, features: Tensor, colours: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
    """Eq. (2) as one writes it at first."""
    values = features
    for number, (stack, bias) in enumerate(zip(layers.matrices, layers.biases, strict=True)):
        result = values @ stack[0].T + bias
        for (sources, targets), matrix in zip(colours, stack[1:], strict=True):
            index = sources[:, None].expand(-1, values.shape[1])
            largest = torch.zeros_like(values).scatter_reduce(0, index, values[targets], "amax", include_self=True)
            result = result + largest @ matrix.T
        values = torch.relu(result) if number == 0 else result
    return values


def seconds(forward: Callable[[], Tensor]) -> float:
    """The processor time of one pass in both directions."""
    begin = time.process_time()
    forward().square().mean().backward()
    return time.process_time() - begin


def main() -> None:
    """Prints both times and their ratio."""
    graph = graph_of(sys.argv[1] if len(sys.argv) > 1 else None)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    width = graph.features.shape[1]
    shape = Shape((width, HIDDEN, width), len(graph.colours), (1, 1))
    layers = Layers(shape, DENSITY, 0.1, torch.Generator().manual_seed(0))
    features, edges = as_tensor(graph.features, CPU), edges_of(graph, CPU)
    layers.silence(features, edges, torch.arange(width))
    colours = [(each.leaving[each.sources], each.targets) for each in edges]
    assert torch.allclose(layers(features, edges), plain(layers, features, colours), atol=1e-4)
    ways = {
        "isolog": lambda: layers(features, edges),
        "plain gather and scatter": lambda: plain(layers, features, colours),
    }
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            least[name] = min(least[name], seconds(way))
    count = _edges(edges)
    print(f"{graph.vertices:,} vertices, {count:,} edges, {width} features")
    for name, time_taken in least.items():
        print(f"{name:26} {time_taken:8.3f} s an epoch {1e9 * time_taken / count:10.0f} ns an edge")
    print(f"ratio {least['plain gather and scatter'] / least['isolog']:.1f}")


def _edges(edges: Sequence[Edges]) -> int:
    return sum(len(each.targets) for each in edges)


if __name__ == "__main__":
    main()
