"""How long `equivalent` takes: networks against their layered programs, and against copies with one other weight.

    python bench/equivalence.py [SECONDS]

Random networks of two layers over some labels and two colours, weights of two bits. Seconds are CPU time.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import replace
from fractions import Fraction

from isolog.concepts.layered import layered_program
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.equivalence import equivalent
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Aggregation, Layer, Network

SIZES = [(4, 4, 6), (8, 8, 6), (16, 16, 6), (32, 32, 6), (64, 64, 6)]
"""Labels, hidden units, and nonzero weights per unit."""


def network(labels: int, hidden: int, weights: int, aggregation: Aggregation, seed: int) -> Network:
    """A random network with so many weights per unit, one quarter to one."""
    draw = random.Random(seed)

    def layer(below: int, units: int) -> Layer:
        matrices = [[[Fraction(0)] * below for _ in range(units)] for _ in range(3)]
        for unit in range(units):
            for _ in range(weights):
                draw.choice(matrices)[unit][draw.randrange(below)] = Fraction(draw.randint(1, 4), 4)
        own, *others = matrices
        return Layer.from_fractions(own, others, [Fraction(-draw.randint(0, 2), 4) for _ in range(units)], aggregation)

    signature = Signature.of([f"U{n}" for n in range(labels)], ["r", "s"])
    return Network.canonical(signature, [layer(labels, hidden), layer(hidden, labels)])


def mutated(given: Network) -> Network:
    """The network with its last bias lowered by a quarter."""
    last = given.layers[-1]
    bias = last.b.copy()
    bias[-1] -= last.scale // 4
    return replace(given, layers=(*given.layers[:-1], replace(last, b=bias)))


def main(seconds: float) -> None:
    """Prints a line per network."""
    print("aggregation  labels  concepts  equal: answer  s   mutated: answer  s")
    for aggregation in (MAX, SUM):
        for size in SIZES:
            given = network(*size, aggregation, seed=1)
            extraction = concepts_of_network(given)
            heads = [(name, nodes[0]) for name, nodes in zip(given.features, extraction.heads, strict=True)]
            program = layered_program(extraction.concepts, heads, given.signature, {}).program
            answers: list[str] = []
            for other in (program, mutated(given)):
                start = time.process_time()
                answer = equivalent(given, other, seconds=seconds).equivalent
                answers.append(f"{answer!s:>13} {time.process_time() - start:6.1f}")
            print(f"{aggregation!s:>11} {size[0]:7} {len(extraction.concepts):9} {'  '.join(answers)}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
