"""`train`: from facts to a network that is small enough to be read, at the best point of a front that is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeAlias

from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.heads import Budget
from isolog.correspondence.rule_diff import RuleDiff, rule_diff
from isolog.encodings.encoding import Encoding
from isolog.errors import LimitError
from isolog.facts.split import Split
from isolog.learning.checkpoint import Checkpoint
from isolog.learning.layers import few_threads
from isolog.learning.settings import Settings
from isolog.learning.start import origin, start_of
from isolog.learning.task import encoding_of, examples_of, require_targets
from isolog.learning.to_network import choose_thresholds, network_of
from isolog.learning.training import Moment, Run, Trained
from isolog.networks.network import Network, Provenance
from isolog.networks.summary import network_summary
from isolog.networks.widen import widened

SPARSITIES = (0.2, 0.05, 0.01)
BITS = (1, 2)
TRAINED, PRUNED = 0.75, 0.95
"""The shares of the time after which training, and dropping weights, must end; the rest is for the program's size."""
TOLERANCE = 0.003
"""A smaller network may be so much less accurate than the best one."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the front: what was chosen, how accurate it is on held-out targets, and how large.

    `concept_nodes` is None where the program exceeds the budget: such a network is not admitted.
    """

    sparsity: float
    bits: int | None
    accuracy: float
    nonzero: int
    concept_nodes: int | None
    chosen: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Training:
    """The network, the front that it was chosen from, the course of its run, and what it was trained on.

    Where training started from a network, `rules` says what became of its rules.
    """

    network: Network
    accuracy: float
    front: tuple[Point, ...]
    curve: tuple[Moment, ...]
    reachable_targets: int
    unreachable_targets: int
    seconds: float
    rules: RuleDiff | None = None


Size: TypeAlias = Callable[[], int | None]
"""How many concepts the program has if training ends here; None beyond ESTIMATED, and before weights are rounded."""
Report: TypeAlias = Callable[[Settings, Moment, Size], None]
ESTIMATED = 20_000


def silent(settings: Settings, moment: Moment, size: Size) -> None:
    """A report that says nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train and how to choose: all combinations of sparsity and bits, within so many seconds and nodes.

    With a network to `start` from, the encoding and the layers of the settings must be its own.
    """

    settings: Settings
    encoding: str = "auto"
    sparsities: Sequence[float] = SPARSITIES
    bits: Sequence[int | None] = BITS
    seconds: float = 240.0
    max_nodes: int = 200_000
    start: Network | None = None


def train_split(data: Split, plan: Plan, report: Report = silent, checkpoint: Checkpoint | None = None) -> Training:
    """The network that the plan gives on the part of the split to learn from.

    Of the other parts, only the kind of the validation part's false facts is looked at.
    """
    saved = checkpoint or Checkpoint(None)
    begin = time.monotonic() - saved.seconds
    graph, targets = data.train.graph, data.train.positives
    start = None if plan.start is None else start_of(widened(plan.start, data.signature))
    encoding, options = encoding_of(data, plan.encoding, start)
    found = examples_of(data, encoding, plan.settings)
    require_targets(found, encoding, targets)
    made: list[tuple[Point, Network, tuple[Moment, ...]]] = []
    with few_threads(found.graph.features.size):
        for number, settings in enumerate(_candidates(plan)):
            if number >= len(saved.done) and number and time.monotonic() - begin > plan.seconds * number / (number + 1):
                break
            run = Run(found, settings, start)
            until = begin + TRAINED * plan.seconds
            saved.complete(number, run, begin, until, _told(report, run, encoding))
            made.append(_finish(run.result(begin + PRUNED * plan.seconds), encoding, options, settings, plan))
    best = _best([point for point, _, _ in made])
    point, network, curve = made[best]
    front = tuple(replace(each, chosen=place == best) for place, (each, _, _) in enumerate(made))
    notes = () if plan.start is None else origin(plan.start)
    provenance = Provenance(plan.settings.seed, (graph | targets).sha256, _versions(), notes)
    return Training(
        replace(network, provenance=provenance),
        point.accuracy,
        front,
        curve,
        len(found.positives),
        found.unreachable,
        time.monotonic() - begin,
        None if plan.start is None else rule_diff(plan.start, network),
    )


def _candidates(plan: Plan) -> Iterator[Settings]:
    for sparsity, bits in product(plan.sparsities, plan.bits):
        yield replace(plan.settings, sparsity=sparsity, bits=bits)


def _finish(
    trained: Trained, encoding: Encoding, options: Mapping[str, Any], settings: Settings, plan: Plan
) -> tuple[Point, Network, tuple[Moment, ...]]:
    network = network_of(trained, encoding, options)
    accuracy = choose_thresholds(trained, len(encoding.features)).accuracy
    nonzero = network_summary(network).nonzero
    nodes = _program_size(network, encoding, plan.max_nodes)
    return Point(settings.sparsity, settings.bits, accuracy, nonzero, nodes), network, trained.curve


def _told(report: Report, run: Run, encoding: Encoding) -> Callable[[Moment], None]:
    """Reports on moments of the run."""

    def size() -> int | None:
        if run.layers.bits is None:
            return None
        return _program_size(network_of(run.now(), encoding, {}), encoding, ESTIMATED)

    return lambda moment: report(run.settings, moment, size)


def _program_size(network: Network, encoding: Encoding, max_nodes: int) -> int | None:
    try:
        extraction = concepts_of_network(network, encoding.sorts, Budget(max_nodes))
    except LimitError:
        return None
    heads = {node for nodes in extraction.heads for node in nodes}
    return len(extraction.concepts.reachable(heads))


def _best(points: Sequence[Point]) -> int:
    """The smallest of the admitted points that are nearly as accurate as the best of them."""
    admitted = [place for place, point in enumerate(points) if point.concept_nodes is not None]
    if not admitted:
        return min(range(len(points)), key=lambda place: points[place].nonzero)
    most = max(points[place].accuracy for place in admitted)
    near = [place for place in admitted if points[place].accuracy >= most - TOLERANCE]
    return min(near, key=lambda place: (points[place].concept_nodes or 0, points[place].nonzero))


def _versions() -> tuple[tuple[str, str], ...]:
    import torch

    import isolog

    return (("isolog", isolog.__version__), ("torch", str(torch.__version__)))
