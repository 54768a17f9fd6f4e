"""The corpus of Datalog cases.

A case is a folder with `program.dl`, `input.dl` or `input.tsv`, and what is expected, named after the options:
`expected.dl` of one round, `expected.fixpoint.dl`, `expected.ignore-unknown.dl`. With the suffix `.errors` the file
lists the codes that are raised instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from isolog.datalog.parser import read_program
from isolog.datalog.syntax import Program
from isolog.engines.engine import Engine, Options
from isolog.errors import IsologError
from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts

CORPUS = Path(__file__).parents[1] / "corpus" / "datalog"
OPTIONS = {
    "expected": Options(),
    "expected.fixpoint": Options(rounds="fixpoint"),
    "expected.ignore-unknown": Options(ignore_unknown=True),
}


@dataclass(frozen=True)
class Case:
    """One expectation of the corpus."""

    expected: Path

    @property
    def name(self) -> str:
        """The folder and the options."""
        return f"{self.expected.parent.name}-{self.expected.name}"

    @property
    def program_file(self) -> Path:
        """Where the program is."""
        return self.expected.with_name("program.dl")

    @property
    def data_file(self) -> Path:
        """Where the facts are."""
        (data,) = self.expected.parent.glob("input.*")
        return data

    @property
    def options(self) -> Options:
        """How the program is applied."""
        return OPTIONS[self.expected.stem]

    @property
    def facts(self) -> Dataset | None:
        """What is derived, unless there is an error."""
        return read_facts(self.expected) if self.expected.suffix == ".dl" else None

    @property
    def codes(self) -> list[str]:
        """The codes of the errors."""
        return [] if self.expected.suffix == ".dl" else self.expected.read_text(encoding="utf-8").split()

    def program(self) -> Program:
        """The program."""
        return read_program(self.program_file)

    def check(self, engine: Engine) -> None:
        """The engine does what is expected."""
        program, dataset = self.program(), read_facts(self.data_file)
        try:
            derived = engine.run(program, dataset, self.options)
        except IsologError as error:
            found = sorted(finding.code for finding in error.findings)
            if found != self.codes:
                raise
        else:
            assert self.facts is not None, f"errors are expected: {self.codes}"
            assert set(derived) == set(self.facts)


CASES = [Case(expected) for expected in sorted(CORPUS.glob("*/expected.*"))]
