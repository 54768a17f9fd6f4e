"""`isolog captures`: does a network capture rules?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolog.cli.options import Json, Model
from isolog.cli.output import print_json
from isolog.datalog.printer import print_rule
from isolog.facts.text import print_atom

if TYPE_CHECKING:
    from isolog.correspondence.capture import CaptureResult


def command(
    model: Model,
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule, or a file of rules.")],
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Speak of all canonical datasets, not of the user's.")
    ] = False,
    json: Json = False,
) -> None:
    """Say whether a network derives all that a rule derives, on every dataset (Def. 4), or show where it does not.

    The exit code is 3 when a rule is not captured.
    """
    from isolog.correspondence.capture import captures_all
    from isolog.datalog.parser import parse, read_program
    from isolog.networks.model_folder import read_model

    network = read_model(model)
    program = read_program(rules) if Path(rules).is_file() else parse(rules, "RULES")
    results = captures_all(network, program, canonical=canonical)
    if json:
        print_json({"results": [_as_json(result) for result in results]})
    else:
        for result in results:
            print(verdict(result))
    if not all(result.captured for result in results):
        raise typer.Exit(3)


def verdict(result: CaptureResult) -> str:
    """What a person reads: yes, or no with the dataset that shows it."""
    line = f"{'captured    ' if result.captured else 'not captured'}  {print_rule(result.rule)}"
    if result.counterexample is None or result.fact is None:
        return line
    shown = ", ".join(print_atom(fact) for fact in result.counterexample)
    return f"{line}\n              on {{{shown}}} only the rule derives {print_atom(result.fact)}"


def _as_json(result: CaptureResult) -> dict[str, object]:
    return {
        "rule": print_rule(result.rule),
        "captured": result.captured,
        "counterexample": [print_atom(fact) for fact in result.counterexample or ()],
        "fact": None if result.fact is None else print_atom(result.fact),
        "method": result.method,
    }
