"""`isolog captures`: does a network capture rules?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from isolog.cli.options import Json, Model
from isolog.cli.output import print_json
from isolog.datalog.printer import print_rule
from isolog.errors import Finding, InputError
from isolog.facts.text import print_atom

if TYPE_CHECKING:
    from isolog.correspondence.capture import CaptureResult
    from isolog.datalog.syntax import Program


def command(
    model: Model,
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule, or a file of rules.")],
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Speak of all canonical datasets, not of the user's.")
    ] = False,
    json: Json = False,
) -> None:
    """Say whether a network derives all that a rule derives.

    On every dataset, that is (Def. 4). If not, the answer comes with a dataset that shows it, and the exit code is 3.
    """
    from isolog.correspondence.capture import captures_all
    from isolog.networks.model_folder import read_model

    network = read_model(model)
    results = captures_all(network, _read(rules), canonical=canonical)
    if json:
        print_json({"results": [_as_json(result) for result in results]})
    else:
        for result in results:
            print(verdict(result))
    if not all(result.captured for result in results):
        raise typer.Exit(3)


def _read(rules: str) -> Program:
    """The rules of the file, or of the text where no file has that name and it has an atom."""
    from isolog.datalog.parser import program_of

    program = program_of(rules, "RULES")
    if not len(program):
        hint = "give a rule such as `'happy(X) :- knows(X, Y), happy(Y).'`, or a file of rules"
        raise InputError(Finding("E140", f"`{rules}` holds no rule", hint=hint))
    return program


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
