"""`isolog compile`: a network from a program."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Format, Json, ProgramFile, Quiet
from isolog.cli.output import print_json, say


class Construction(StrEnum):
    """How the network is built."""

    SUBFORMULAS = "subformulas"
    LETTER = "letter"


def command(
    program: ProgramFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="MODEL", help="The model folder to write.")],
    signature: Annotated[
        str | None, typer.Option("--signature", metavar="DATA", help="Facts whose predicates the network knows, too.")
    ] = None,
    construction: Annotated[
        Construction,
        typer.Option(
            "--construction", help="One unit per sub-formula, or all tree-like formulas as in §5 of the paper."
        ),
    ] = Construction.SUBFORMULAS,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Turn a program of tree-like rules without inequalities into an equivalent monotonic max network."""
    from isolog.correspondence.compile import compile_program
    from isolog.datalog.parser import read_program
    from isolog.facts.signature import Signature
    from isolog.networks.model_folder import write_model
    from isolog.networks.summary import network_summary

    rules = read_program(program)
    known = None
    if signature is not None:
        known = Signature.from_dataset(read_data(signature, Formats.parse(format), quiet))
    network = compile_program(rules, construction=construction.value, signature=known)
    write_model(network, output)
    summary = network_summary(network)
    dimensions = list(network.dimensions)
    if json:
        print_json({"layers": len(network.layers), "dimensions": dimensions, "nonzero": summary.nonzero})
    else:
        say(f"{len(network.layers)} layers, dimensions {dimensions}, {summary.nonzero:,} weights: {output}", quiet)
