"""`isolog train`: a network from facts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from isolog.cli.options import Json, Quiet, Seed
from isolog.cli.output import print_json, say
from isolog.cli.rule_changes import print_changes

if TYPE_CHECKING:
    from isolog.learning.train import Training


Encoding: TypeAlias = Annotated[
    str | None, typer.Option("--encoding", metavar="E", help="How facts become a graph; auto looks at the targets.")
]
Start: TypeAlias = Annotated[
    Path | None, typer.Option("--from", metavar="MODEL", help="A model to start from, such as compiled rules.")
]


def command(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="A file of facts, or a folder with a split.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="MODEL", help="The model folder to write.")],
    encoding: Encoding = None,
    layers: Annotated[int | None, typer.Option("--layers", metavar="N", help="How many layers.")] = None,
    hidden: Annotated[int | None, typer.Option("--hidden", metavar="H", help="New units in each but the last.")] = None,
    aggregation: Annotated[
        str | None, typer.Option("--aggregation", metavar="A,…", help="max, sum or a number, per layer or for all.")
    ] = None,
    sparsity: Annotated[
        float | None, typer.Option("--sparsity", metavar="λ", help="Pull towards zero; several are tried without it.")
    ] = None,
    bits: Annotated[
        int | None, typer.Option("--bits", metavar="p", help="Weights are multiples of 2^-p; several are tried.")
    ] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", metavar="N", help="Passes over the facts.")] = None,
    device: Annotated[str | None, typer.Option("--device", help="cpu or cuda.")] = None,
    config: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="The same choices as YAML.")] = None,
    start: Start = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where a killed run stopped.")] = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn a network that can be read as a program."""
    from isolog.learning.verbs import require_torch

    require_torch()
    from isolog.cli.train_progress import watched
    from isolog.learning.configuration import configured
    from isolog.learning.record import train_to_folder

    given = {
        "encoding": encoding, "layers": layers, "hidden": hidden, "aggregation": aggregation, "sparsity": sparsity,
        "bits": bits, "epochs": epochs, "device": device, "seed": seed or None, "from": start and str(start),
    }  # fmt: skip
    with watched(quiet) as report:
        training = train_to_folder(data, output, configured(config, given), report, resume=resume)
    _print(training, output, json, quiet)


def _print(training: Training, output: Path, json: bool, quiet: bool) -> None:
    from isolog.learning.record import record

    summary: dict[str, Any] = record(training)
    if json:
        print_json({**summary, "output": str(output)})
        return
    say("  sparsity  bits  accuracy  weights  nodes", quiet)
    for point in training.front:
        nodes = "too many" if point.concept_nodes is None else f"{point.concept_nodes:,}"
        mark = "*" if point.chosen else " "
        line = f"{mark} {point.sparsity:<8}  {point.bits!s:4}  {point.accuracy:.3f}     {point.nonzero:<7}  {nodes}"
        say(line, quiet)
    say(f"held-out accuracy {training.accuracy:.3f}, {training.seconds:.0f} s: {output}", quiet)
    if training.rules is not None:
        for note in training.network.provenance.notes:
            say(note, quiet)
        print_changes(training.rules, quiet)
