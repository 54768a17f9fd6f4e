"""The table of docs/results.md: mean and spread over the seeds, beside the aims."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

AIMS = {
    "wn18rrv1": "accuracy ≥ .958, ≤ 40 weights",
    "wn18rrv2": "accuracy ≥ .925",
    "wn18rrv4": "accuracy ≥ .925",
    "fb237v1": "accuracy ≥ .86, AP ≥ .90",
    "fb237v2": "accuracy ≥ .88, AP ≥ .92",
    "fb237v4": "accuracy ≥ .90, AP ≥ .93",
    "nellv1": "accuracy ≥ .935, AP ≥ .95",
    "nellv2": "accuracy ≥ .85, AP ≥ .88",
    "aifb": "class accuracy ≥ .944",
    "mutag": "class accuracy ≥ .80",
    "loginfer-wn-hier": "4 of 5 known rules",
    "loginfer-wn-sym": "4 of 5 known rules",
}
"""What the networks of a data set shall reach; for others nothing is set."""

COLUMNS = ("accuracy", "average_precision", "precision", "recall", "auprc_grid", "class_accuracy", "mrr")
HEADER = """# Results

Written by `make results`; every figure is the mean over the seeds ± the standard deviation. No run looks at test data:
thresholds, sparsity, bits and the moment to stop are chosen by facts of the training part that are held out. Defaults
were compared on 40 % of the training targets, put aside, or by cross-validation (AIFB, MUTAG). But test accuracies of
WN18RRv1, nellv1, nellv2 and fb237v1 had been seen before the last of these comparisons were made, and prompted some of
them, so that figures on these four sets may be too good by that.
*Weights* are the entries of matrices that are not zero; *nodes* is the size of the layered program before it is written
over the user's predicates; *rules* are those of the flat program that were found within 20 s, a thousand at most, and
*whole program* says for how many seeds these are all; *known rules*, where the data come with rules that hold, for how
many of them the network captures, per seed; *front* says how many of the networks to choose from were not admitted
because their program has too many nodes; *differences* counts the facts, on the graphs of all parts, in which network
and program differ.
Where a set has no false facts, accuracy is recall, and average precision says nothing. Seconds are of one processor,
for the whole choice; memory is the largest of the seeds, for training and for all checks after it. AIFB names the group
of a third of its persons from the other side (`member`): networks with constants may read it off.

"""


def write_table(lines: list[dict[str, Any]], experiments: list[str], seeds: int, target: Path) -> None:
    """The page, with what was measured and what is missing."""
    titles = ["experiment", "seeds", "accuracy", "AP", "precision", "recall", "grid AUPRC", "class accuracy", "MRR"]
    titles += [
        "weights",
        "nodes",
        "rules",
        "whole program",
        "known rules",
        "front",
        "differences",
        "seconds",
        "MiB",
        "aim",
    ]
    rows = [titles, ["---"] * len(titles)]
    missing: list[str] = []
    for experiment in experiments:
        own = [line for line in lines if line["experiment"] == experiment and line["seed"] < seeds]
        if own:
            rows.append(_row(experiment, own))
        if len(own) < seeds:
            missing.append(f"- {experiment}: {seeds - len(own)} of {seeds} seeds")
    text = HEADER + "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"
    if missing:
        text += "\nNot measured yet:\n\n" + "\n".join(missing) + "\n"
    target.write_text(text, encoding="utf-8")


def _row(experiment: str, own: list[dict[str, Any]]) -> list[str]:
    data = experiment.rsplit("_", 1)[1].lower()
    refused, all_points = (sum(line[key] for line in own) for key in ("not_admitted", "front"))
    return [
        experiment,
        str(len(own)),
        *(_spread([line.get(column) for line in own], 3) for column in COLUMNS),
        _spread([line["weights"] for line in own], 0),
        _spread([line["nodes"] for line in own], 0),
        _spread([line["rules"] for line in own], 0),
        f"{sum(line['complete'] for line in own)} of {len(own)}",
        _captured(own),
        f"{refused} of {all_points}",
        _spread([line["differences"] for line in own], 0),
        _spread([line["seconds"] for line in own], 0),
        f"{max(line['megabytes'] for line in own):,}",
        AIMS.get(data, ""),
    ]


def _captured(own: list[dict[str, Any]]) -> str:
    """How many of the rules that are known to hold each seed captures."""
    counts = [f"{line['captured']} of {line['known_rules']}" for line in own if "captured" in line]
    return ", ".join(counts) or "–"


def _spread(values: list[float | None], digits: int) -> str:
    """Mean ± standard deviation; what some seeds do not have is left out and counted."""
    numbers = [value for value in values if value is not None]
    if not numbers:
        return "–"
    text = f"{statistics.mean(numbers):,.{digits}f}"
    if len(numbers) > 1:
        text += f" ± {statistics.stdev(numbers):,.{digits}f}"
    return text if len(numbers) == len(values) else f"{text} ({len(numbers)} of {len(values)})"
