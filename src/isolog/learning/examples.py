"""What a network is trained on: a graph, and which of the facts that it may derive are true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from isolog.encodings.encoding import Encoded, Encoding
from isolog.facts.dataset import Dataset
from isolog.graphs.graph import ColouredGraph

Entries = NDArray[np.int64]
"""Rows of a vertex and a feature: what a network may say."""

FEW = 5
"""Fewer false facts do not tell of what kind they are."""


def no_entries() -> Entries:
    """Nothing."""
    return np.empty((0, 2), np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class Outputs:
    """Vertices in increasing order, and the features that the network is asked for there.

    With `exclusive`, each of the vertices has exactly one of the features.
    """

    vertices: NDArray[np.int64]
    features: NDArray[np.int64]
    exclusive: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Examples:
    """A graph, where its outputs are, and the entries of the targets; `unreachable` targets have no vertex.

    A target that the graph has as a feature is none: it is known already. `taken` are true entries that were taken
    out of the graph, to judge by. `told` says of each vertex whether a fact speaks of its terms, in any order;
    `false_told` is the share of what is false that is to be judged by at such vertices.
    """

    graph: ColouredGraph
    outputs: tuple[Outputs, ...]
    positives: Entries
    told: NDArray[np.bool_]
    unreachable: int = 0
    taken: Entries = field(default_factory=no_entries)
    false_told: float = 0.5

    @property
    def classes(self) -> NDArray[np.int64] | None:
        """The features that exclude each other; None if there are none."""
        return next((output.features for output in self.outputs if output.exclusive), None)

    @property
    def known(self) -> Entries:
        """The entries of outputs that the input has."""
        return np.concatenate([no_entries(), *(_inside(self.graph.features, output) for output in self.outputs)])


def examples(encoding: Encoding, data: Dataset, targets: Dataset, taken: Dataset | None = None) -> Examples:
    """The graph of the data with the targets and with what was taken from the data, within the encoding's signature.

    Where the input has facts of the targets' predicates, it is incomplete, and everything that the decoder may derive
    is asked for. Where it has none, the network is asked for those predicates alone; and if each target gives its
    vertex its only class, at the vertices of targets alone, because the classes of all others are unknown.
    """
    encoded = encoding.encode(data)
    positives, unreachable = target_entries(encoded, targets)
    is_known = encoded.graph.features[positives[:, 0], positives[:, 1]]
    outputs = tuple(_outputs(encoded))
    wanted = np.unique(positives[:, 1])
    if len(wanted) and not encoded.graph.features[:, wanted].any():
        unary = all(encoding.meanings[feature].predicate.arity == 1 for feature in wanted)
        classes = unary and are_classes(positives)
        asked = [_asked(output, wanted, positives if classes else None) for output in outputs]
        outputs = tuple(output for output in asked if len(output.features))
    apart = no_entries() if taken is None else target_entries(encoded, taken)[0]
    return Examples(encoded.graph, outputs, positives[~is_known], told_vertices(encoded), unreachable, apart)


def are_classes(positives: Entries) -> bool:
    """Whether the entries say of each vertex in which one of several classes it is."""
    return len(np.unique(positives[:, 0])) == len(positives) and len(np.unique(positives[:, 1])) > 1


def target_entries(encoded: Encoded, targets: Dataset) -> tuple[Entries, int]:
    """The entries of the targets that have a vertex, in the order of tables, and how many have none."""
    found, unreachable = [no_entries()], 0
    for predicate, table in targets.over(encoded.dataset.vocabulary).tables.items():
        if encoded.encoding.output(predicate) is None:
            unreachable += len(table)
            continue
        vertices, feature = encoded.positions(predicate, table)
        reachable = vertices[vertices >= 0]
        unreachable += len(table) - len(reachable)
        found.append(np.column_stack([reachable, np.full(len(reachable), feature)]))
    return np.concatenate(found), unreachable


def told_vertices(encoded: Encoded) -> NDArray[np.bool_]:
    """The vertices of whose terms a fact speaks, in any order."""
    found: NDArray[np.bool_] = np.any(encoded.graph.features, axis=1)
    for block in encoded.blocks:
        if block.shape.arity == 2:
            turned = block.find(block.rows[:, ::-1])
            found[turned[(turned >= 0) & found[block.first : block.first + len(block)]]] = True
    return found


def share_told(encoding: Encoding, data: Dataset, false: Dataset) -> float | None:
    """The share at vertices that facts speak of among the false facts that have a vertex; None if there are few."""
    encoded = encoding.encode(data)
    vertices = target_entries(encoded, false)[0][:, 0]
    return float(told_vertices(encoded)[vertices].mean()) if len(vertices) >= FEW else None


def _outputs(encoded: Encoded) -> Iterator[Outputs]:
    for sort, block in enumerate(encoded.blocks):
        meanings = enumerate(encoded.encoding.meanings)
        features = [i for i, meaning in meanings if meaning.emitted and meaning.sort == sort]
        if features and len(block):
            yield Outputs(np.arange(block.first, block.first + len(block)), np.array(features))


def _asked(output: Outputs, wanted: NDArray[np.int64], classes: Entries | None) -> Outputs:
    features = np.intersect1d(output.features, wanted)
    if classes is None:
        return Outputs(output.vertices, features)
    own = classes[np.isin(classes[:, 1], features)]
    return Outputs(np.unique(own[:, 0]), features, exclusive=True)


def _inside(features: NDArray[np.bool_], output: Outputs) -> Entries:
    found = np.argwhere(features[np.ix_(output.vertices, output.features)])
    return np.column_stack([output.vertices[found[:, 0]], output.features[found[:, 1]]])
