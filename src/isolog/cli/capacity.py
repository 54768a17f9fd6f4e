"""`isolog capacity`: how many neighbours can make a difference."""

from __future__ import annotations

from fractions import Fraction

from isolog.cli.options import Json, Model
from isolog.cli.output import print_json, table


def command(model: Model, json: Json = False) -> None:
    """Say how many neighbours can make a difference.

    That is the capacity of a layer (Def. 8, Alg. 1): more neighbours never change what is derived.
    """
    from isolog.correspondence.capacity import capacity
    from isolog.networks.model_folder import read_model

    report = capacity(read_model(model))
    if json:
        layers = [
            {
                "capacity": layer.capacity,
                "aggregation": str(layer.aggregation),
                "exact": layer.exact,
                "alpha": layer.alpha,
                "beta": layer.beta,
                "least_weight": layer.least_weight,
                "least_value": layer.least_value,
                "least_bias": layer.least_bias,
            }
            for layer in report.layers
        ]
        print_json({"layers": layers, "capacity": report.capacity, "exact": report.exact})
        return
    rows: list[tuple[str, ...]] = [("layer", "aggregation", "capacity", "α", "β", "w", "x", "b")]
    for number, layer in enumerate(report.layers, 1):
        numbers = (layer.alpha, layer.beta, layer.least_weight, layer.least_value, layer.least_bias)
        shown = str(layer.capacity) if layer.exact else f"≤ {layer.capacity}"
        rows.append((str(number), str(layer.aggregation), shown, *map(_short, numbers)))
    print(table(rows))
    print(f"capacity {'' if report.exact else '≤ '}{report.capacity}")


def _short(number: Fraction | int | None) -> str:
    """A number as it is where that is short, else rounded."""
    if number is None:
        return "-"
    exact = str(number)
    return exact if len(exact) <= 12 else f"{float(number):.6g}"
