"""How good trained networks are, against aims and published figures: writes docs/results.md.

    python bench/results.py DATA_FOLDER [EXPERIMENT …] [--seeds N (5)] [--seconds S (none)] [--write-only]

Each experiment file under `experiments/` is trained with each seed and judged on its test part, which nothing is chosen
by; then the network is compared with the program that is extracted from it, on the graphs of all parts. What was
measured is kept in `experiments/.results.jsonl`, one line per experiment and seed, so that a run can be taken up again;
an entry counts only for the very experiment file that it was measured with. Seconds are of processor time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from results_table import write_table

from isolog.concepts.evaluate import evaluate as evaluate_concepts
from isolog.correspondence.capture import captures_all
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.extract import extract
from isolog.correspondence.heads import Budget
from isolog.correspondence.transformation import network_encoding
from isolog.datalog.foreign_rules import read_rules
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import restrict
from isolog.facts.split import Split
from isolog.facts.split_description import stored
from isolog.learning.configuration import configured
from isolog.learning.evaluation import evaluate
from isolog.learning.ranking import rank
from isolog.learning.record import read_training_data
from isolog.learning.train import train_split
from isolog.networks.apply import labels
from isolog.networks.network import Network

ROOT = Path(__file__).parent.parent
EXPERIMENTS = ROOT / "experiments"
MEASURED = EXPERIMENTS / ".results.jsonl"
FLAT_SECONDS, MOST_RULES = 20.0, 1000


def measure(experiment: Path, data: Path, seed: int) -> dict[str, Any]:
    """One training, judged."""
    choices = configured(experiment, {"seed": seed})
    assert choices.data is not None
    split = read_training_data(unpacked(data / choices.data), choices.split, choices.literals, seed)
    begin = time.process_time()
    training = train_split(split, choices.plan)
    seconds = time.process_time() - begin
    network = training.network
    test = split.test
    judged = evaluate(network, test.graph, test.positives, test.negatives, ignore_unknown=True)
    chosen = next(point for point in training.front if point.chosen)
    found: dict[str, Any] = {
        "accuracy": judged.accuracy,
        "average_precision": judged.average_precision,
        "precision": judged.precision,
        "recall": judged.recall,
        "auprc_grid": judged.auprc_grid,
        "class_accuracy": judged.class_accuracy,
        "weights": sum(int((m != 0).sum()) for layer in network.layers for m in (layer.A, *layer.B)),
        "nodes": chosen.concept_nodes,
        "not_admitted": sum(point.concept_nodes is None for point in training.front),
        "front": len(training.front),
        "held_out_accuracy": training.accuracy,
        "seconds": seconds,
        "differences": differences(network, split, choices.plan.max_nodes),
        **flat_program(network),
    }
    if choices.rules is not None:
        known = [each.captured for each in captures_all(network, read_rules(data / choices.rules, "loginfer").rules)]
        found |= {"captured": sum(known), "known_rules": len(known)}
    if not len(test.negatives):
        found["mrr"] = rank(network, test.graph, test.positives, ignore_unknown=True).mrr
    return found | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}


def flat_program(network: Network) -> dict[str, Any]:
    """How many minimal rules there are, and whether those are all."""
    found = extract(network, max_rules=MOST_RULES, seconds=FLAT_SECONDS)
    return {"rules": found.rules, "complete": found.complete}


def unpacked(folder: Path) -> Path:
    """The folder; where its `train.txt` is packed in an archive beside it, a folder with that file as well."""
    archives = [path for path in folder.parent.glob("*-train-files.tar.xz") if folder.name.startswith(path.name[:11])]
    member = f"{folder.name}/train.txt"
    if not archives or stored(folder / "train.txt") is not None:
        return folder
    target = EXPERIMENTS / ".data"
    if not (target / member).is_file():
        with tarfile.open(archives[0]) as archive:
            archive.extract(member, target, filter="data")
        for file in folder.iterdir():
            (target / folder.name / file.name).symlink_to(file)
    return target / folder.name


def differences(network: Network, split: Split, max_nodes: int) -> int | None:
    """In how many facts the network and its program differ on all graphs; None where there is no program."""
    encoding = network_encoding(network)
    try:
        extraction = concepts_of_network(network, encoding.sorts, Budget(max_nodes))
    except LimitError:
        return None
    heads = {node for row in extraction.heads for node in row}
    count = 0
    graphs: list[Dataset] = []
    for part in split.parts.values():
        if len(part.graph) and not any(part.graph is graph for graph in graphs):
            graphs.append(part.graph)
    for graph in graphs:
        encoded = encoding.encode(restrict(graph, encoding.signature, ignore_unknown=True))
        found = evaluate_concepts(extraction.concepts, heads, encoded.graph)
        said = np.zeros((encoded.graph.vertices, len(network.thresholds)), bool)
        for output, row in enumerate(extraction.heads):
            for block, node in zip(encoded.blocks, row, strict=True):
                place = slice(block.first, block.first + len(block))
                said[place, output] = found[node][place]
        derived = labels(network, encoded.graph)
        count += len(encoded.decode(said ^ derived))
    return count


def known(experiment: Path, seed: int) -> dict[str, Any] | None:
    """What was measured already, with this very file."""
    wanted = [experiment.stem, _hash(experiment), seed]
    return next((line for line in read() if [line["experiment"], line["hash"], line["seed"]] == wanted), None)


def read() -> list[dict[str, Any]]:
    """Everything that was measured."""
    return [json.loads(line) for line in MEASURED.read_text("utf-8").splitlines()] if MEASURED.is_file() else []


def _hash(experiment: Path) -> str:
    return hashlib.sha256(experiment.read_bytes()).hexdigest()[:12]


def _measure_apart(experiment: Path, data: Path, seed: int) -> None:
    """In a process of its own, so that its memory is its own."""
    command = [sys.executable, __file__, str(data), experiment.stem, "--one", str(seed)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print(f"{experiment.stem} seed {seed}: failed\n{result.stderr[-500:]}", flush=True)
        return
    line = {"experiment": experiment.stem, "hash": _hash(experiment), "seed": seed, **json.loads(result.stdout)}
    with MEASURED.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    print(f"{experiment.stem} seed {seed}: accuracy {line['accuracy']:.3f}, {line['seconds']:.0f} s", flush=True)


def main() -> None:
    """Measures what is missing, and writes the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("experiments", nargs="*")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--write-only", action="store_true")
    parser.add_argument("--one", type=int)
    options = parser.parse_args()
    files = sorted(EXPERIMENTS.glob("*.yaml"))
    chosen = [file for file in files if not options.experiments or file.stem in options.experiments]
    if options.one is not None:
        print(json.dumps(measure(chosen[0], options.data, options.one)))
        return
    begin = time.monotonic()
    for experiment in () if options.write_only else chosen:
        for seed in range(options.seeds):
            if known(experiment, seed) is None and time.monotonic() - begin < options.seconds:
                _measure_apart(experiment, options.data, seed)
    current = [line for line in read() if line["hash"] in {_hash(file) for file in files}]
    write_table(current, [file.stem for file in files], options.seeds, ROOT / "docs" / "results.md")


if __name__ == "__main__":
    main()
