"""The loss is the weighted logistic loss of all entries, in the mean also where a sample stands for them."""

from dataclasses import replace

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from isolog.encodings.registry import find_encoding
from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family
from isolog.facts.signature import Signature
from isolog.facts.split import Part, Split
from isolog.facts.terms import Atom
from isolog.learning.evidence import gather_evidence, taken_away
from isolog.learning.examples import Entries, Examples, examples, share_told
from isolog.learning.objective import Objective
from isolog.learning.settings import Settings
from isolog.learning.task import examples_of

SETTINGS = Settings(negative_weight=0.3, known_weight=0.2, held_out=0.0)
NOTHING = Dataset.empty()
FACTS = generate_family(persons=40, seed=1).facts


def family(encoding: str = "pairs:2") -> Examples:
    """A family's facts, a tenth of which is taken away."""
    found = find_encoding(encoding, Signature.from_dataset(FACTS))
    taken = taken_away(found, FACTS, 0.1, seed=2)
    return examples(found, FACTS - taken, Dataset.empty(), taken)


def objective(found: Examples, settings: Settings) -> Objective:
    evidence, targets = gather_evidence(found, 0.0, np.random.default_rng(0))
    return Objective(found, targets, evidence.positives, settings)


def plainly(found: Examples, arguments: torch.Tensor, hidden: Entries, settings: Settings) -> torch.Tensor:
    """Entry by entry, over all vertices and features that are asked for."""
    wanted, weights = torch.zeros_like(arguments), torch.zeros_like(arguments)
    for output in found.outputs:
        told = found.told[output.vertices]
        share = min(1.0, told.sum() / max(1, (~told).sum())) if told.any() else 1.0
        for vertex, is_told in zip(output.vertices.tolist(), told.tolist(), strict=True):
            weights[vertex, output.features] = settings.negative_weight * (1.0 if is_told else share)
    for entries, weight in ((found.known, settings.known_weight), (hidden, 1.0)):
        wanted[entries[:, 0], entries[:, 1]] = 1
        weights[entries[:, 0], entries[:, 1]] = weight
    weights[found.taken[:, 0], found.taken[:, 1]] = 0
    return binary_cross_entropy_with_logits(arguments, wanted, weights, reduction="sum") / len(hidden)


def test_the_loss_of_all_vertices() -> None:
    found = family()
    assert len(found.outputs) == 2 and len(found.taken) and not found.told.all()
    own = objective(found, SETTINGS)
    hidden, shown = found.known[::3], np.delete(found.known, np.s_[::3], axis=0)
    arguments = torch.randn((found.graph.vertices, len(own.asked)), generator=torch.Generator().manual_seed(1))
    batch = own.draw(np.random.default_rng(0), hidden)
    assert batch.is_whole and (batch.stands_for == 1).all()
    loss = own.loss(arguments[batch.rows], batch, hidden, shown)
    assert torch.allclose(loss, plainly(found, arguments, hidden, SETTINGS), rtol=1e-4)


def test_a_sample_stands_for_all() -> None:
    found = family()
    own = objective(found, Settings(negative_weight=0.3, known_weight=0.2, sample=20))
    hidden, shown = found.known[:5], found.known[5:]
    arguments = torch.randn((found.graph.vertices, len(own.asked)), generator=torch.Generator().manual_seed(1))
    random = np.random.default_rng(3)
    losses: list[float] = []
    for _ in range(400):
        batch = own.draw(random, hidden)
        assert not batch.is_whole and set(hidden[:, 0]) <= set(batch.rows)
        assert np.isclose(batch.stands_for.sum(), sum(len(output.vertices) for output in found.outputs))
        losses.append(float(own.loss(arguments[batch.rows], batch, hidden, shown)))
    whole = float(plainly(found, arguments, hidden, SETTINGS))
    assert abs(np.mean(losses) - whole) < 4 * np.std(losses) / 20
    assert np.std(losses) > 0


def test_rare_predicates_weigh_more_if_asked_to() -> None:
    found = family("pairs")
    own = objective(found, Settings(balance=0.5, sample=10**6))
    weights = own.true_weight
    counts = np.bincount(found.known[:, 1], minlength=len(weights))
    rare, frequent = np.argsort(np.where(counts > 0, counts, counts.max() + 1))[0], int(np.argmax(counts))
    assert np.isclose(weights[rare] / weights[frequent], (counts[frequent] / counts[rare]) ** 0.5)
    assert np.isclose((weights * counts).sum(), counts.sum())


def test_a_pair_is_told_by_a_fact_in_either_direction() -> None:
    found = family("pairs:2")
    encoded = find_encoding("pairs:2", Signature.from_dataset(FACTS)).encode(FACTS)
    linked = find_encoding("pairs", Signature.from_dataset(FACTS)).encode(FACTS)
    whole = examples(encoded.encoding, FACTS, Dataset.empty())
    pairs = encoded.blocks[1]
    assert int(whole.told[pairs.first :].sum()) == len(linked.blocks[1]) < len(pairs)
    assert found.told.sum() <= whole.told.sum()


def test_what_is_taken_away_is_still_told_if_asked_to() -> None:
    encoding = find_encoding("pairs:2", Signature.from_dataset(FACTS))
    for told in (True, False):
        taken = taken_away(encoding, FACTS, 0.3, seed=2, told=told)
        found = examples(encoding, FACTS - taken, Dataset.empty(), taken)
        assert len(found.taken) == len(taken)
        assert found.told[found.taken[:, 0]].all() == told


def test_without_targets_what_nothing_else_speaks_of_is_taken_too() -> None:
    """A country is in a region because it is in a part of it: no other fact links the two."""
    places = [(f"c{i}", f"p{i % 7}") for i in range(60)] + [(f"c{i}", f"r{i % 7}") for i in range(60)]
    places += [(f"p{i}", f"r{i}") for i in range(7)]
    facts = Dataset.from_facts(Atom("in", pair) for pair in places)
    split = Split(Signature.from_dataset(facts), Part(facts, NOTHING, NOTHING), *[Part(NOTHING, NOTHING, NOTHING)] * 2)
    encoding = find_encoding("paths", split.signature)
    found = examples_of(split, encoding, Settings())
    assert len(found.taken) and not found.told[found.taken[:, 0]].any()


def test_false_facts_tell_of_what_kind_they_are() -> None:
    encoding = find_encoding("pairs:2", Signature.from_dataset(FACTS))
    found = family()
    assert share_told(encoding, FACTS, FACTS) == 1.0
    assert share_told(encoding, FACTS, Dataset.empty()) is None
    assert found.false_told == 0.5
    for share in (0.0, 1.0):
        evidence, _ = gather_evidence(replace(found, false_told=share), 0.0, np.random.default_rng(0))
        told = found.told[evidence.negatives[:, 0]].mean()
        assert told == 1.0 if share else told < 0.9
