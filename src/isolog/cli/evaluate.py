"""`isolog evaluate`: how good a network is on facts known to be true and false."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from isolog.cli.options import IgnoreUnknown, Json, Literals, LiteralsAs, Model, Quiet
from isolog.cli.output import print_json, say


def command(
    model: Model,
    data: Annotated[Path, typer.Argument(metavar="DATA", help="A folder with a split.")],
    part: Annotated[str, typer.Option("--part", help="test, valid or train.")] = "test",
    split: Annotated[Path | None, typer.Option("--split", metavar="FILE", help="What describes the folder.")] = None,
    ranking: Annotated[bool, typer.Option("--ranking", help="Rank each true fact among all others.")] = False,
    literals: Literals = LiteralsAs.TERMS,
    ignore_unknown: IgnoreUnknown = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure a network on a split.

    Scores are exact. The measures are those of the true and the false facts of one part, test unless told otherwise.
    """
    from isolog.facts.split_files import read_split
    from isolog.learning.evaluation import evaluate
    from isolog.learning.ranking import rank
    from isolog.networks.model_folder import read_model

    network = read_model(model)
    chosen = read_split(data, description=split, literals=literals.value).parts[part]
    found = evaluate(network, chosen.graph, chosen.positives, negatives=chosen.negatives, ignore_unknown=ignore_unknown)
    values = {name: value for name, value in asdict(found).items() if name != "curve" and value is not None}
    if ranking:
        values |= asdict(rank(network, chosen.graph, chosen.positives, ignore_unknown=ignore_unknown))
    if json:
        print_json({**values, "curve": [list(point) for point in found.curve]})
        return
    for name, value in values.items():
        shown = f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
        say(f"{name.replace('_', ' '):20} {shown}", quiet)
