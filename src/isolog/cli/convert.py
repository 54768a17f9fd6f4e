"""`isolog convert`: facts from one format to another, other people's networks to model folders, their rules to ours."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Format, Json, Literals, LiteralsAs, Quiet
from isolog.cli.output import print_json, say
from isolog.datalog.foreign_rules import RULE_FORMATS, RuleFormat, read_rules


def command(
    source: Annotated[str, typer.Argument(metavar="IN", help="Facts, the .json description of a network, or rules.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file of facts, a model folder, or a program.")],
    literals: Literals = LiteralsAs.TERMS,
    threshold: Annotated[
        str | None, typer.Option("--threshold", metavar="P", help="For a network: derive what is more probable than P.")
    ] = None,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rewrite facts in another format, or import a network or rules.

    A network comes as a JSON description with tensors beside it, and becomes a model folder. `--format loginfer` and
    `--format anyburl` read a file of rules and write a program.
    """
    formats = Formats.parse(format)
    if formats.read in RULE_FORMATS:
        said = _convert_rules(source, target, formats.read)
    elif source.endswith(".json"):
        said = _convert_network(Path(source), Path(target), threshold)
    else:
        if threshold is not None:
            raise typer.BadParameter("--threshold is for networks, not for facts")
        said = _convert_facts(source, target, literals, formats, quiet)
    if json and target != "-":
        print_json(said)
    elif target != "-":
        say(
            ", ".join(f"{value:,} {key}" for key, value in said.items() if isinstance(value, int)) + f": {target}",
            quiet,
        )


def _convert_network(description: Path, folder: Path, threshold: str | None) -> dict[str, object]:
    from isolog.networks.foreign import read_foreign
    from isolog.networks.model_folder import write_model
    from isolog.networks.summary import network_summary

    try:
        probability = None if threshold is None else Fraction(threshold)
    except (ValueError, ZeroDivisionError):
        raise typer.BadParameter(f"--threshold {threshold} is not a number") from None
    network = read_foreign(description, probability=probability)
    write_model(network, folder)
    summary = network_summary(network)
    return {
        "layers": len(network.layers),
        "weights": summary.weights,
        "nonzero": summary.nonzero,
        "output": str(folder),
    }


def _convert_rules(source: str, target: str, format: RuleFormat) -> dict[str, object]:
    from isolog.facts.saving import open_target

    found = read_rules(source, format)
    with open_target(target) as stream:
        stream.writelines(f"{line}\n".encode() for line in found.lines())
    return {"rules": len(found.rules), "output": target}


def _convert_facts(source: str, target: str, literals: LiteralsAs, formats: Formats, quiet: bool) -> dict[str, object]:
    from isolog.facts.files import write_facts

    dataset = read_data(source, formats, quiet, literals.value)
    write_facts(dataset, target, format=formats.write)
    return {"facts": len(dataset), "terms": len(dataset.term_numbers), "output": target}
