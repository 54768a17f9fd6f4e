"""`isolog values`: the numbers that a unit can show."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, takewhile
from typing import Annotated

import typer

from isolog.cli.options import Json, Model
from isolog.cli.output import print_json


def command(
    model: Model,
    layer: Annotated[int, typer.Argument(metavar="LAYER", help="The layer, counted from 1; 0 is the input.")],
    unit: Annotated[int, typer.Argument(metavar="UNIT", help="The unit of the layer, counted from 1.")],
    first: Annotated[int | None, typer.Option("--first", min=1, help="So many values.  [default: 20]")] = None,
    up_to: Annotated[str | None, typer.Option("--up-to", metavar="X", help="The values up to X.")] = None,
    json: Json = False,
) -> None:
    """List the values that a unit can take on any dataset.

    They come in increasing order (Def. 7, Alg. 2).
    """
    from isolog.correspondence.values import ValueSets
    from isolog.networks.model_folder import read_model

    try:
        bound = None if up_to is None else Fraction(up_to)
    except (ValueError, ZeroDivisionError):
        raise typer.BadParameter(f"--up-to {up_to} is not a number") from None
    sets = ValueSets(read_model(model))
    values = sets.values(layer, unit)
    if bound is not None:
        values = takewhile(lambda value: value <= bound, values)
    most = 20 if first is None and bound is None else first
    found = list(islice(values, most))
    finite = sets.is_finite(layer, unit)
    if json:
        print_json({"values": [str(value) for value in found], "finite": finite})
        return
    for value in found:
        print(value)
    if not finite:
        print("…")
