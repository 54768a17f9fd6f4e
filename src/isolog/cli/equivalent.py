"""`isolog equivalent`: do two networks or programs derive the same facts?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolog.cli.options import Json
from isolog.cli.output import print_json
from isolog.facts.text import print_atom

if TYPE_CHECKING:
    from isolog.correspondence.equivalence import Equivalence
    from isolog.correspondence.sides import Subject


def command(
    a: Annotated[Path, typer.Argument(metavar="A", help="A model folder or a program.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", min=0, help="When to give up.")] = 60,
    json: Json = False,
) -> None:
    """Say whether two networks or programs derive the same facts.

    From every dataset, that is (Def. 4). If not, the answer comes with a dataset that shows it. The exit code is 3 when
    they differ and 4 when that is not known in time. Only unary facts count if one of the two is a network.
    """
    from isolog.correspondence.equivalence import equivalent

    result = equivalent(_subject(a), _subject(b), seconds=seconds)
    if json:
        print_json(_as_json(result))
    else:
        print(verdict(result))
    if not result.equivalent:
        raise typer.Exit(4 if result.equivalent is None else 3)


def _subject(path: Path) -> Subject:
    from isolog.datalog.parser import read_program
    from isolog.networks.model_folder import read_model

    return read_model(path) if path.is_dir() else read_program(path)


def verdict(result: Equivalence) -> str:
    """What a person reads: yes, no with the dataset that shows it, or why it is not known."""
    if result.equivalent:
        return "equivalent"
    if result.witness is None or result.fact is None:
        return result.reason or "undecided"
    shown = ", ".join(print_atom(fact) for fact in result.witness)
    return f"different\n  on {{{shown}}} only {result.derived_by} derives {print_atom(result.fact)}"


def _as_json(result: Equivalence) -> dict[str, object]:
    return {
        "equivalent": result.equivalent,
        "witness": [print_atom(fact) for fact in result.witness or ()],
        "fact": None if result.fact is None else print_atom(result.fact),
        "derived_by": result.derived_by,
        "reason": result.reason,
    }
