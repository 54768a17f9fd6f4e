"""Measures of scores: as scikit-learn and the published tables have them."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.learning.metrics import GRID, average_precision, best_threshold, grid_auprc, separation

few = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12)


def by_definition(positives: list[float], negatives: list[float]) -> float:
    total, before = 0.0, 0.0
    for score in sorted({*positives, *negatives}, reverse=True):
        hits, wrong = sum(p >= score for p in positives), sum(n >= score for n in negatives)
        recall = hits / len(positives)
        total += (recall - before) * hits / (hits + wrong)
        before = recall
    return total


@given(few, few)
def test_average_precision_groups_ties(positives: list[float], negatives: list[float]) -> None:
    found = average_precision(np.array(positives), np.array(negatives))
    assert found == pytest.approx(by_definition(positives, negatives))


def test_facts_without_a_vertex_come_last() -> None:
    assert average_precision(np.array([1.0, -np.inf]), np.array([0.0])) == pytest.approx(0.5 + 0.5 * 2 / 3)
    assert average_precision(np.array([]), np.array([1.0])) == 0.0


@given(few, few)
def test_separation_is_the_chance_to_stand_above(positives: list[float], negatives: list[float]) -> None:
    pairs = [(p > n) + (p == n) / 2 for p in positives for n in negatives]
    assert separation(np.array(positives), np.array(negatives)) == pytest.approx(sum(pairs) / len(pairs))


@given(few, few)
def test_no_threshold_is_better(positives: list[float], negatives: list[float]) -> None:
    chosen = best_threshold(np.array(positives), np.array(negatives))

    def accuracy(threshold: float) -> float:
        hits = sum(p >= threshold for p in positives) / len(positives)
        return (hits + sum(n < threshold for n in negatives) / len(negatives)) / 2

    assert chosen.accuracy == pytest.approx(accuracy(chosen.value))
    assert chosen.accuracy >= max(accuracy(float(n)) for n in range(6)) - 1e-12


def test_the_grid_has_108_thresholds() -> None:
    assert len(GRID) == 108 and list(GRID) == sorted(GRID)


def test_the_area_by_hand() -> None:
    """From (1, 0) up to (1, 1/2), to (1/2, 1) once the false one falls away, to (0, 1)."""
    found = grid_auprc(np.array([0.9, 0.3]), np.array([0.5, 0.3]))
    precisions = [(1.0, 0.0), (1.0, 0.5), (0.5, 0.5), (0.5, 1.0), (0.0, 1.0)]
    area = sum((r - s) * (p + q) / 2 for (r, p), (s, q) in pairwise(precisions))
    assert found == pytest.approx(area)


@pytest.mark.data
@pytest.mark.parametrize("stem", ["with_dummies", "without_dummies"])
def test_the_published_area_is_reproduced(data: Path, stem: str) -> None:
    file = data / "peer-models" / f"fb237v1_maxmax_{stem}.scores_test_examples.tsv"
    # What scores less than 1e-9 was not derived at all.
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
    scores = [(row[3], float(row[4]) if float(row[4]) >= 1e-9 else -np.inf) for row in rows if row[3] in ("0", "1")]
    positives = np.array([score for label, score in scores if label == "1"])
    negatives = np.array([score for label, score in scores if label == "0"])
    metrics = data / "peer-models/davala-9_original/metrics" / f"fb237v1-max-max-monotonic-iclr22-{stem}.txt"
    published = float(metrics.read_text("utf-8").splitlines()[-1].split(": ")[1])
    assert grid_auprc(positives, negatives) == pytest.approx(published, abs=1e-12)
