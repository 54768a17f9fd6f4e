"""How long an epoch of training takes, beside the same epoch with a plain gather and scatter.

    python bench/train.py [DATA_FOLDER (generated)] [ENCODING (pairs)] [ROUNDS (5)] [DEVICE (cpu)]

Both train two layers with 64 units and max on the same graph from the same weights: forward, loss, backward, Adam and
the proximal step. They alternate, and the least time of each counts: of the processor, or of the clock on CUDA. *Plain*
asks all vertices for all outputs, holds features as a dense matrix, gathers them along the edges of each colour and
takes the largest per vertex with `scatter_reduce`. *Whole* is isolog without sampling vertices, *isolog* with it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from isolog.encodings.registry import find_encoding
from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family
from isolog.facts.signature import Signature, restrict
from isolog.facts.split_files import read_split
from isolog.learning.examples import Entries, Examples, examples
from isolog.learning.settings import Settings
from isolog.learning.training import Run
from isolog.learning.views import Edges


def examples_of(folder: str | None, encoding: str) -> Examples:
    """What to train on: the training part of a split, or a family's facts."""
    if folder is None:
        facts = generate_family(persons=3000, seed=1).facts
        return examples(find_encoding(encoding, Signature.from_dataset(facts)), facts, Dataset.empty())
    split = read_split(Path(folder))
    found, graph, targets = find_encoding(encoding, split.signature), split.train.graph, split.train.positives
    return examples(found, restrict(graph, split.signature), restrict(targets, split.signature))


@dataclass
class Plain:
    """An epoch as one writes it at first, on the layers of a run."""

    run: Run

    def __post_init__(self) -> None:
        device = self.run.ground.device
        graph = self.run.examples.graph
        edges = [Edges.of(colour, device) for colour in graph.colours]
        self.colours = [(each.leaving[each.sources], each.targets) for each in edges]
        self.features = torch.from_numpy(graph.features.astype(np.float32)).to(device)

    def forward(self, features: Tensor) -> Tensor:
        """Eq. (2) on all vertices."""
        values, layers = features, self.run.layers
        for number, (stack, bias) in enumerate(zip(layers.matrices, layers.biases, strict=True)):
            result = values @ stack[0].T + bias
            for (sources, targets), matrix in zip(self.colours, stack[1:], strict=True):
                index = sources[:, None].expand(-1, values.shape[1])
                largest = torch.zeros_like(values).scatter_reduce(0, index, values[targets], "amax", include_self=True)
                result = result + largest @ matrix.T
            values = torch.relu(result) if number == 0 else result
        return values

    def advance(self) -> None:
        """One epoch."""
        run, settings = self.run, self.run.settings
        hides = run.random.random(len(run.known)) < settings.hide
        hidden, shown = run.known[hides], run.known[~hides]
        features = self.features.clone()
        features[hidden[:, 0], hidden[:, 1]] = 0
        run.optimiser.zero_grad()
        arguments = self.forward(features)
        wanted, weights = torch.zeros_like(arguments), torch.full_like(arguments, settings.negative_weight)
        self._mark(wanted, weights, shown, settings.known_weight)
        for entries in (hidden, run.objective.targets):
            self._mark(wanted, weights, entries, 1.0)
        loss = binary_cross_entropy_with_logits(arguments, wanted, weight=weights, reduction="sum")
        (loss / max(1, len(hidden) + len(run.objective.targets))).backward()
        run.optimiser.step()
        run.layers.shrink(settings.learning_rate * settings.sparsity)

    def _mark(self, wanted: Tensor, weights: Tensor, entries: Entries, weight: float) -> None:
        wanted[entries[:, 0], entries[:, 1]] = 1
        weights[entries[:, 0], entries[:, 1]] = weight


def least_seconds(ways: dict[str, Callable[[], object]], rounds: int, cuda: bool) -> dict[str, float]:
    """The least time of each way; they take turns."""
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            clock = time.perf_counter if cuda else time.process_time
            begin = clock()
            way()
            if cuda:
                torch.cuda.synchronize()
            least[name] = min(least[name], clock() - begin)
    return least


def main() -> None:
    """Prints the times and their ratios."""
    folder = sys.argv[1] if len(sys.argv) > 1 else None
    encoding = sys.argv[2] if len(sys.argv) > 2 else "pairs"
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    device = "cuda" if sys.argv[4:] == ["cuda"] else "cpu"
    torch.set_num_threads(1)
    found = examples_of(folder, encoding)
    settings = Settings(hidden=64, held_out=0.0, device=device)
    whole = replace(settings, sample=found.graph.vertices)
    runs = {"isolog": Run(found, settings), "whole": Run(found, whole), "plain": Run(found, whole)}
    ways = {"isolog": runs["isolog"].advance, "whole": runs["whole"].advance, "plain": Plain(runs["plain"]).advance}
    least = least_seconds(ways, rounds, device == "cuda")
    count = sum(len(colour.targets) for colour in found.graph.colours)
    print(f"{found.graph.vertices:,} vertices, {count:,} edges, {found.graph.features.shape[1]} features, {device}")
    for name, time_taken in least.items():
        print(f"{name:8} {time_taken:8.4f} s an epoch {1e9 * time_taken / count:8.0f} ns an edge")
    print(f"plain / isolog {least['plain'] / least['isolog']:.1f}, plain / whole {least['plain'] / least['whole']:.1f}")


if __name__ == "__main__":
    main()
