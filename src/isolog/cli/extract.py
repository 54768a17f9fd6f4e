"""`isolog extract`: the program that a network equals."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Format, IgnoreUnknown, Json, Model, Quiet
from isolog.cli.output import print_json, say
from isolog.facts.saving import open_target

if TYPE_CHECKING:
    from isolog.correspondence.extract import Progress
    from isolog.correspondence.extracted import Extracted


class Side(StrEnum):
    """On which side of the network a rounded one is."""

    SOUND = "sound"
    COMPLETE = "complete"


class Form(StrEnum):
    """The forms of a program."""

    FLAT = "flat"
    LAYERED = "layered"
    COVER = "cover"


Target: TypeAlias = Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="Where to write the program.")]
_FORMS = "Minimal rules, a whole program with auxiliary predicates, or what explains the data."
WantedForm: TypeAlias = Annotated[Form, typer.Option("--form", help=_FORMS)]
Covered: TypeAlias = Annotated[
    str | None, typer.Option("--data", metavar="DATA", help="What a cover explains, or a bracket agrees on.")
]
Predicates: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--predicate", metavar="NAME/ARITY", help="Only what derives this predicate; may be repeated."),
]
Canonical: TypeAlias = Annotated[
    bool, typer.Option("--canonical", help="Speak of all canonical datasets, not of the user's.")
]
ExpandCounts: TypeAlias = Annotated[
    bool, typer.Option("--expand-counts", help="Write `#count` out with variables and inequalities.")
]
MaxAtoms: TypeAlias = Annotated[int | None, typer.Option("--max-atoms", min=0, help="No rules with more body atoms.")]
MaxRules: TypeAlias = Annotated[int | None, typer.Option("--max-rules", min=0, help="No more rules (flat: 200).")]
Seconds: TypeAlias = Annotated[float | None, typer.Option("--seconds", min=0, help="Stop searching after so long.")]

Rounding: TypeAlias = Annotated[
    Side | None, typer.Option("--bracket", help="Of the network rounded to a grid: derive no more, or no less.")
]


def command(
    model: Model,
    output: Target = "-",
    form: WantedForm = Form.FLAT,
    data: Covered = None,
    predicate: Predicates = None,
    canonical: Canonical = False,
    expand_counts: ExpandCounts = False,
    max_atoms: MaxAtoms = None,
    max_rules: MaxRules = None,
    seconds: Seconds = None,
    bracket: Rounding = None,
    ignore_unknown: IgnoreUnknown = False,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the Datalog program that a network equals.

    Its comments say how complete it is."""
    from isolog.correspondence.extract import extract
    from isolog.networks.model_folder import read_model

    network = read_model(model)
    with _progress(quiet) as progress:
        found = extract(
            network,
            form=form.value,
            data=None if data is None else read_data(data, Formats.parse(format), quiet),
            predicate=predicate or (),
            canonical=canonical,
            expand_counts=expand_counts,
            max_atoms=max_atoms,
            max_rules=max_rules,
            seconds=seconds,
            bracket=None if bracket is None else bracket.value,
            ignore_unknown=ignore_unknown,
            progress=progress,
        )
    _deliver(found, f"Extracted from {model.resolve().name}.", output, json, quiet)


def _deliver(found: Extracted, title: str, output: str, json: bool, quiet: bool) -> None:
    if json and output == "-":
        print_json({**as_json(found), "program": "".join(found.lines(title))})
        return
    with open_target(output) as target:
        for line in found.lines(title):
            target.write(line.encode())
    if json:
        print_json({**as_json(found), "output": output})
    elif output != "-":
        say(f"{found.rules:,} rules, {completeness(found)}: {output}", quiet)


def as_json(found: Extracted) -> dict[str, Any]:
    """What programs may rely on."""
    from isolog.concepts.counting import digits

    return {
        "form": found.form,
        "complete": found.complete,
        "complete_up_to_atoms": found.complete_up_to_atoms,
        "rules": found.rules,
        "derivations": None if found.derivations is None else digits(found.derivations),
        "concept_nodes": found.concept_nodes,
        "bracket": found.bracket,
        "seconds": round(found.seconds, 3),
        **({} if found.support is None else {"support": found.support}),
    }


def completeness(found: Extracted) -> str:
    """How complete a program is, in a few words."""
    if found.complete:
        return "complete"
    return (
        "not complete" if found.complete_up_to_atoms is None else f"complete up to {found.complete_up_to_atoms} atoms"
    )


@contextmanager
def _progress(quiet: bool) -> Generator[Progress]:
    """Says once how many derivations there are; then, on a terminal, how far the search is."""
    from isolog.concepts.counting import about

    if quiet or not sys.stderr.isatty():
        yield lambda derivations, atoms, rules: None if atoms or rules else say(_announced(about(derivations)), quiet)
        return
    from rich.console import Console
    from rich.status import Status

    with Status("reading the network as concepts", console=Console(stderr=True)) as status:

        def show(derivations: int, atoms: int, rules: int) -> None:
            if not atoms and not rules:
                status.console.print(_announced(about(derivations)), highlight=False)
            status.update(f"{rules:,} rules so far, now those of {atoms} atoms")

        yield show


def _announced(derivations: str) -> str:
    return f"{derivations} derivations"
