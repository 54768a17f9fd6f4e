"""`isolog split`: parts of a dataset to learn from, to choose by and to judge by."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Data, Format, Json, Literals, LiteralsAs, Quiet, Seed
from isolog.cli.output import print_json, say


def command(
    data: Data,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to make.")],
    seed: Seed = 0,
    literals: Literals = LiteralsAs.TERMS,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Split facts into train, valid and test.

    The parts share no term, so facts that link them are left out. A tenth of the facts of a part are its targets. The
    folder has the layout of the published benchmarks: train_graph.tsv, train_pos.tsv, …, predicates.csv.
    """
    from isolog.facts.split import split
    from isolog.facts.split_files import write_split

    dataset = read_data(data, Formats.parse(format), quiet, literals.value)
    made = split(dataset, seed=seed)
    write_split(made, output)
    counts = {
        name: {"graph": len(part.graph), "positives": len(part.positives), "negatives": len(part.negatives)}
        for name, part in made.parts.items()
    }
    left_out = len(dataset) - sum(count["graph"] + count["positives"] for count in counts.values())
    if json:
        print_json({**counts, "left_out": left_out, "output": str(output)})
        return
    for name, count in counts.items():
        say(f"{name:5}  {count['graph']:,} facts, {count['positives']:,} targets", quiet)
    say(f"{left_out:,} facts between the parts left out: {output}", quiet)
