"""`train`: from facts to a network that is small enough to be read, at the best point of a front that is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.heads import Budget
from isolog.correspondence.rule_diff import RuleDiff, rule_diff
from isolog.encodings.encoding import Encoding
from isolog.encodings.registry import find_encoding, resolve
from isolog.errors import Finding, InputError, LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature, restrict
from isolog.facts.split import Part, Split
from isolog.learning.checkpoint import Checkpoint
from isolog.learning.evidence import taken_away
from isolog.learning.examples import Examples, examples, share_told
from isolog.learning.layers import few_threads
from isolog.learning.settings import Settings
from isolog.learning.start import Start, origin, start_of
from isolog.learning.thinning import thinned
from isolog.learning.to_network import choose_thresholds, network_of
from isolog.learning.training import Moment, Run, Trained
from isolog.networks.network import Network, Provenance
from isolog.networks.summary import network_summary
from isolog.networks.widen import widened

SPARSITIES = (0.2, 0.05, 0.01)
BITS = (1, 2)
TRAINED = 0.8
"""The share of the time that is for training; the rest is for dropping weights and for the size of the program."""
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
    """The network that the plan gives on the part of the split to learn from; other parts are not looked at."""
    saved = checkpoint or Checkpoint(None)
    begin = time.monotonic() - saved.seconds
    graph, targets = data.train.graph, data.train.positives
    start = None if plan.start is None else start_of(widened(plan.start, data.signature))
    encoding, options = _encoding(data, plan, start)
    found = _found(data, encoding, plan.settings)
    _require_targets(found, encoding, targets)
    made: list[tuple[Point, Network, tuple[Moment, ...]]] = []
    with few_threads(found.graph.features.size):
        for number, settings in enumerate(_candidates(plan)):
            if number >= len(saved.done) and number and time.monotonic() - begin > plan.seconds * number / (number + 1):
                break
            run = Run(found, settings, start)
            until = begin + TRAINED * plan.seconds
            saved.complete(number, run, begin, until, _told(report, run, encoding))
            made.append(_finish(run.result(), encoding, options, settings, plan))
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


def chosen_encoding(name: str, targets: Dataset) -> str:
    """The encoding that `auto` stands for: `pairs` where facts about two things are to be derived."""
    if name != "auto":
        return name
    return "pairs" if any(predicate.arity == 2 for predicate in targets.predicates) else "canonical+inverses"


def hold_out(facts: Dataset, seed: int = 0, share: float = 0.1) -> Split:
    """A split of facts without targets: a share of them, at random, is to be derived from the others."""
    chance = np.random.default_rng(seed)
    tables = {}
    for predicate, table in facts.tables.items():
        if predicate.arity <= 2:
            tables[predicate] = table[np.sort(chance.permutation(len(table))[: int(len(table) * share)])]
    targets = Dataset.from_tables(facts.vocabulary, tables)
    nothing = Dataset.empty()
    rest = Part(nothing, nothing, nothing)
    return Split(Signature.from_dataset(facts), Part(facts - targets, targets, nothing), rest, rest)


def _require_targets(found: Examples, encoding: Encoding, targets: Dataset) -> None:
    """Refuses to train on nothing, or on what the encoding cannot derive."""
    derivable = any(encoding.output(predicate) is not None for predicate in targets.predicates)
    if len(found.positives) or (len(found.known) and (derivable or not len(targets))):
        return
    message = f"none of the {len(targets):,} targets can be derived with the encoding `{encoding.name}`"
    hint = "`pairs:2` and `paths` reach targets that no fact links"
    if not derivable:
        hint = "`pairs` derives facts about two things; rules to start from are compiled for it by `compile --encoding`"
    raise InputError(Finding("E640", message, hint=hint))


def _found(data: Split, encoding: Encoding, settings: Settings) -> Examples:
    """The examples of the part to learn from, and, if the split has false facts to choose by, how many are told."""
    known, wanted, valid, false = (
        restrict(facts, encoding.signature)
        for facts in (data.train.graph, data.train.positives, data.valid.graph, data.valid.negatives)
    )
    found = _examples(encoding, known, wanted, settings)
    share = share_told(encoding, valid, false) if len(false) else None
    return found if share is None else replace(found, false_told=share)


def _examples(encoding: Encoding, graph: Dataset, targets: Dataset, settings: Settings) -> Examples:
    """The examples; where the input has facts of the targets' predicates, some are taken away to judge by."""
    most, seed = settings.most_vertices, settings.seed
    if len(targets) and not any(len(graph.tables.get(predicate, ())) for predicate in targets.predicates):
        return thinned(examples(encoding, graph, targets), most, seed)
    taken = taken_away(encoding, graph, settings.taken, seed)
    return thinned(examples(encoding, graph - taken, targets, taken), most, seed)


def _encoding(data: Split, plan: Plan, start: Start | None) -> tuple[Encoding, Mapping[str, Any]]:
    """The encoding with its options: that of the network to start from, if there is one."""
    if start is not None:
        chosen = start.network.encoding
        return find_encoding(chosen.name, start.network.signature, dict(chosen.options)), dict(chosen.options)
    targets = data.train.positives
    classified = targets.only([predicate for predicate in targets.predicates if predicate.arity == 1])
    name, options = resolve(chosen_encoding(plan.encoding, targets), data.train.graph, apart=classified)
    return find_encoding(name, data.signature, options), options


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
