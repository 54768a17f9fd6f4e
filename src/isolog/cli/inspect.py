"""`isolog inspect`: what a network is, and whether it is in the class that equals Datalog."""

from __future__ import annotations

from dataclasses import asdict

from isolog.cli.options import Json, Model
from isolog.cli.output import print_json, table
from isolog.networks.classes import ClassReport, Condition, class_report
from isolog.networks.model_folder import read_model
from isolog.networks.summary import LayerSummary, NetworkSummary, network_summary


def command(model: Model, json: Json = False) -> None:
    """Show a network's size, sparsity and class.

    The class is that of monotonic max-sum GNNs, which equal Datalog programs. What keeps a network out of it is named.
    """
    network = read_model(model)
    summary, report = network_summary(network), class_report(network)
    if json:
        print_json(_as_json(summary, report))
        return
    print(f"{len(summary.layers)} layers, dimensions {' - '.join(map(str, summary.dimensions))}", end=", ")
    print(f"{summary.colours} colours, encoding {summary.encoding}")
    print(f"{summary.nonzero:,} of {summary.weights:,} numbers are not zero")
    for number, layer in enumerate(summary.layers, 1):
        print(f"\nlayer {number}: {layer.aggregation}, {layer.activation}, multiples of {layer.grid}")
        print(table(_tensor_rows(layer), "  "))
    print(f"\nmonotonic max-sum (Def. 6): {_yes(report.is_monotonic_max_sum)}")
    print(f"monotonic max (Def. 10): {_yes(report.is_monotonic_max)}")
    for condition in (*report.max_sum_conditions, report.only_max):
        print(f"  {'yes' if condition.holds else 'no '}  {condition.statement}")
        for breach in condition.breaches:
            print(f"         {breach.message}")
        if condition.count > len(condition.breaches):
            print(f"         and {condition.count - len(condition.breaches):,} more")
    for note in summary.notes:
        print(f"\nnote: {note}")


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _tensor_rows(layer: LayerSummary) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("", "shape", "nonzero", "least", "greatest")]
    for tensor in layer.tensors:
        ends = ["" if end is None else f"{float(end):.6g}" for end in (tensor.least, tensor.greatest)]
        rows.append((tensor.name, "×".join(map(str, tensor.shape)), f"{tensor.nonzero:,}", *ends))
    return rows


def _as_json(summary: NetworkSummary, report: ClassReport) -> dict[str, object]:
    conditions = (*report.max_sum_conditions, report.only_max)
    return {
        **asdict(summary),
        "weights": summary.weights,
        "nonzero": summary.nonzero,
        "is_monotonic_max_sum": report.is_monotonic_max_sum,
        "is_monotonic_max": report.is_monotonic_max,
        "conditions": [_condition(condition) for condition in conditions],
    }


def _condition(condition: Condition) -> dict[str, object]:
    return {
        "statement": condition.statement,
        "holds": condition.holds,
        "count": condition.count,
        "breaches": [breach.message for breach in condition.breaches],
    }
