"""How `predict` and `run` hand over what was derived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import typer

from isolog.cli.data import Formats
from isolog.cli.output import print_json, say
from isolog.facts.dataset import Dataset
from isolog.facts.files import write_facts
from isolog.facts.text import print_atom


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where derived facts go, which of them, and in which form."""

    output: str
    formats: Formats
    with_input: bool
    new: bool
    json: bool
    quiet: bool
    more: Mapping[str, object] = field(default_factory=dict[str, object])
    """What the JSON object says beside the counts."""

    def __post_init__(self) -> None:
        if self.with_input and self.new:
            raise typer.BadParameter("--with-input and --new exclude each other")

    def deliver(self, derived: Dataset, given: Dataset, engine: str | None = None) -> None:
        """Writes the facts asked for; with `--json` and no file, they are part of the object."""
        chosen = derived | given if self.with_input else derived - given if self.new else derived
        self.hand_over(chosen, len(derived), len(derived - given), engine)

    def hand_over(self, chosen: Dataset, derived: int, new: int, engine: str | None = None) -> None:
        """Writes these facts, and says how many were derived and how many of those are new."""
        counts: dict[str, int | str] = {"derived": derived, "new": new, "written": len(chosen)}
        if engine is not None:
            counts["engine"] = engine
        if self.json and self.output == "-":
            print_json({**counts, **self.more, "facts": sorted(print_atom(fact) for fact in chosen)})
            return
        write_facts(chosen, self.output, format=self.formats.write)
        self.report(counts)

    def report(self, counts: Mapping[str, int | str]) -> None:
        """Says what was written to a file."""
        if self.json:
            print_json({**counts, **self.more, "output": self.output})
        elif self.output != "-":
            say(f"{counts['derived']:,} facts derived, {counts['new']:,} of them new: {self.output}", self.quiet)
