"""The options that several verbs share; a flag means the same wherever it stands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Data: TypeAlias = Annotated[str, typer.Argument(metavar="DATA", help="Facts: a file in a known format, or - for TSV.")]
Model: TypeAlias = Annotated[Path, typer.Argument(metavar="MODEL", help="A model folder.")]
ProgramFile: TypeAlias = Annotated[Path, typer.Argument(metavar="PROGRAM", help="A Datalog program.")]
Out: TypeAlias = Annotated[
    str, typer.Option("-o", "--output", metavar="OUT", help="Where to write; the suffix decides the format.")
]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="IN[:OUT]",
        help="The format of the data, whatever the suffix; after a colon, that of the output.",
    ),
]
IgnoreUnknown: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--ignore-unknown", help="Leave out facts outside the signature, and the terms that occur only in them."
    ),
]


class LiteralsAs(StrEnum):
    """What becomes of RDF literals."""

    TERMS = "terms"
    NAMES = "names"


Literals: TypeAlias = Annotated[
    LiteralsAs, typer.Option("--literals", help="Keep RDF literals, or read them as names.")
]
WithInput: TypeAlias = Annotated[bool, typer.Option("--with-input", help="Write the input's facts as well.")]
New: TypeAlias = Annotated[bool, typer.Option("--new", help="Leave out derived facts that the input already has.")]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", help="No progress and no remarks.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Makes what is random repeatable.")]
