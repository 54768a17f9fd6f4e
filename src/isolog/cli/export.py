"""`isolog export`: a program in the language of another system."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Format, Json, ProgramFile, Quiet
from isolog.cli.output import print_json, say, warn
from isolog.cli.run import Rounds


class Target(StrEnum):
    """The systems there are."""

    SOUFFLE = "souffle"
    NEMO = "nemo"
    ASP = "asp"
    SPARQL = "sparql"
    OWL = "owl"
    SQL = "sql"


def command(
    program: ProgramFile,
    to: Annotated[Target, typer.Option("--to", help="The system that is to run the program.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="The file to write.")] = "-",
    data: Annotated[
        str | None, typer.Option("--data", metavar="DATA", help="Facts that become part of what is written.")
    ] = None,
    rounds: Annotated[Rounds, typer.Option("--rounds", help="One round, or the least fixpoint.")] = Rounds.ONE,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a program in the language of another system.

    If that has no words for some rules, say which.
    """
    from isolog.datalog.checks import check
    from isolog.datalog.parser import read_program
    from isolog.export.targets import export_program
    from isolog.facts.saving import open_target

    rules = read_program(program)
    chosen = 1 if rounds is Rounds.ONE else "fixpoint"
    warn(check(rules, rounds=chosen), quiet)
    dataset = None if data is None else read_data(data, Formats.parse(format), quiet)
    text = export_program(rules, to.value, rounds=chosen, data=dataset)
    said = {"to": to.value, "rules": len(rules), "facts": len(dataset) if dataset is not None else 0}
    if json and output == "-":
        print_json({**said, "text": text})
        return
    with open_target(output) as stream:
        stream.write(text.encode())
    if json:
        print_json({**said, "output": output})
    elif output != "-":
        say(f"{len(rules):,} rules for {to.value}: {output}", quiet)
