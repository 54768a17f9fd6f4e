"""How well scores tell true from false: the published measures, and the choice of a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which score on a fact is derived, and the accuracy of that."""

    value: float
    accuracy: float


def average_precision(positives: Scores, negatives: Scores) -> float:
    """Σ (R_n − R_{n−1}) · P_n over the distinct scores, from the highest down; ties count together.

    >>> average_precision(np.array([3.0, 1.0]), np.array([2.0]))
    0.8333333333333333
    """
    if not len(positives):
        return 0.0
    scores = np.concatenate([positives, negatives])
    order = np.argsort(-scores, kind="stable")
    true = np.concatenate([np.ones(len(positives)), np.zeros(len(negatives))])[order]
    falling = scores[order]
    last = np.append(np.flatnonzero(falling[1:] != falling[:-1]), len(scores) - 1)
    found = np.cumsum(true)[last]
    precision = found / (last + 1)
    return float(np.sum(np.diff(np.concatenate([[0.0], found])) * precision) / len(positives))


def balanced_accuracies(positives: Scores, negatives: Scores) -> tuple[Scores, Scores]:
    """The distinct finite scores of positives, and for each the mean of the shares of both that it puts right."""
    candidates = np.unique(positives[np.isfinite(positives)])
    hit = 1 - np.searchsorted(np.sort(positives), candidates, "left") / max(1, len(positives))
    spared = np.searchsorted(np.sort(negatives), candidates, "left") / max(1, len(negatives))
    return candidates, (hit + spared) / 2


def separation(positives: Scores, negatives: Scores) -> float:
    """The chance that a positive scores above a negative; ties count half.

    >>> separation(np.array([1.0, 2.0]), np.array([1.0]))
    0.75
    """
    if not len(positives) or not len(negatives):
        return 0.5
    below = np.sort(negatives)
    less, most = np.searchsorted(below, positives, "left"), np.searchsorted(below, positives, "right")
    return float((less + most).mean() / 2 / len(below))


def best_threshold(positives: Scores, negatives: Scores) -> Threshold:
    """The least score of a positive among those with the best balanced accuracy."""
    candidates, accuracies = balanced_accuracies(positives, negatives)
    if not len(candidates):
        return Threshold(float(np.max(negatives, initial=0.0)) + 1.0, 0.5)
    best = int(np.argmax(accuracies))
    return Threshold(float(candidates[best]), float(accuracies[best]))


GRID = (0.0, *(10.0**-e for e in range(10, 2, -1)), *(n / 100 for n in range(1, 100)))
"""The thresholds on probabilities that the published measure takes."""


def grid_auprc(positives: Scores, negatives: Scores) -> float:
    """The area under precision over recall by the trapezoid rule, at the thresholds of the grid, with the points
    (recall 1, precision 0) and (recall 0, precision 1) added; scores are probabilities.

    >>> grid_auprc(np.array([0.9]), np.array([0.1]))
    1.0
    """
    above, below = np.sort(positives), np.sort(negatives)
    points = [(1.0, 0.0)]
    for threshold in GRID:
        hits = len(above) - int(np.searchsorted(above, threshold, "left"))
        wrong = len(below) - int(np.searchsorted(below, threshold, "left"))
        points.append((hits / max(1, len(above)), hits / (hits + wrong) if hits + wrong else 1.0))
    points.append((0.0, 1.0))
    return float(sum((r - s) * (p + q) / 2 for (r, p), (s, q) in pairwise(points)))
