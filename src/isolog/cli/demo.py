"""`isolog demo`: the story so far, on a family's knowledge graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isolog.cli.family_network import NOT_CAPTURED, PROGRAM, family_network
from isolog.cli.options import Seed
from isolog.errors import Finding, IsologError


class DemoError(IsologError):
    """The demo showed something that cannot be."""


def command(
    persons: Annotated[int, typer.Option("--persons", min=1, help="How large the family is.")] = 500,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where the files go.")] = Path(
        "isolog-demo"
    ),
    seed: Seed = 0,
) -> None:
    """Show what isolog does, on a family's knowledge graph.

    Applies a network and the program that it equals, and checks rules against the network.
    """
    from isolog.correspondence.transformation import predict
    from isolog.datalog.parser import parse
    from isolog.engines.reference import run
    from isolog.facts.family import generate_family
    from isolog.facts.files import write_facts
    from isolog.networks.model_folder import read_model, write_model

    output.mkdir(parents=True, exist_ok=True)
    facts, model, rules = output / "family.tsv", output / "model", output / "rules.dl"
    family = generate_family(persons, seed)
    write_facts(family.facts, str(facts))
    write_model(family_network(), model)
    rules.write_text(PROGRAM, encoding="utf-8")
    print(f"A family of {persons} persons: {len(family.facts):,} facts in {facts}.")
    print(f"A monotonic max-sum network over them, in {model}, and the program that it equals, in {rules}:\n")
    print("  " + PROGRAM.strip().replace("\n", "\n  "))
    by_network, by_program = predict(read_model(model), family.facts), run(parse(PROGRAM), family.facts)
    if by_network != by_program:
        raise DemoError(Finding("E701", "network and program differ"))
    print(f"\nThe network derives {len(by_network)} facts. The program derives the same {len(by_program)} facts.")
    _capacities(model)
    _check_rules()
    print("\nGo on with:")
    print(f"  isolog inspect {model}\n  isolog predict {model} {facts}\n  isolog run {rules} {facts}")
    print(f"  isolog captures {model} '{NOT_CAPTURED}'")


def _capacities(model: Path) -> None:
    from isolog.correspondence.capacity import capacity
    from isolog.networks.model_folder import read_model

    report = capacity(read_model(model))
    counts = ", ".join(f"{layer.capacity} at layer {number}" for number, layer in enumerate(report.layers, 1))
    print(f"Neighbours that can make a difference: {counts}.")


def _check_rules() -> None:
    from isolog.cli.captures import verdict
    from isolog.correspondence.capture import captures_all
    from isolog.datalog.parser import parse

    print("\nWhich rules does the network capture, on every dataset there could ever be?\n")
    for result in captures_all(family_network(), parse(PROGRAM + NOT_CAPTURED)):
        print("  " + verdict(result).replace("\n", "\n  "))
