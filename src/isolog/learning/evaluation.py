"""How good a network is on facts that are known to be true and to be false; its scores are exact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from isolog.correspondence.transformation import network_encoding
from isolog.encodings.encoding import Encoded
from isolog.facts.dataset import Dataset
from isolog.facts.signature import restrict
from isolog.learning.examples import Entries, are_classes, target_entries
from isolog.learning.metrics import Scores, average_precision, grid_auprc
from isolog.networks.network import Network
from isolog.networks.recompute import ExactLabelling
from isolog.networks.superlevel import superlevel

Score: TypeAlias = Fraction | float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Measures on given true and false facts; `reachable_positives` have a vertex, `threshold` is the least one.

    `curve` has a point (recall, precision) for each distinct score. Where the positives give each of their terms its
    only class, `class_accuracy` is the share of terms whose class has a larger score than any other, and
    `exact_classes` that of the terms for which it alone is derived; elsewhere they are None.
    """

    precision: float
    recall: float
    accuracy: float
    f1: float
    average_precision: float
    auprc_grid: float
    threshold: float
    reachable_positives: int
    positives: int
    negatives: int
    curve: tuple[tuple[float, float], ...]
    class_accuracy: float | None = None
    exact_classes: float | None = None


def evaluate(
    network: Network, data: Dataset, positives: Dataset, negatives: Dataset, *, ignore_unknown: bool = False
) -> Evaluation:
    """The measures of the network, applied to the data."""
    encoding = network_encoding(network)
    encoded = encoding.encode(restrict(data, encoding.signature, ignore_unknown))
    scorer = Scorer(network, encoded)
    asked = [restrict(facts, encoding.signature, ignore_unknown) for facts in (positives, negatives)]
    true, false = map(scorer.facts, asked)
    by_largest, exactly = _classes(scorer, *asked)
    ranks = _ranks([*true, *false])
    high, low = ranks[: len(true)], ranks[len(true) :]
    hits, wrong = sum(score >= 0 for score in true), sum(score >= 0 for score in false)
    precision, recall = _share(hits, hits + wrong), _share(hits, len(true))
    return Evaluation(
        precision=precision,
        recall=recall,
        accuracy=_share(hits + len(false) - wrong, len(true) + len(false)),
        f1=2 * precision * recall / (precision + recall) if hits else 0.0,
        average_precision=average_precision(high, low),
        auprc_grid=grid_auprc(_sigmoid(true), _sigmoid(false)),
        threshold=float(min(network.thresholds, default=Fraction(0))),
        reachable_positives=sum(score != -math.inf for score in true),
        positives=len(true),
        negatives=len(false),
        curve=_curve(high, low),
        class_accuracy=by_largest,
        exact_classes=exactly,
    )


class Scorer:
    """Exact scores: the argument of the last activation less what the threshold needs."""

    def __init__(self, network: Network, encoded: Encoded) -> None:
        self.encoded = encoded
        self._last = len(network.layers)
        self._labelling = ExactLabelling(network, encoded.graph)
        self._needed = [needed_argument(network, output) for output in range(len(network.thresholds))]

    def facts(self, facts: Dataset) -> list[Score]:
        """The scores of facts in the order of their tables, those without a vertex last, with −∞."""
        entries, unreachable = target_entries(self.encoded, facts)
        return [*self.entries(entries), *[-math.inf] * unreachable]

    def entries(self, entries: Entries) -> list[Score]:
        """The scores of entries."""
        found: list[Score] = [-math.inf] * len(entries)
        for output in np.unique(entries[:, 1]).tolist():
            places = np.flatnonzero(entries[:, 1] == output)
            vertices, back = np.unique(entries[places, 0], return_inverse=True)
            needed = self._needed[output]
            arguments = self._labelling.arguments(self._last, output, vertices)
            for place, vertex in zip(places.tolist(), back.tolist()):
                found[place] = arguments[vertex] - needed if isinstance(needed, Fraction) else -needed
        return found


def _classes(scorer: Scorer, positives: Dataset, negatives: Dataset) -> tuple[float | None, float | None]:
    """The shares of terms whose class has the largest score, and for which it alone is derived."""
    entries, unreachable = target_entries(scorer.encoded, positives)
    if any(predicate.arity != 1 for predicate in positives.predicates) or not are_classes(entries):
        return None, None
    classes = np.union1d(entries[:, 1], target_entries(scorer.encoded, negatives)[0][:, 1])
    vertices = np.repeat(entries[:, 0], len(classes))
    scores = scorer.entries(np.column_stack([vertices, np.tile(classes, len(entries))]))
    largest = exact = 0
    for place, own in enumerate(np.searchsorted(classes, entries[:, 1]).tolist()):
        others = scores[place * len(classes) : (place + 1) * len(classes)]
        mine = others.pop(own)
        largest += mine > max(others)
        exact += mine >= 0 > max(others)
    return largest / (len(entries) + unreachable), exact / (len(entries) + unreachable)


def needed_argument(network: Network, output: int) -> Fraction | float:
    """The least argument for which the last activation, a monotone one, reaches the threshold; ±∞ for all or none."""
    intervals = superlevel(network.layers[-1].activation, network.thresholds[output])
    if not intervals:
        return math.inf
    low = intervals[0][0]
    return -math.inf if low is None else low


def _ranks(scores: list[Score]) -> Scores:
    """Numbers in the same order, equal where the scores are equal; −∞ stays."""
    distinct = {score: float(rank) for rank, score in enumerate(sorted(set(scores)))}
    return np.array([-math.inf if score == -math.inf else distinct[score] for score in scores], float)


def _sigmoid(scores: list[Score]) -> Scores:
    """Probabilities; what has no vertex has none, not even 0."""
    values = np.array([float(score) for score in scores])
    with np.errstate(over="ignore"):
        return np.where(values == -np.inf, -np.inf, 1 / (1 + np.exp(-values)))


def _curve(positives: Scores, negatives: Scores) -> tuple[tuple[float, float], ...]:
    points: list[tuple[float, float]] = []
    above, below = np.sort(positives), np.sort(negatives)
    for score in np.unique(positives[np.isfinite(positives)])[::-1].tolist():
        hits = len(above) - int(np.searchsorted(above, score, "left"))
        wrong = len(below) - int(np.searchsorted(below, score, "left"))
        points.append((hits / len(above), hits / (hits + wrong)))
    return tuple(points)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
