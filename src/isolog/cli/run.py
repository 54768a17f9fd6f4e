"""`isolog run`: apply a program."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.delivery import Delivery
from isolog.cli.options import Data, Format, IgnoreUnknown, Json, New, Out, ProgramFile, Quiet, WithInput
from isolog.cli.output import warn
from isolog.cli.support import with_support


class Rounds(StrEnum):
    """One round of the rules, or as many as it takes."""

    ONE = "1"
    FIXPOINT = "fixpoint"


class EngineName(StrEnum):
    """The engines there are."""

    AUTO = "auto"
    REFERENCE = "reference"


def command(
    program: ProgramFile,
    data: Data,
    output: Out = "-",
    with_input: WithInput = False,
    new: New = False,
    rounds: Annotated[Rounds, typer.Option("--rounds", help="One round, or the least fixpoint.")] = Rounds.ONE,
    support: Annotated[
        bool, typer.Option("--support", help="Say what each rule derives, and how much of it the data have.")
    ] = False,
    engine: Annotated[EngineName, typer.Option("--engine", help="What evaluates the program.")] = EngineName.AUTO,
    ignore_unknown: IgnoreUnknown = False,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the facts that a program derives from data."""
    from isolog.datalog.checks import check
    from isolog.datalog.parser import read_program
    from isolog.engines import reference

    if support and rounds is Rounds.FIXPOINT:
        raise typer.BadParameter("--support speaks of one round")
    delivery = Delivery(output, Formats.parse(format), with_input, new, json, quiet)
    rules = read_program(program)
    chosen = 1 if rounds is Rounds.ONE else "fixpoint"
    warn(check(rules, rounds=chosen), quiet)
    dataset = read_data(data, delivery.formats, quiet)
    if support:
        delivery = with_support(delivery, rules, dataset, reference.Reference(), ignore_unknown)
    delivery.deliver(reference.run(rules, dataset, rounds=chosen, ignore_unknown=ignore_unknown), dataset)
