"""How fast flat programs are found: minimal rules of networks with far more derivations than anybody could list.

    python bench/flat.py [RULES (10000)] [SECONDS (30)]

Two random networks of two layers over 20 and 12 predicates, max and sum, are searched in a process of their own for a
quarter, a half and all of the rules, so that the memory that each takes is seen apart.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from isolog.concepts.counting import about, derivations
from isolog.concepts.flat import flat_rules
from isolog.concepts.flat_rules import Budget, Head
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Aggregation, Layer, Network

ENOUGH = 10**12


class Case(NamedTuple):
    """What a random network looks like: predicates, units in the middle, nonzero weights of each unit."""

    name: str
    aggregation: Aggregation
    predicates: int
    hidden: int
    weights: int
    seed: int


CASES = (Case("max-max", MAX, 20, 10, 10, 2), Case("sum-sum", SUM, 12, 6, 6, 3))


def network(case: Case) -> Network:
    """The network: weights are quarters up to 1, biases quarters from -1/2 to 0, over two colours."""
    chance = random.Random(case.seed)
    signature = Signature.of([f"p{n}" for n in range(case.predicates)], ["r", "s"])
    layers: list[Layer] = []
    for below, units in pairwise([case.predicates, case.hidden, case.predicates]):
        matrices = [[[Fraction(0)] * below for _ in range(units)] for _ in range(3)]
        for unit in range(units):
            for _ in range(case.weights):
                chance.choice(matrices)[unit][chance.randrange(below)] = Fraction(chance.randint(1, 4), 4)
        biases = [Fraction(-chance.randint(0, 2), 4) for _ in range(units)]
        layers.append(Layer.from_fractions(matrices[0], matrices[1:], biases, case.aggregation))
    return Network.canonical(signature, layers)


def measure(case: Case, rules: int) -> None:
    """One line: how many rules of how many derivations, how long, and the memory of the whole process."""
    made = network(case)
    start = time.process_time()
    found = concepts_of_network(made)
    heads = [Head(name, nodes[0]) for name, nodes in zip(made.features, found.heads, strict=True)]
    number = sum(derivations(found.concepts, [head.concept for head in heads]))
    assert number >= ENOUGH
    before = time.process_time() - start
    start, began = time.process_time(), time.perf_counter()
    names = made.features, made.colours
    budget = Budget(max_rules=rules + rules // 20)  # some turn out to follow from several others together
    program = flat_rules(found.concepts, heads, found.sorts, names, budget)
    seconds, wall = time.process_time() - start, time.perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    count = len(program.rules)
    print(
        f"{case.name}: {len(found.concepts):,} concepts, {about(number)} derivations, {before:.2f} s; "
        f"{count:,} minimal rules, {seconds:.1f} s of processor time, {wall:.1f} s by the clock; "
        f"complete up to {program.complete_up_to_atoms} atoms; "
        f"{program.tests / max(count, 1):.1f} implications decided a rule; {memory:,.0f} MiB",
        flush=True,
    )


def main(rules: int, seconds: float) -> None:
    """All cases, each in processes of its own; says at the end whether the goal was met."""
    for number, _ in enumerate(CASES):
        for share in (4, 2, 1):
            start = time.perf_counter()
            subprocess.run([sys.executable, __file__, "--case", str(number), str(rules // share)], check=True)
        took = time.perf_counter() - start
        print(f"  {'within' if took <= seconds else 'NOT within'} {seconds:g} s, all told: {took:.1f} s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--case"]:
        measure(CASES[int(sys.argv[2])], int(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 10_000, float(sys.argv[2]) if sys.argv[2:] else 30)
