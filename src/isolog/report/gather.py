"""What a report shows of a model on data: its class and scores, its program, what it derives and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isolog.correspondence.explain import Explainer
from isolog.correspondence.extract import MOST_RULES, extract
from isolog.correspondence.transformation import predict
from isolog.datalog.syntax import Program
from isolog.engines.choice import choose
from isolog.engines.support import support
from isolog.errors import Finding, InputError, LimitError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from isolog.facts.text import print_atom
from isolog.learning.evaluation import Evaluation, evaluate
from isolog.networks.classes import class_report
from isolog.networks.fingerprint import network_sha256
from isolog.networks.model_folder import RECORD
from isolog.networks.network import Network
from isolog.networks.summary import network_summary
from isolog.report.build import CHANGES, Contents, FactRow, RuleRow
from isolog.report.why import PER_FACT, explained
from isolog.report.words import in_words, rule_size
from isolog.source import Span

MOST_FACTS = 10_000
SECONDS = 20.0


@dataclass(frozen=True, eq=False, slots=True)
class Judged:
    """The facts that a network is applied to, and those known to be true and to be false, if any are."""

    graph: Dataset
    positives: Dataset
    negatives: Dataset


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a report goes: how many rules and facts there are at most, and the seconds for either."""

    rules: int = MOST_RULES
    facts: int = MOST_FACTS
    seconds: float = SECONDS
    per_fact: float = PER_FACT


def gather(
    network: Network,
    data: Judged,
    title: str,
    *,
    record: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    ignore_unknown: bool = False,
) -> Contents:
    """The contents of the report; `record` is what `read_record` gives."""
    limits, told = limits or Limits(), record or {}
    scores = None
    if len(data.positives):
        scores = evaluate(network, data.graph, data.positives, data.negatives, ignore_unknown=ignore_unknown)
    derived = predict(network, data.graph, ignore_unknown=ignore_unknown)
    rules, notes = _program(network, data, limits, ignore_unknown)
    if told.get("unfinished"):
        notes.append("Not all rules were compared with those of the model before; there may be more of them.")
    facts, remarks = _facts(network, data, derived, limits, ignore_unknown)
    return Contents(
        title=title,
        about=_about(network),
        numbers=_numbers(network, data, len(derived), scores),
        rules=rules,
        notes=notes,
        facts=facts,
        derived=len(derived),
        precision_recall=scores.curve if scores is not None and len(data.negatives) else (),
        curve=told.get("curve", ()),
        front=told.get("front", ()),
        changes=told.get("changes", {}),
        remarks=remarks,
    )


def read_record(model: Path) -> Mapping[str, Any] | None:
    """How the network in the folder was trained, if it was trained here."""
    file = model / RECORD
    if not file.is_file():
        return None
    try:
        told = json.loads(file.read_text("utf-8"))
        curve = [{"epoch": float(each["epoch"]), "score": float(each["score"])} for each in told["curve"]]
        needed = ("sparsity", "bits", "accuracy", "concept_nodes", "chosen")
        front = [{name: each[name] for name in needed} for each in told["front"]]
        rules = told.get("rules") or {}
        unfinished = not rules.get("complete", True)
        changes = {kind: [str(rule) for rule in rules[kind]] for kind in CHANGES if kind in rules}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        hint = "`isolog train` writes it; without it the report leaves the learning curve out"
        raise InputError(Finding("E670", "not the record of a training", Span(str(file)), hint)) from error
    return {"curve": curve, "front": front, "changes": changes, "unfinished": unfinished}


def _about(network: Network) -> list[str]:
    report, summary = class_report(network), network_summary(network)
    grids = ", ".join(str(layer.grid) for layer in summary.layers)
    kinds = ", ".join(f"{layer.aggregation} and {layer.activation}" for layer in summary.layers)
    equal = "monotonic max-sum (Def. 6), so it equals a Datalog program"
    lines = [
        f"The network is {equal}." if report.is_monotonic_max_sum else f"The network is not {equal.partition(',')[0]}:",
        *(condition.statement + " does not hold" for condition in report.max_sum_conditions if not condition.holds),
        f"Its layers aggregate and activate by {kinds}; their weights are multiples of {grids}.",
        f"The encoding is {network.encoding.name}; the network has sha256 {network_sha256(network)}.",
    ]
    return [*lines, *summary.notes]


def _numbers(network: Network, data: Judged, derived: int, scores: Evaluation | None) -> dict[str, str]:
    summary = network_summary(network)
    numbers = {
        "units in each layer": " – ".join(map(str, summary.dimensions)),
        "colours": f"{summary.colours:,}",
        f"numbers of {summary.weights:,} that are not zero": f"{summary.nonzero:,}",
        "given facts": f"{len(data.graph):,}",
        "derived facts": f"{derived:,}",
    }
    if scores is not None:
        numbers["true facts"] = f"{scores.positives:,}"
        numbers["recall"] = f"{scores.recall:.4f}"
    if scores is not None and scores.negatives:
        numbers["false facts"] = f"{scores.negatives:,}"
        numbers["precision"] = f"{scores.precision:.4f}"
        numbers["accuracy"] = f"{scores.accuracy:.4f}"
        numbers["average precision"] = f"{scores.average_precision:.4f}"
    return numbers


def _program(network: Network, data: Judged, limits: Limits, ignore_unknown: bool) -> tuple[list[RuleRow], list[str]]:
    try:
        found = extract(network, max_rules=limits.rules, seconds=limits.seconds)
    except (LimitError, UnsupportedError) as error:
        return [], [f"No program is shown: {error.findings[0].message}."]
    notes = [in_words(found)]
    notes += [f"{predicate} is auxiliary." for predicate in sorted(map(str, found.program.auxiliary))]
    return _supported(found.program, data, ignore_unknown), notes


def _supported(program: Program, data: Judged, ignore_unknown: bool) -> list[RuleRow]:
    """The rules with what they derive; what is true is known for predicates that some given or true fact has."""
    truth = data.graph | data.positives
    rules = [rule for rule in program if rule.head.predicate not in program.auxiliary]
    engine = choose(program, len(data.graph)).engine
    counted = support(program, data.graph, truth=truth, engine=engine, ignore_unknown=ignore_unknown)
    return [
        RuleRow(
            each.rule, rule_size(rule), each.derived, each.precision if rule.head.predicate in truth.tables else None
        )
        for rule, each in zip(rules, counted, strict=True)
    ]


def _facts(
    network: Network, data: Judged, derived: Dataset, limits: Limits, ignore_unknown: bool
) -> tuple[list[FactRow], list[str]]:
    """Explained facts, spread evenly over all of them where there are too many."""
    every = list(derived)
    chosen = every[:: max(1, -(-len(every) // limits.facts))]
    known = _known(data, derived)
    try:
        explainer = Explainer(network, data.graph, ignore_unknown=ignore_unknown)
    except UnsupportedError as error:
        rows = [FactRow(print_atom(fact), "", (), False, known(fact)) for fact in chosen]
        return rows, [f"There are no proofs: {error.findings[0].message}."]
    return explained(explainer, chosen, limits.seconds, known, limits.per_fact), []


def _known(data: Judged, derived: Dataset) -> Callable[[Atom], str]:
    """What is known of a derived fact: it is given, or true, or false, or else new."""
    words: dict[Atom, str] = {}
    for word, facts in (("false", data.negatives), ("true", data.positives), ("given", data.graph)):
        words |= dict.fromkeys(derived & facts, word)
    return lambda fact: words.get(fact, "new")
