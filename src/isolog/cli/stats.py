"""`isolog stats`: what a file of facts holds."""

from __future__ import annotations

from isolog.cli.data import Formats, read_data
from isolog.cli.options import Data, Format, Json, Literals, LiteralsAs, Quiet
from isolog.cli.output import print_json, table


def command(
    data: Data,
    literals: Literals = LiteralsAs.TERMS,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count facts and terms, and the facts of each predicate."""
    dataset = read_data(data, Formats.parse(format), quiet, literals.value)
    terms = len(dataset.term_numbers)
    counts = {str(predicate): len(rows) for predicate, rows in dataset.tables.items()}
    if json:
        print_json({"facts": len(dataset), "terms": terms, "predicates": counts, "dataset_sha256": dataset.sha256})
        return
    print(f"{len(dataset):,} facts, {terms:,} terms, {len(counts):,} predicates")
    print(f"sha256 {dataset.sha256}")
    if counts:
        print(
            table([(f"{count:,}", name) for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0]))], "  ")
        )
