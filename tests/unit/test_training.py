"""Training: the same again, also after an interruption; what it ends with is what the exact network says."""

from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
import torch

from isolog.correspondence.transformation import network_encoding, predict
from isolog.encodings.registry import find_encoding
from isolog.errors import InputError
from isolog.facts.terms import Predicate
from isolog.learning.checkpoint import Checkpoint
from isolog.learning.evaluation import Scorer, evaluate
from isolog.learning.examples import examples
from isolog.learning.settings import Settings
from isolog.learning.task import hold_out
from isolog.learning.to_network import choose_thresholds, network_of
from isolog.learning.train import Plan, Size, train_split
from isolog.learning.training import Moment, Run, train_layers
from isolog.learning.views import Ground
from isolog.networks.apply import labels
from isolog.networks.classes import class_report
from support.learning import family_split

FATHER = Predicate("father", 2)
SPLIT = family_split(FATHER)
ENCODING = find_encoding("pairs", SPLIT.signature)
EXAMPLES = examples(ENCODING, SPLIT.train.graph, SPLIT.train.positives)
QUICK = Settings(hidden=6, epochs=30, seed=3)


def test_only_what_the_input_lacks_is_asked_for() -> None:
    assert [ENCODING.features[f] for output in EXAMPLES.outputs for f in output.features] == ["father/2"]
    assert len(EXAMPLES.known) == 0 and EXAMPLES.unreachable == 0
    assert len(EXAMPLES.positives) == len(SPLIT.train.positives)


def test_an_incomplete_input_is_asked_for_everything() -> None:
    held = hold_out(SPLIT.train.graph, seed=1)
    found = examples(find_encoding("pairs", held.signature), held.train.graph, held.train.positives)
    assert len(found.known) == len(held.train.graph)
    assert len(found.positives) + found.unreachable == len(held.train.positives)


def test_the_same_seed_gives_the_same_network() -> None:
    first, second = (train_layers(EXAMPLES, QUICK) for _ in range(2))
    assert first.curve == second.curve
    assert all(
        torch.equal(one, other) for one, other in zip(first.layers.matrices, second.layers.matrices, strict=True)
    )


class Killed(Exception):
    """Stands in for the signal."""


def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    plan = Plan(QUICK, "pairs", sparsities=(0.1, 0.02), bits=(2,))
    whole = train_split(SPLIT, plan)

    def kill(settings: Settings, moment: Moment, size: Size) -> None:
        if settings.sparsity == 0.02 and moment.epoch == 20:
            raise Killed

    file = tmp_path / "checkpoint"
    with pytest.raises(Killed):
        train_split(SPLIT, plan, kill, Checkpoint(file))
    seen: list[tuple[float, int]] = []
    resumed = train_split(
        SPLIT, plan, lambda settings, moment, _: seen.append((settings.sparsity, moment.epoch)), Checkpoint(file, True)
    )
    assert seen == [(0.02, 20), (0.02, 30)]
    assert resumed.front == whole.front and resumed.curve == whole.curve
    assert predict(resumed.network, SPLIT.test.graph) == predict(whole.network, SPLIT.test.graph)


def test_the_size_of_the_program_is_told_from_when_weights_are_rounded() -> None:
    sizes: list[int | None] = []
    plan = Plan(replace(QUICK, pruning_attempts=0), "pairs", (0.1,), (2,))
    found = train_split(SPLIT, plan, lambda settings, moment, size: sizes.append(size()))
    assert sizes[0] is None and None not in sizes[1:] and len(sizes) == 3
    assert found.front[0].concept_nodes in sizes


def test_a_run_that_would_take_too_long_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = replace(QUICK, epochs=500)
    clock = count()
    monkeypatch.setattr("isolog.learning.checkpoint.time.monotonic", lambda: float(next(clock)))
    run = Run(EXAMPLES, settings)
    moments: list[Moment] = []
    Checkpoint(None).complete(0, run, 0.0, 16.0, moments.append)  # five epochs take one second of this clock
    assert moments[-1].epoch == run.epochs == 5 + (16 - 1) * 5
    assert run.best is not None and run.layers.bits == settings.bits


def test_a_shortened_run_goes_on_to_the_same_end() -> None:
    whole, part = (Run(EXAMPLES, replace(QUICK, epochs=500)) for _ in range(2))
    for run in (whole, part):
        run.fit(60)
        for _ in range(45):
            run.advance()
    resumed = Run(EXAMPLES, replace(QUICK, epochs=500))
    resumed.resume(part.state())
    for run in (whole, resumed):
        while not run.finished():
            run.advance()
    assert whole.curve == resumed.curve and whole.epoch == resumed.epoch == 60


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    file.write_bytes(b"not a checkpoint")
    with pytest.raises(InputError, match="E641"):
        Checkpoint(file, resume=True)


@pytest.mark.parametrize("bits", [1, 3, None])
@pytest.mark.parametrize("aggregation", [(1, 1), (np.inf, 2)])
def test_the_network_says_what_the_layers_score(bits: int | None, aggregation: tuple[float, ...]) -> None:
    trained = train_layers(EXAMPLES, Settings(hidden=6, epochs=20, bits=bits, aggregation=aggregation))
    network = network_of(trained, ENCODING, {})
    encoded = network_encoding(network).encode(SPLIT.train.graph)
    ground = Ground(encoded.graph, aggregation[0], torch.device("cpu"))
    view = ground.view(np.arange(encoded.graph.vertices), 2)
    scores = np.zeros(encoded.graph.features.shape)
    with torch.no_grad():
        scores[:, EXAMPLES.outputs[0].features] = trained.layers(ground.inputs(view), view).numpy()
    thresholds = np.array([float(t) for t in choose_thresholds(trained, len(ENCODING.features)).thresholds])
    asked = np.isin(np.arange(len(ENCODING.features)), EXAMPLES.outputs[0].features)
    clear = np.abs(scores - thresholds) > 1e-4 if bits is None else np.ones(scores.shape, bool)
    assert np.array_equal(labels(network, encoded.graph)[clear], (asked & (scores >= thresholds))[clear])
    assert class_report(network).is_monotonic_max_sum


def test_scores_are_exact_and_decide() -> None:
    network = train_split(SPLIT, Plan(QUICK, "pairs", (0.05,), (2,))).network
    encoded = network_encoding(network).encode(SPLIT.test.graph)
    derived = predict(network, SPLIT.test.graph)
    assert all(score >= 0 for score in Scorer(network, encoded).facts(derived))
    missed = SPLIT.test.positives - derived
    assert all(score < 0 for score in Scorer(network, encoded).facts(missed))


def test_a_family_learns_who_is_a_father() -> None:
    training = train_split(SPLIT, Plan(Settings(hidden=8, epochs=150, seed=0), "pairs", (0.2, 0.05), (1,)))
    found = evaluate(training.network, SPLIT.test.graph, SPLIT.test.positives, SPLIT.test.graph - SPLIT.test.graph)
    assert predict(training.network, SPLIT.test.graph) == SPLIT.test.positives
    assert found.recall == found.precision == 1 and found.reachable_positives == len(SPLIT.test.positives)
    assert sum(point.chosen for point in training.front) == 1
