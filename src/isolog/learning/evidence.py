"""What a training is judged by: entries that it does not see, some true and some likely false."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from isolog.encodings.encoding import Encoding
from isolog.facts.dataset import Dataset
from isolog.learning.examples import Entries, Examples, Outputs, no_entries, told_vertices
from isolog.learning.metrics import Scores, best_threshold, separation

NEGATIVES_A_POSITIVE = 20
FEWEST_POSITIVES = 50


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """True entries and others that are likely false.

    With `classes`, the false entries are the other classes of the true ones' vertices, in the same order, as many each.
    """

    positives: Entries
    negatives: Entries
    classes: bool = False

    @property
    def entries(self) -> Entries:
        """All entries, the true ones first."""
        return np.concatenate([self.positives, self.negatives])

    def parted(self, scores: Scores) -> tuple[Scores, Scores]:
        """The scores of the true and of the false entries."""
        return scores[: len(self.positives)], scores[len(self.positives) :]

    def score(self, scores: Scores) -> float:
        """How well the scores tell true from false: the mean of the accuracy at the best threshold, or by the largest
        score where there are classes, and of the chance that a true entry stands above a false one."""
        true, false = self.parted(scores)
        if not len(true) or not len(false):
            return 0.5
        accuracy = self._share_largest(true, false) if self.classes else best_threshold(true, false).accuracy
        return (accuracy + separation(true, false)) / 2

    def _share_largest(self, true: Scores, false: Scores) -> float:
        return float((true > false.reshape(len(true), -1).max(axis=1)).mean())


def gather_evidence(examples: Examples, share: float, random: np.random.Generator) -> tuple[Evidence, Entries]:
    """The evidence, with a share of the targets at random, and the targets that are left to train on."""
    order = random.permutation(len(examples.positives))
    held = int(len(order) * share)
    positives, targets = examples.positives[order[:held]], examples.positives[order[held:]]
    if examples.classes is not None:
        return evidence_of_classes(positives, examples.classes), targets
    positives = np.concatenate([positives, examples.taken])
    negatives = _negatives(examples, max(len(positives), FEWEST_POSITIVES) * NEGATIVES_A_POSITIVE, random)
    return Evidence(positives, negatives), targets


def taken_away(encoding: Encoding, facts: Dataset, share: float, seed: int, *, told: bool = False) -> Dataset:
    """About a share of the facts, at random, that the network could still derive if none of them were there.

    With `told`, only those of whose terms other facts speak.
    """
    chance = np.random.default_rng(seed)
    tables = {
        predicate: table[chance.random(len(table)) < share]
        for predicate, table in facts.tables.items()
        if any(meaning.emitted and meaning.predicate == predicate for meaning in encoding.meanings)
    }
    candidates = Dataset.from_tables(facts.vocabulary, tables)
    rest = encoding.encode(facts - candidates)
    kept = told_vertices(rest) if told else np.ones(rest.graph.vertices, bool)
    kept = np.append(kept, False)  # a fact without a vertex has the last place
    reachable = {
        predicate: table[kept[rest.positions(predicate, table)[0]]]
        for predicate, table in candidates.over(rest.dataset.vocabulary).tables.items()
    }
    return Dataset.from_tables(rest.dataset.vocabulary, reachable)


def evidence_of_classes(positives: Entries, classes: NDArray[np.int64]) -> Evidence:
    """The entries as evidence, with the other classes of their vertices."""
    others = [[(vertex, other) for other in classes.tolist() if other != own] for vertex, own in positives.tolist()]
    return Evidence(positives, np.array(others, np.int64).reshape(-1, 2), classes=True)


def _negatives(examples: Examples, number: int, random: np.random.Generator) -> Entries:
    """Random entries of outputs that neither the input nor the targets have, a share of them at told vertices."""
    told = [replace(each, vertices=each.vertices[examples.told[each.vertices]]) for each in examples.outputs]
    drawn = int(number * examples.false_told)
    rows = [_drawn(told, drawn, random), _drawn(examples.outputs, number - drawn, random)]
    entries = np.unique(np.concatenate(rows), axis=0)
    true = examples.graph.features[entries[:, 0], entries[:, 1]]
    width = examples.graph.features.shape[1]
    targets = np.concatenate([examples.positives, examples.taken])
    return entries[~true & ~np.isin(entries @ (width, 1), targets @ (width, 1))]


def _drawn(outputs: Iterable[Outputs], number: int, random: np.random.Generator) -> Entries:
    outputs = [output for output in outputs if len(output.vertices) and len(output.features)]
    if not outputs:
        return no_entries()
    sizes = np.array([_size(output) for output in outputs], float)
    rows = [no_entries()]
    for output, count in zip(outputs, random.multinomial(number, sizes / sizes.sum()), strict=True):
        chosen = [random.choice(each, count) for each in (output.vertices, output.features)]
        rows.append(np.column_stack(chosen))
    return np.concatenate(rows)


def _size(output: Outputs) -> int:
    return len(output.vertices) * len(output.features)
