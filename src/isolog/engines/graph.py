"""The engine `graph`: tree-like and layered programs as concepts on a coloured graph, one sweep over edges a count."""

from __future__ import annotations

from typing import ClassVar

from isolog.concepts.dag import Concepts, Node
from isolog.concepts.evaluate import evaluate
from isolog.concepts.from_rules import concepts_of_program, read_signature
from isolog.datalog.syntax import Program
from isolog.encodings.canonical import decode, encode
from isolog.engines.engine import Engine, Options
from isolog.errors import Finding, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature


class Graph(Engine):
    """Evaluates programs whose rules are all tree-like in numpy, as one vector of vertices for each concept."""

    name: ClassVar[str] = "graph"

    def derive(self, program: Program, dataset: Dataset, options: Options) -> Dataset:
        """One round, or rounds until nothing is new: without `not`, that is the least model."""
        prepared = prepare(program)
        derived = prepared.apply(dataset)
        while options.rounds == "fixpoint" and not derived <= dataset:
            dataset = dataset | derived
            derived = prepared.apply(dataset)
        return derived


class Prepared:
    """A program as concepts: the node of each head."""

    def __init__(self, program: Program) -> None:
        self.signature = read_signature(program)
        self.concepts = Concepts()
        features = {name: number for number, name in enumerate(self.signature.unary)}
        colours = {name: number for number, name in enumerate(self.signature.binary)}
        self.heads: dict[str, Node] = concepts_of_program(self.concepts, program, features, colours)

    def apply(self, dataset: Dataset) -> Dataset:
        """The facts that one round derives."""
        found = evaluate(self.concepts, self.heads.values(), encode(dataset, self.signature))
        tables = {}
        for name, node in self.heads.items():
            labels = found[node][:, None]
            tables |= decode(labels, dataset, Signature.of(unary=[name])).tables
        return Dataset.from_tables(dataset.vocabulary, tables)


def prepare(program: Program) -> Prepared:
    """The program as concepts; an error names the rules that are not tree-like, and the engine that takes them."""
    try:
        return Prepared(program)
    except UnsupportedError as error:
        hint = "the engine `duckdb` evaluates all programs"
        message = "the engine `graph` evaluates programs of tree-like rules only, and some of this one are not"
        raise UnsupportedError([Finding("E500", message, hint=hint), *error.findings]) from error
