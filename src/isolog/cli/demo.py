"""`isolog demo`: the whole story on a family's knowledge graph, from facts to a program with proofs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolog.cli.options import Seed
from isolog.errors import Finding, IsologError

if TYPE_CHECKING:
    from isolog.datalog.syntax import Program
    from isolog.facts.dataset import Dataset
    from isolog.facts.split import Part
    from isolog.networks.network import Network


class DemoError(IsologError):
    """The demo showed something that cannot be."""


def command(
    persons: Annotated[int, typer.Option("--persons", min=40, help="How large each family is.")] = 150,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where the files go.")] = Path(
        "isolog-demo"
    ),
    seed: Seed = 0,
) -> None:
    """Show what isolog does, on a family's knowledge graph.

    Trains a network, extracts the program that it equals, explains a fact, refutes a rule, and writes a report.
    """
    from isolog.learning.verbs import require_torch

    require_torch()
    from isolog.cli.demo_data import two_families
    from isolog.facts.files import write_facts
    from isolog.facts.split_files import write_split

    split = two_families(persons, seed)
    output.mkdir(parents=True, exist_ok=True)
    write_split(split, output / "split", replace=True)
    write_facts(split.test.graph, str(output / "family.tsv"))
    network = _train(output, split.train, seed)
    program = _extract(network, output)
    _explain(network, split.test.graph)
    _refute(network, split.test)
    _compare(network, program, split.test.graph)
    _report(network, split.test, output)
    _go_on(output)


def _train(output: Path, learned: Part, seed: int) -> Network:
    from isolog.facts.text import print_atom
    from isolog.learning.configuration import Choices
    from isolog.learning.record import train_to_folder
    from isolog.learning.settings import Settings
    from isolog.learning.train import Plan, silent

    persons, targets = len(learned.graph.terms), len(learned.positives)
    example = print_atom(next(fact for fact in learned.graph if fact.name == "parent"))
    names = ", ".join(predicate.name for predicate in learned.positives.predicates)
    _title("A graph neural network learns")
    print(f"from a family of {persons} persons, given {len(learned.graph):,} facts such as {example},")
    print(f"and shown {targets:,} facts that follow, of {names}.")
    settings = Settings(hidden=16, epochs=200, negative_weight=0.3, seed=seed + 1)
    plan = Plan(settings, "paths", sparsities=(0.2, 0.05), bits=(1,))
    model = output / "model"
    training = train_to_folder(output / "split", model, Choices(plan, None, None, "terms"), silent)
    print(f"It took {training.seconds:.0f} s; on facts held out it is right in {training.accuracy:.1%}: {model}")
    return training.network


def _extract(network: Network, output: Path) -> Program:
    from isolog.correspondence.capture import captures_all
    from isolog.correspondence.extract import extract
    from isolog.datalog.parser import parse
    from isolog.datalog.printer import print_rule
    from isolog.facts.family import true_rules
    from isolog.report.words import in_words

    found = extract(network)
    file = output / "rules.dl"
    file.write_text(str(found), encoding="utf-8")
    _title("The program that the network is")
    print(f"{in_words(found)} It is in {file}.\n")
    for rule in found.program:
        print(f"  {print_rule(rule)}")
    heads = {rule.head.predicate for rule in found.program}
    true = [rule for rule in parse(true_rules()) if rule.head.predicate in heads]
    print("\nNobody told it the true rules. Does it capture them, on every dataset there could ever be?\n")
    for result in captures_all(network, true):
        print(f"  {'yes' if result.captured else 'no '}  {print_rule(result.rule)}")
    return found.program


def _explain(network: Network, family: Dataset) -> None:
    from isolog.correspondence.explain import Explainer
    from isolog.correspondence.transformation import predict
    from isolog.report.text import explanation_lines

    derived = list(predict(network, family))
    fact = next((each for each in derived if each.name == "grandparent"), derived[0])
    found = Explainer(network, family).explain(fact)
    if found is None:
        raise DemoError(Finding("E701", "a derived fact has no explanation"))
    _title("Why it derives a fact about another family")
    print("\n".join(explanation_lines(found)))


def _refute(network: Network, judged: Part) -> None:
    from isolog.cli.captures import verdict
    from isolog.cli.demo_data import PLAUSIBLE
    from isolog.correspondence.capture import captures
    from isolog.datalog.parser import parse
    from isolog.engines.choice import run

    _title("A rule that it does not follow")
    for text in PLAUSIBLE:
        result = captures(network, text)
        if not result.captured:
            wrong = run(parse(text), judged.graph) - judged.positives
            right = "is always right in the other family" if not len(wrong) else f"is wrong {len(wrong):,} times there"
            print(f"This rule {right}. Whether the network captures it is asked of all datasets:\n")
            print(verdict(result))
            return
    print("It captures all that were tried.")


def _compare(network: Network, program: Program, family: Dataset) -> None:
    from isolog.correspondence.transformation import predict
    from isolog.engines.choice import run
    from isolog.facts.operator import agree

    found = agree(lambda facts: predict(network, facts), lambda facts: run(program, facts, engine="duckdb"), family)
    if not found.agrees:
        raise DemoError(Finding("E701", "network and program differ"))
    _title("Network and program agree")
    print(f"On the other family, the network derives {found.common:,} facts. On DuckDB, the program derives the same.")


def _report(network: Network, judged: Part, output: Path) -> None:
    from isolog.report.build import build
    from isolog.report.gather import Judged, gather, read_record

    data = Judged(judged.graph, judged.positives, judged.negatives)
    contents = gather(network, data, "A family's network", record=read_record(output / "model"))
    file = output / "report.html"
    file.write_text(build(contents), encoding="utf-8")
    _title("All of it, to look at")
    print(f"{file} opens in any browser.")


def _go_on(output: Path) -> None:
    model, family = output / "model", output / "family.tsv"
    print("\nGo on with:")
    print(f"  isolog inspect {model}\n  isolog predict {model} {family}\n  isolog run {output / 'rules.dl'} {family}")
    print(f"  isolog report {model} {output / 'split'} -o {output / 'report.html'}")
    print(f"  isolog captures {model} 'grandparent(X, Z) :- parent(X, Y), parent(Y, Z).'")


def _title(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")
