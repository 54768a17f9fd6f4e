"""The training loop: input-fact dropout, proximal steps, weights that end on a grid, and fewer of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from isolog.errors import Finding, UnsupportedError
from isolog.learning.evidence import Evidence, gather_evidence
from isolog.learning.examples import Entries, Examples
from isolog.learning.layers import Layers, Shape, as_tensor, edges_of
from isolog.learning.objective import Objective
from isolog.learning.prune import prune
from isolog.learning.settings import Settings

CHECKED_EVERY = 10


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
    epoch: int = 0
    curve: list[Moment] = field(default_factory=list[Moment])

    def __post_init__(self) -> None:
        settings, graph = self.settings, self.examples.graph
        device = _device(settings)
        self.random = np.random.default_rng(settings.seed)
        generator = torch.Generator().manual_seed(settings.seed)
        shape = Shape(settings.dimensions(graph.features.shape[1]), len(graph.colours), settings.aggregation)
        self.layers = Layers(shape, settings.density, settings.scale, generator).to(device)
        self.optimiser = torch.optim.Adam(self.layers.parameters(), lr=settings.learning_rate)
        self.edges = edges_of(graph, device)
        self.features = as_tensor(graph.features, device)
        asked = np.unique(np.concatenate([output.features for output in self.examples.outputs]))
        self.layers.silence(self.features, self.edges, torch.from_numpy(asked).to(device))
        self.known = self.examples.known
        self.evidence, targets = gather_evidence(self.examples, settings.held_out, self.random)
        self.objective = Objective(self.examples, targets, self.evidence.positives, settings)
        self.best: tuple[float, dict[str, Tensor]] | None = None

    def advance(self) -> Moment | None:
        """One epoch; tells how things stand every so often, and at the end."""
        hidden = self.random.random(len(self.known)) < self.settings.hide
        self.optimiser.zero_grad()
        loss = self._loss(self.known[hidden], self.known[~hidden])
        loss.backward()
        self.optimiser.step()
        self.epoch += 1
        ramp = min(1.0, 2 * self.epoch / self.settings.epochs)
        self.layers.shrink(self.settings.learning_rate * self.settings.sparsity * ramp)
        self.layers.bits = self.settings.bits if self._is_rounded() else None
        if self.epoch % CHECKED_EVERY and self.epoch < self.settings.epochs:
            return None
        return self._check(float(loss.detach()))

    def finished(self) -> bool:
        """Whether all epochs are done."""
        return self.epoch >= self.settings.epochs

    def state(self) -> dict[str, Any]:
        """Everything that the rest of the run depends on."""
        return {
            "epoch": self.epoch,
            "curve": [(m.epoch, m.loss, m.score, m.nonzero) for m in self.curve],
            "layers": self.layers.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "random": self.random.bit_generator.state,
            "best": self.best,
        }

    def resume(self, state: dict[str, Any]) -> None:
        """Takes the run up where the state was saved."""
        self.epoch, self.best = state["epoch"], state["best"]
        self.curve = [Moment(*moment) for moment in state["curve"]]
        self.layers.load_state_dict(state["layers"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.random.bit_generator.state = state["random"]
        self.layers.bits = self.settings.bits if self._is_rounded() else None

    def result(self) -> Trained:
        """The layers at the best of the moments that count, those on the grid if the run ends on one, without the
        weights that are not needed."""
        if self.best is not None:
            self.layers.load_state_dict(self.best[1])
        settings = self.settings
        self.layers.bits = settings.bits
        if settings.pruning_attempts:
            self._prune()
        return Trained(self.layers, self.evidence, self._scores(), tuple(self.curve))

    def _prune(self) -> None:
        """Drops weights that neither the evidence needs nor facts of the input when they are hidden: rare ones may not
        be among the evidence."""
        settings = self.settings
        hides = np.random.default_rng(settings.seed).random(len(self.known)) < settings.hide
        hidden, shown = self.known[hides], self.known[~hides]
        asked = Evidence(np.concatenate([hidden, self.objective.targets]), self.evidence.negatives)
        features = self._without(hidden)

        def measures() -> list[float]:
            with torch.no_grad():
                arguments = self.layers(features, self.edges)
            found = [self.evidence.score(self._scores())]
            return found if self.evidence.classes else [*found, asked.score(_at(arguments, asked.entries))]

        prune(
            self.layers,
            measures,
            lambda: self._loss(hidden, shown),
            settings.pruning_tolerance,
            settings.pruning_attempts,
        )

    def _is_rounded(self) -> bool:
        return self.epoch >= self.settings.rounded_from * self.settings.epochs

    def _loss(self, hidden: Entries, shown: Entries) -> Tensor:
        features = self._without(hidden)
        return self.objective.loss(self.layers(features, self.edges), hidden, shown)

    def _without(self, hidden: Entries) -> Tensor:
        features = self.features.clone()
        features[hidden[:, 0], hidden[:, 1]] = 0
        return features

    def _check(self, loss: float) -> Moment:
        score = self.evidence.score(self._scores())
        moment = Moment(self.epoch, loss, score, self.layers.nonzero())
        self.curve.append(moment)
        if (self._is_rounded() or self.settings.bits is None) and (self.best is None or score >= self.best[0]):
            self.best = score, {name: tensor.clone() for name, tensor in self.layers.state_dict().items()}
        return moment

    def _scores(self) -> Any:
        with torch.no_grad():
            return _at(self.layers(self.features, self.edges), self.evidence.entries)


def _at(arguments: Tensor, entries: Entries) -> Any:
    return arguments[entries[:, 0], entries[:, 1]].cpu().numpy()


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
