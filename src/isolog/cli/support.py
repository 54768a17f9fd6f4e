"""What `run --support` says: per rule, what it derives on its own and how much of that the data have."""

from __future__ import annotations

from dataclasses import replace

from isolog.cli.delivery import Delivery
from isolog.cli.output import say, table
from isolog.datalog.syntax import Program
from isolog.engines.engine import Engine
from isolog.facts.dataset import Dataset


def with_support(
    delivery: Delivery, program: Program, data: Dataset, engine: Engine, ignore_unknown: bool = False
) -> Delivery:
    """The delivery whose JSON object says it, too; without `--json` it is said at once."""
    from isolog.engines.support import support

    found = support(program, data, engine=engine, ignore_unknown=ignore_unknown)
    if not delivery.json:
        rows = [("derived", "new", "correct", "precision", "rule")]
        for each in found:
            precision = "" if each.precision is None else f"{each.precision:.4f}"
            rows.append((f"{each.derived:,}", f"{each.new:,}", f"{each.correct:,}", precision, each.rule))
        say(table(rows), delivery.quiet)
    listed = [
        {
            "rule": each.rule,
            "derived": each.derived,
            "new": each.new,
            "correct": each.correct,
            "precision": each.precision,
        }
        for each in found
    ]
    return replace(delivery, more={"support": listed})
