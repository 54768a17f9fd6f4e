"""The plug point for engines: what every one does with a program, whatever it runs on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

from isolog.datalog.checks import Rounds, check
from isolog.datalog.syntax import Program
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.signature import restrict

MAX_TERM_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Options:
    """How a program is applied: one round or to the fixpoint; with `ignore_unknown`, facts outside its signature are
    left out; `max_term_depth` is how much deeper than the data a fixpoint may nest functions."""

    rounds: Rounds = 1
    ignore_unknown: bool = False
    max_term_depth: int = MAX_TERM_DEPTH


class Engine(ABC):
    """Applies programs to datasets. All engines derive the same facts as the reference engine."""

    name: ClassVar[str]

    @final
    def run(self, program: Program, dataset: Dataset, options: Options | None = None) -> Dataset:
        """The facts that the program derives, among them those that the dataset has already; no auxiliary ones."""
        options = options or Options()
        check(program, options.rounds)
        if program.signature is not None:
            dataset = restrict(dataset, program.signature, options.ignore_unknown)
        return self.derive(program, dataset, options)

    @final
    def operator(self, program: Program, options: Options | None = None) -> Operator:
        """The program as a function from datasets to datasets."""
        return lambda dataset: self.run(program, dataset, options)

    @abstractmethod
    def derive(self, program: Program, dataset: Dataset, options: Options) -> Dataset:
        """What `run` promises, for a program that passed the checks and a dataset within its signature."""
