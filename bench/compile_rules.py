"""How fast rule files become networks, beside applying them once: the ground truth of LogInfer, and the family's rules.

    ISOLOG_DATA=… python bench/compile_rules.py

Rules with `not` are left out. Each network derives what DuckDB derives by the rules, on the file's own graph.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.transformation import predict
from isolog.datalog.expand_counts import expand_counts
from isolog.datalog.foreign_rules import read_rules
from isolog.datalog.parser import parse
from isolog.datalog.syntax import Negation, Program
from isolog.engines.choice import run
from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family, true_rules
from isolog.facts.files import read_facts
from isolog.facts.signature import Signature

CROSSING = ("sibling", "uncle", "aunt")
"""Rules of the family that compare constants across a tree: no encoding says them."""


def positive(program: Program) -> Program:
    """The rules without `not`."""
    kept = [rule for rule in program if not any(isinstance(each, Negation) for each in rule.body)]
    return replace(program, rules=tuple(kept))


def measure(name: str, rules: Program, facts: Dataset, encoding: str) -> None:
    """Prints a line: processor seconds to compile, to apply once, and one over the other."""
    start = time.process_time()
    network = compile_encoded(rules, encoding, signature=Signature.from_dataset(facts)).network
    compiled = time.process_time()
    derived = predict(network, facts)
    applied = time.process_time()
    assert derived == run(rules, facts, engine="duckdb"), f"{name}: the network differs from the rules"
    seconds, once = compiled - start, applied - compiled
    print(
        f"{name}: {len(rules)} rules, {network.encoding.name} {network.dimensions}, compiled in {seconds:.3f} s, "
        f"applied to {len(facts):,} facts in {once:.3f} s, ratio {seconds / once:.2f}; {len(derived):,} facts derived"
    )


def main() -> None:
    """Prints the figures."""
    family = generate_family(persons=1000, seed=1)
    rules = expand_counts(parse(true_rules()))
    sayable = replace(rules, rules=tuple(rule for rule in rules if rule.head.name not in CROSSING))
    measure("family", sayable, family.facts, "paths")
    for folder in sorted((Path(os.environ["ISOLOG_DATA"]) / "loginfer").glob("LogInfer-*")):
        file = folder / f"final-rules-{folder.name}.txt"
        if not file.is_file():
            continue
        program = positive(read_rules(file, "loginfer").program)
        if len(program):
            measure(
                folder.name, program, read_facts(folder / "test.txt.gz") | read_facts(folder / "valid.txt.gz"), "auto"
            )


if __name__ == "__main__":
    main()
