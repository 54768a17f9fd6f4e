"""What `exact.apply` defines, fast: decided in float64 where that proves the result, and in integers elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.graphs.graph import ColouredGraph
from isolog.networks.certified import decide, propagate, unlabelled
from isolog.networks.network import Network
from isolog.networks.prepared import PreparedNetwork, prepare
from isolog.networks.recompute import ExactLabelling


@dataclass(frozen=True, eq=False, slots=True)
class Application:
    """Which outputs reach their threshold, per vertex, and how that was decided.

    `rounded` says whether any float64 operation rounded; `recomputed` counts the labels that rounding left in
    doubt and integer arithmetic decided.
    """

    labels: NDArray[np.bool_]
    rounded: bool
    recomputed: int


def application(network: Network | PreparedNetwork, graph: ColouredGraph) -> Application:
    """The labels that the network gives to the graph, with the report."""
    prepared = network if isinstance(network, PreparedNetwork) else prepare(network)
    with np.errstate(all="ignore"):
        labelling = unlabelled(graph)
        for layer in prepared.layers[:-1]:
            labelling = propagate(layer, graph, labelling)
        labels, doubtful, rounded = decide(prepared, graph, labelling)
    if doubtful.any():
        exact = ExactLabelling(prepared.network, graph)
        for output in np.flatnonzero(doubtful.any(axis=0)):
            vertices = np.flatnonzero(doubtful[:, output])
            labels[vertices, output] = exact.reaches(int(output), vertices)
    return Application(labels, rounded, int(doubtful.sum()))


def labels(network: Network | PreparedNetwork, graph: ColouredGraph) -> NDArray[np.bool_]:
    """Which outputs reach their threshold, per vertex: `exact.apply(network, graph)` for every network and graph.

    A network that is applied to many graphs is best prepared once; many small graphs are best put into one.
    """
    return application(network, graph).labels
