"""A training in a folder: the model, and beside it how it came about."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from isolog.facts.files import Literals, read_facts
from isolog.facts.saving import replacement
from isolog.facts.split import Split
from isolog.facts.split_files import read_split
from isolog.learning.checkpoint import Checkpoint
from isolog.learning.configuration import Choices
from isolog.learning.task import hold_out
from isolog.learning.train import Report, Training, train_split
from isolog.networks.fingerprint import network_sha256
from isolog.networks.model_folder import RECORD, write_model


def train_to_folder(data: Path, output: Path, choices: Choices, report: Report, *, resume: bool = False) -> Training:
    """Trains on the data, and writes the model folder with the record of the training."""
    given = read_training_data(data, choices.split, choices.literals, choices.plan.settings.seed)
    start = None if choices.plan.start is None else network_sha256(choices.plan.start)
    checkpoint = Checkpoint(output.with_name(output.name + ".checkpoint"), resume, start)
    training = train_split(given, choices.plan, report, checkpoint)
    write_model(training.network, output)
    with replacement(str(output / RECORD)) as file:
        file.write_text(json.dumps(record(training), indent=2) + "\n", encoding="utf-8")
    checkpoint.remove()
    return training


def read_training_data(data: Path, description: Path | None, literals: Literals, seed: int) -> Split:
    """The split in a folder; of a file of facts a part is held out as targets."""
    if data.is_dir():
        return read_split(data, description=description, literals=literals)
    return hold_out(read_facts(data, literals=literals), seed)


def record(training: Training) -> dict[str, Any]:
    """What the record says: the front, the curve, how many targets could be learned from, and what became of the rules
    of a network to start from."""
    found: dict[str, Any] = {
        "accuracy": training.accuracy,
        "front": [asdict(point) for point in training.front],
        "curve": [asdict(moment) for moment in training.curve],
        "reachable_targets": training.reachable_targets,
        "unreachable_targets": training.unreachable_targets,
        "seconds": round(training.seconds, 1),
    }
    if training.rules is not None:
        found["rules"] = {**training.rules.texts(), "complete": training.rules.complete}
    return found
