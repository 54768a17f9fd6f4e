"""`isolog explain`: why a fact is derived, or what is missing for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Data, Format, IgnoreUnknown, Json, Model, Quiet
from isolog.cli.output import print_json, say

if TYPE_CHECKING:
    from isolog.correspondence.explain import Explainer, Explanation
    from isolog.correspondence.why_not import Way
    from isolog.facts.terms import Atom


Fact: TypeAlias = Annotated[
    str | None, typer.Argument(metavar="[FACT]", help="The fact, such as 'father(ann, bob)'; or use --all.")
]
All: TypeAlias = Annotated[bool, typer.Option("--all", help="Explain every derived fact.")]
_MISSING = "For a fact that is not derived, what is missing."
WhyNot: TypeAlias = Annotated[bool, typer.Option("--why-not", help=_MISSING)]
Svg: TypeAlias = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the proof.")]
Html: TypeAlias = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="A page with the proof.")]
Seconds: TypeAlias = Annotated[float, typer.Option("--seconds", help="How long to look for fewer facts, per fact.")]


def command(
    model: Model,
    data: Data,
    fact: Fact = None,
    all: All = False,
    why_not: WhyNot = False,
    svg: Svg = None,
    html: Html = None,
    seconds: Seconds = 2.0,
    ignore_unknown: IgnoreUnknown = False,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Explain a derived fact, or all of them.

    An explanation is the fewest facts from which the network derives the fact, the rule that they are, and the proof.
    """
    from isolog.correspondence.explain import Explainer, parse_fact
    from isolog.correspondence.transformation import predict
    from isolog.networks.model_folder import read_model

    if (fact is None) == (not all):
        raise typer.BadParameter("give either a fact or --all")
    network = read_model(model)
    dataset = read_data(data, Formats.parse(format), quiet)
    explainer = Explainer(network, dataset, ignore_unknown=ignore_unknown)
    if fact is None:
        derived = list(predict(network, dataset, ignore_unknown=ignore_unknown))
        _print_all(list(explainer.all(derived, seconds)), json)
        return
    asked = parse_fact(fact)
    found = explainer.explain(asked, seconds)
    if found is not None:
        _print_one(found, json, svg, html)
    elif why_not:
        _print_missing(explainer, asked, seconds, json)
    else:
        _not_derived(fact, json, quiet)


def _print_one(found: Explanation, json: bool, svg: Path | None, html: Path | None) -> None:
    from isolog.correspondence.proof_tree import proof_tree
    from isolog.datalog.printer import print_rule
    from isolog.facts.saving import replacement
    from isolog.report.page import proof_page
    from isolog.report.svg import proof_svg
    from isolog.report.text import explanation_lines

    tree = proof_tree(found.proof)
    drawn = proof_svg(tree, print_rule(found.rule)) + "\n"
    for path, text in ((svg, drawn), (html, proof_page(found, proof_svg(tree)))):
        if path is not None:
            with replacement(str(path)) as file:
                file.write_text(text, encoding="utf-8")
    if json:
        print_json(explanation_json(found))
    else:
        print("\n".join(explanation_lines(found)))


def _print_all(found: list[Explanation], json: bool) -> None:
    from isolog.report.text import explanation_lines

    if json:
        print_json({"explanations": [explanation_json(each) for each in found]})
    else:
        print("\n\n".join("\n".join(explanation_lines(each, proof=False)) for each in found))


def _not_derived(fact: str, json: bool, quiet: bool) -> None:
    if json:
        print_json({"fact": fact, "derived": False})
    say(f"the network does not derive {fact}; `--why-not` says what is missing", quiet)
    raise typer.Exit(3)


def _print_missing(explainer: Explainer, fact: Atom, seconds: float, json: bool) -> None:
    from isolog.correspondence.why_not import why_not
    from isolog.facts.text import print_atom
    from isolog.report.text import missing_lines

    found = why_not(explainer, fact, seconds)
    if json:
        values: dict[str, Any] = {
            "derived": False,
            "missing": [print_atom(each) for each in found.missing],
            "fewest": found.proven,
            "others": [_way_json(each) for each in found.others],
        }
        print_json({**explanation_json(found.explanation), **values})
        return
    print("\n".join(missing_lines(found)))


def _way_json(way: Way) -> dict[str, Any]:
    from isolog.facts.text import print_atom

    told = explanation_json(way.explanation)
    return {"missing": [print_atom(each) for each in way.missing], "rule": told["rule"], "facts": told["facts"]}


def explanation_json(found: Explanation) -> dict[str, Any]:
    """The explanation as one object."""
    from isolog.correspondence.proof_tree import proof_tree
    from isolog.datalog.printer import print_rule
    from isolog.facts.text import print_atom

    return {
        "fact": print_atom(found.fact),
        "rule": print_rule(found.rule),
        "atoms": found.atoms,
        "user_atoms": found.user_atoms,
        "minimal": found.minimal,
        "facts": [print_atom(fact) for fact in found.facts],
        "proof": proof_tree(found.proof).as_json(),
    }
