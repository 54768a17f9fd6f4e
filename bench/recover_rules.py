"""How often training finds a rule again that was taken out of the true ones, and keeps all others.

    python bench/recover_rules.py [SEEDS (3)] [PERSONS (80)] [SHARE OF TARGETS THAT ARE KNOWN (1.0)]

Each of the family's rules that the encoding can say is left out in turn; training starts from the rest, with nothing
else chosen. `equal` counts trained networks that have exactly the true rules, on every dataset. Another rule that is no
less right in the data counts as not recovered: a parent who is linked to the mother is always the father here.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np

from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.rule_diff import rule_diff
from isolog.datalog.expand_counts import expand_counts
from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program, Rule
from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family, true_rules
from isolog.facts.signature import Signature
from isolog.facts.split import Part, Split
from isolog.learning.configuration import configured
from isolog.learning.train import train_split
from isolog.networks.network import Network

CASES = {
    "pairs": ("father", "mother", "child_of"),
    "paths": ("father", "mother", "child_of", "grandparent"),
    "paths, unary heads too": ("father", "mother", "child_of", "grandparent", "grandmother", "large_family"),
}


def learned(start: Network, split: Split, seed: int) -> Network:
    """What training makes of the network, with no other choices."""
    return train_split(split, configured(None, {"seed": seed}, start).plan).network


def some(facts: Dataset, share: float, seed: int) -> Dataset:
    """About a share of the facts, at random."""
    chance = np.random.default_rng(seed)
    tables = {predicate: table[chance.random(len(table)) < share] for predicate, table in facts.tables.items()}
    return Dataset.from_tables(facts.vocabulary, tables)


@dataclass
class Tally:
    """Of so many trainings, how many found the rule again, kept all others, and have exactly the true rules."""

    recovered: int = 0
    kept: int = 0
    equal: int = 0

    def add(self, left_out: str, whole: Network, after: Network) -> None:
        """One more training."""
        found = rule_diff(whole, after)
        assert not found.undecided, "the rules of a family are few and small"
        lost = {result.rule.head.name for result in found.lost}
        self.recovered += left_out not in lost
        self.kept += not lost - {left_out}
        self.equal += not found.lost and not found.gained and found.complete


def tried(encoding: str, rules: list[Rule], left_out: str, seeds: int, persons: int, share: float) -> Tally:
    """The tally over so many families."""
    tally, nothing = Tally(), Part(Dataset.empty(), Dataset.empty(), Dataset.empty())
    rest = [rule for rule in rules if rule.head.name != left_out]
    for seed in range(seeds):
        family = generate_family(persons, seed + 1)
        heads = [rule.head.predicate for rule in rules]
        signature = Signature((*family.facts.predicates, *heads))
        learn = Part(family.facts, some(family.derived.only(heads), share, seed), Dataset.empty())
        start, whole = (
            compile_encoded(Program(tuple(each)), encoding, signature=signature).network for each in (rest, rules)
        )
        tally.add(left_out, whole, learned(start, Split(signature, learn, nothing, nothing), seed))
    return tally


def main() -> None:
    """Prints the figures."""
    given = [*sys.argv[1:], *("3", "80", "1.0")[len(sys.argv) - 1 :]]
    seeds, persons, share = int(given[0]), int(given[1]), float(given[2])
    for title, names in CASES.items():
        rules = [rule for rule in expand_counts(parse(true_rules())) if rule.head.name in names]
        for left_out in names:
            begin = time.process_time()
            tally = tried(title.partition(",")[0], rules, left_out, seeds, persons, share)
            seconds = (time.process_time() - begin) / seeds
            counts = f"recovered {tally.recovered}, all others kept {tally.kept}, equal {tally.equal} of {seeds}"
            print(f"{title}: without {left_out}, {counts}; {seconds:.1f} s of processor time each", flush=True)


if __name__ == "__main__":
    main()
