"""`isolog report`: one HTML file about a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Format, IgnoreUnknown, Json, Literals, LiteralsAs, Model, Quiet
from isolog.cli.output import print_json, say

if TYPE_CHECKING:
    from isolog.report.gather import Judged


def command(
    model: Model,
    data: Annotated[str, typer.Argument(metavar="DATA", help="Facts, or a folder with a split.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.html", help="The file to write.")],
    part: Annotated[str, typer.Option("--part", help="Of a split: test, valid or train.")] = "test",
    split: Annotated[Path | None, typer.Option("--split", metavar="FILE", help="What describes the folder.")] = None,
    max_rules: Annotated[int, typer.Option("--max-rules", min=1, help="At most so many rules.")] = 200,
    seconds: Annotated[
        float, typer.Option("--seconds", help="For the program, for the proofs, and for their rules.")
    ] = 20.0,
    literals: Literals = LiteralsAs.TERMS,
    ignore_unknown: IgnoreUnknown = False,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a page on a model: scores, program, proofs.

    It is one HTML file without any request to elsewhere. With a split, its true and false facts are scored.
    """
    from isolog.facts.saving import replacement
    from isolog.networks.model_folder import read_model
    from isolog.report.build import build
    from isolog.report.gather import Limits, gather, read_record

    network = read_model(model)
    judged = _judged(data, part, split, literals, Formats.parse(format), quiet)
    limits = Limits(max_rules, seconds=seconds)
    title = f"{model.resolve().name} on {Path(data).name}"
    record = read_record(model)
    contents = gather(network, judged, title, record=record, limits=limits, ignore_unknown=ignore_unknown)
    with replacement(str(output)) as file:
        file.write_text(build(contents), encoding="utf-8")
    counts = {"rules": len(contents.rules), "derived": contents.derived, "explained": len(contents.facts)}
    if json:
        print_json({**counts, "output": str(output)})
    else:
        say(", ".join(f"{count:,} {name}" for name, count in counts.items()) + f": {output}", quiet)


def _judged(data: str, part: str, split: Path | None, literals: LiteralsAs, formats: Formats, quiet: bool) -> Judged:
    from isolog.facts.dataset import Dataset
    from isolog.facts.split import PARTS
    from isolog.facts.split_files import read_split
    from isolog.report.gather import Judged

    if part not in PARTS:
        raise typer.BadParameter(f"the parts are {', '.join(PARTS)}")
    if not Path(data).is_dir():
        return Judged(read_data(data, formats, quiet, literals.value), Dataset.empty(), Dataset.empty())
    chosen = read_split(data, description=split, literals=literals.value).parts[part]
    return Judged(chosen.graph, chosen.positives, chosen.negatives)
