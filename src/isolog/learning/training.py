"""The training loop: input-fact dropout, proximal steps, weights that end on a grid, and fewer of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from isolog.errors import Finding, UnsupportedError
from isolog.learning.begin import begin_with
from isolog.learning.evidence import Evidence, evidence_of_classes, gather_evidence
from isolog.learning.examples import Entries, Examples
from isolog.learning.layers import Layers, Shape
from isolog.learning.objective import Batch, Objective
from isolog.learning.prune import prune
from isolog.learning.settings import Settings
from isolog.learning.start import Start
from isolog.learning.views import Ground, Inputs, View

CHECKED_EVERY = 10
FEWEST_EPOCHS = 40
"""A run is not cut shorter than this."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How far a run has come: the loss, how well true stands apart from false, the weights that are not zero."""

    epoch: int
    loss: float
    score: float
    nonzero: int


Progress: TypeAlias = Callable[[Moment], None]


@dataclass(frozen=True, eq=False, slots=True)
class Trained:
    """The layers at their best moment, the evidence with its scores, and the course of the run."""

    layers: Layers
    evidence: Evidence
    scores: Any
    curve: tuple[Moment, ...]


@dataclass
class Run:
    """A training run that can be stopped after any epoch, saved and taken up again, to the same end."""

    examples: Examples
    settings: Settings
    start: Start | None = None
    epoch: int = 0
    curve: list[Moment] = field(default_factory=list[Moment])

    def __post_init__(self) -> None:
        settings, graph = self.settings, self.examples.graph
        self.epochs = settings.epochs
        device = _device(settings)
        self.random = np.random.default_rng(settings.seed)
        generator = torch.Generator().manual_seed(settings.seed)
        dimensions = settings.dimensions(graph.features.shape[1], () if self.start is None else self.start.units)
        shape = Shape(dimensions, len(graph.colours), settings.aggregation)
        self.layers = Layers(shape, settings.density, settings.scale, generator).to(device)
        self.optimiser = torch.optim.Adam(self.layers.parameters(), lr=settings.learning_rate)
        self.ground = Ground(graph, settings.aggregation[0], device)
        self.known = self.examples.known
        self.evidence, targets = gather_evidence(self.examples, settings.held_out, self.random)
        self.objective = Objective(self.examples, targets, self.evidence.positives, settings)
        self.layers.silence(self.ground.seen(), torch.from_numpy(self.objective.asked).to(device))
        if self.start is not None:
            begin_with(self.layers, self.start)
        self.best: tuple[float, dict[str, Tensor]] | None = None
        self._whole: View | None = None
        self._judged = self.ground.view(np.unique(self.evidence.entries[:, 0]), settings.layers)
        self._judged_inputs = self.ground.inputs(self._judged)

    def advance(self) -> Moment | None:
        """One epoch; tells how things stand every so often, and at the end."""
        hidden = self.random.random(len(self.known)) < self.settings.hide
        self.optimiser.zero_grad()
        batch = self.objective.draw(self.random, self.known[hidden])
        view = self._view(batch)
        inputs = self._inputs(view, self.known[hidden] if self.examples.classes is None else self._some_present())
        loss = self._loss(batch, view, inputs, hidden)
        loss.backward()
        self.optimiser.step()
        self.epoch += 1
        ramp = min(1.0, 2 * self.epoch / self.epochs)
        self.layers.shrink(self.settings.learning_rate * self.settings.sparsity * ramp)
        self.layers.bits = self.settings.bits if self._is_rounded() else None
        if self.epoch % CHECKED_EVERY and not self.finished():
            return None
        return self._check(float(loss.detach()))

    def finished(self) -> bool:
        """Whether all epochs are done."""
        return self.epoch >= self.epochs

    def fit(self, more: float) -> None:
        """Ends the run after so many more epochs if it has more to go; what depends on its length is shortened too."""
        self.epochs = min(self.epochs, max(FEWEST_EPOCHS, self.epoch + int(min(more, self.epochs))))

    def state(self) -> dict[str, Any]:
        """Everything that the rest of the run depends on."""
        return {
            "epoch": self.epoch,
            "epochs": self.epochs,
            "curve": [(m.epoch, m.loss, m.score, m.nonzero) for m in self.curve],
            "layers": self.layers.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "random": self.random.bit_generator.state,
            "best": self.best,
        }

    def resume(self, state: dict[str, Any]) -> None:
        """Takes the run up where the state was saved."""
        self.epoch, self.epochs, self.best = state["epoch"], state["epochs"], state["best"]
        self.curve = [Moment(*moment) for moment in state["curve"]]
        self.layers.load_state_dict(state["layers"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.random.bit_generator.state = state["random"]
        self.layers.bits = self.settings.bits if self._is_rounded() else None

    def result(self, until: float = math.inf) -> Trained:
        """The layers at the best of the moments that count, those on the grid if the run ends on one, without the
        weights that are not needed, as far as these are found by the time `until`."""
        if self.best is not None:
            self.layers.load_state_dict(self.best[1])
        settings = self.settings
        self.layers.bits = settings.bits
        if settings.pruning_attempts:
            self._prune(until)
        return self.now()

    def now(self) -> Trained:
        """What the layers are at this moment."""
        return Trained(self.layers, self.evidence, self._scores(), tuple(self.curve))

    def _prune(self, until: float) -> None:
        """Drops weights that neither the evidence needs nor facts of the input when they are hidden: rare ones may not
        be among the evidence."""
        settings = self.settings
        random = np.random.default_rng(settings.seed)
        hides = random.random(len(self.known)) < settings.hide
        batch = self.objective.draw(random, self.known[hides])
        view = self._view(batch)
        inputs = self._inputs(view, self.known[hides])
        asked = self._asked(self.known[hides])
        apart = self.ground.view(np.unique(asked.entries[:, 0]), settings.layers)
        apart_inputs = self._inputs(apart, self.known[hides])

        def measures() -> list[float]:
            scores = self._arguments(apart_inputs, apart, asked.entries)
            return [self.evidence.score(self._scores()), asked.score(scores)]

        prune(
            self.layers,
            measures,
            lambda: self._loss(batch, view, inputs, hides),
            settings.pruning_tolerance,
            settings.pruning_attempts,
            until,
        )

    def _asked(self, hidden: Entries) -> Evidence:
        """What an epoch that hides these entries asks for, as evidence."""
        true = np.concatenate([hidden, self.objective.targets])
        classes = self.examples.classes
        return Evidence(true, self.evidence.negatives) if classes is None else evidence_of_classes(true, classes)

    def _is_rounded(self) -> bool:
        return self.epoch >= self.settings.rounded_from * self.epochs

    def _view(self, batch: Batch) -> View:
        if not batch.is_whole:
            return self.ground.view(batch.rows, self.settings.layers)
        if self._whole is None:
            self._whole = self.ground.view(batch.rows, self.settings.layers)
        return self._whole

    def _inputs(self, view: View, hidden: Entries) -> Inputs:
        """What the first layer sees when these entries are hidden."""
        width = (self.examples.graph.features.shape[1], 1)
        shown = ~np.isin(self.ground.present @ width, hidden @ width)
        return self.ground.inputs(view, self.ground.present[shown])

    def _some_present(self) -> Entries:
        """Entries of the input at random, to be hidden so that none is relied on alone."""
        return self.ground.present[self.random.random(len(self.ground.present)) < self.settings.hide]

    def _loss(self, batch: Batch, view: View, inputs: Inputs, hidden: NDArray[np.bool_]) -> Tensor:
        return self.objective.loss(self.layers(inputs, view), batch, self.known[hidden], self.known[~hidden])

    def _check(self, loss: float) -> Moment:
        score = self.evidence.score(self._scores())
        moment = Moment(self.epoch, loss, score, self.layers.nonzero())
        self.curve.append(moment)
        if (self._is_rounded() or self.settings.bits is None) and (self.best is None or score >= self.best[0]):
            self.best = score, {name: tensor.clone() for name, tensor in self.layers.state_dict().items()}
        return moment

    def _scores(self) -> Any:
        return self._arguments(self._judged_inputs, self._judged, self.evidence.entries)

    def _arguments(self, inputs: Inputs, view: View, entries: Entries) -> Any:
        with torch.no_grad():
            found = self.layers(inputs, view).cpu().numpy()
        scores = found[self.objective.places(view.rows[-1], entries)]
        if self.start is None or self.evidence.classes:
            return scores
        return self.start.judged(scores, entries[:, 1])


def _device(settings: Settings) -> torch.device:
    if settings.device == "cuda" and not torch.cuda.is_available():
        raise UnsupportedError(Finding("E646", "torch finds no CUDA device", hint="train with `--device cpu`"))
    return torch.device(settings.device)


def train_layers(examples: Examples, settings: Settings, progress: Progress = lambda moment: None) -> Trained:
    """The layers that training gives; the same examples and settings give the same layers."""
    run = Run(examples, settings)
    while not run.finished():
        moment = run.advance()
        if moment is not None:
            progress(moment)
    return run.result()
