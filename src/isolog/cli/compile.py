"""`isolog compile`: a network from a program."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Format, Json, ProgramFile, Quiet
from isolog.cli.output import print_json, say

if TYPE_CHECKING:
    from isolog.facts.signature import Signature
    from isolog.networks.network import Network


class Construction(StrEnum):
    """How the network is built."""

    SUBFORMULAS = "subformulas"
    LETTER = "letter"


class Activation(StrEnum):
    """The activation of the network."""

    AUTO = "auto"
    RELU = "relu"
    CLIPPED = "clipped"


Target: TypeAlias = Annotated[Path, typer.Option("-o", "--output", metavar="MODEL", help="The model folder to write.")]
Known: TypeAlias = Annotated[
    str | None, typer.Option("--signature", metavar="DATA", help="Facts whose predicates the network knows, too.")
]
_CONSTRUCTIONS = "One unit per sub-formula, or all tree-like formulas as in §5 of the paper."
WantedConstruction: TypeAlias = Annotated[Construction, typer.Option("--construction", help=_CONSTRUCTIONS)]
_ACTIVATIONS = "ReLU where it is enough, or a clipped one; auto says which and why."
WantedActivation: TypeAlias = Annotated[Activation, typer.Option("--activation", help=_ACTIVATIONS)]
_ENCODINGS = "What the network is for; auto is the smallest encoding that will do."
WantedEncoding: TypeAlias = Annotated[str, typer.Option("--encoding", metavar="E", help=_ENCODINGS)]


def command(
    program: ProgramFile,
    output: Target,
    signature: Known = None,
    construction: WantedConstruction = Construction.SUBFORMULAS,
    activation: WantedActivation = Activation.AUTO,
    encoding: WantedEncoding = "canonical",
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Turn a program of tree-like rules into an equivalent network."""
    from isolog.correspondence.compile_encoded import compile_encoded
    from isolog.datalog.parser import read_program
    from isolog.networks.model_folder import write_model

    rules = read_program(program)
    known = None if signature is None else _predicates(signature, format, quiet)
    made = compile_encoded(
        rules, encoding, construction=construction.value, activation=activation.value, signature=known
    )
    write_model(made.network, output)
    sizes = _sizes(made.network)
    if json:
        print_json({**sizes, "activation": made.activation, "reason": made.reason})
    else:
        say(f"activation {made.activation}: {made.reason}", quiet)
        say(
            f"{sizes['layers']} layers, dimensions {sizes['dimensions']}, {sizes['nonzero']:,} weights: {output}", quiet
        )


def _predicates(data: str, format: str | None, quiet: bool) -> Signature:
    from isolog.facts.signature import Signature

    return Signature.from_dataset(read_data(data, Formats.parse(format), quiet))


def _sizes(network: Network) -> dict[str, Any]:
    from isolog.networks.summary import network_summary

    dimensions = list(network.dimensions)
    return {
        "layers": len(network.layers),
        "dimensions": dimensions,
        "nonzero": network_summary(network).nonzero,
    }
