"""How fast capture is decided: random rules with 12 body atoms against the authors' dense network for fb237v1.

    ISOLOG_DATA=... python bench/captures.py [RULES (10000)] [SECONDS (60)]

A score of more than 0.1 derives a fact, as published. The rules are tree-like, over the network's 180 features and 4
colours, and handed over as text. Every second one speaks of the features with the greatest weights alone, and has a
head that the network derives at the root of the body, if there is any: such rules are captured. Beside it, as many of
the same rules as fit into the seconds are decided by the letter of Lemma 1, those with the fewest variables first.
Times are CPU times.
"""

from __future__ import annotations

import os
import random
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

from isolog.correspondence.capture import captures_all
from isolog.correspondence.lemma1 import bell, failing_instance
from isolog.correspondence.patterns import pattern
from isolog.correspondence.transformation import predict
from isolog.datalog.parser import parse
from isolog.datalog.printer import print_rule
from isolog.datalog.syntax import Rule
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import Group, TreeFormula, TreeRule, group, tree_formula
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from isolog.facts.text import print_term
from isolog.networks.foreign import read_foreign
from isolog.networks.network import Network

MODEL = "peer-models/fb237v1_maxmax_with_dummies.json"
ATOMS, HEAVY = 12, 20


def random_body(network: Network, labels: list[str], atoms: int, depth: int, chance: random.Random) -> TreeFormula:
    """A formula with so many atoms, at most `depth` deep."""
    edges = min(chance.randint(1, 3) if depth and atoms > 1 else 0, atoms // 2)
    shares = [0] * edges
    own = 0
    for _ in range(atoms - edges):
        place = chance.randint(0, edges)
        if place == edges:
            own += 1
        else:
            shares[place] += 1
    groups: list[Group] = [
        group(chance.choice(network.colours), random_body(network, labels, share, depth - 1, chance))
        for share in shares
    ]
    return tree_formula(chance.sample(labels, own), groups)


def random_rules(network: Network, count: int) -> list[Rule]:
    """So many rules with 12 body atoms."""
    chance = random.Random(0)
    heavy = np.argsort(-network.layers[0].A.sum(axis=0))[:HEAVY]
    labels = list(network.features), [network.features[place] for place in heavy]
    bodies = [random_body(network, labels[n % 2], ATOMS, len(network.layers), chance) for n in range(count)]
    assert all(body.atoms == ATOMS for body in bodies)
    rules: list[Rule] = []
    for number, (body, derived) in enumerate(zip(bodies, derived_at_roots(network, bodies), strict=True)):
        head = chance.choice(derived if derived and number % 2 else network.features)
        rules.append(to_rule(TreeRule(head, body), counts=False))
    return rules


def derived_at_roots(network: Network, bodies: list[TreeFormula]) -> list[list[str]]:
    """What the network derives at the root of each body, all siblings being distinct."""
    facts: list[Atom] = []
    for number, body in enumerate(bodies):
        for atom in to_rule(TreeRule(network.features[0], body), counts=False).body:
            assert isinstance(atom, Atom)
            facts.append(Atom(atom.name, tuple(f"{number} {print_term(term)}" for term in atom.arguments)))
    found: list[list[str]] = [[] for _ in bodies]
    root = print_term(to_rule(TreeRule(network.features[0], bodies[0])).head.arguments[0])
    for fact in predict(network, Dataset.from_facts(facts)):
        number, variable = str(fact.arguments[0]).split()
        if variable == root:
            found[int(number)].append(fact.name)
    return found


def main(count: int, seconds: float) -> None:
    """Prints the rates, and what was decided."""
    start = time.process_time()
    network = read_foreign(Path(os.environ["ISOLOG_DATA"]) / MODEL, probability=Fraction(1, 10))
    print(f"{time.process_time() - start:.2f} s to load the network, dimensions {network.dimensions}")
    texts = [print_rule(rule) for rule in random_rules(network, count)]

    start = time.process_time()
    rules = list(parse("\n".join(texts)))
    parsed = time.process_time() - start
    start = time.process_time()
    results = captures_all(network, rules, canonical=True)
    decided = time.process_time() - start
    captured = sum(result.captured for result in results)
    print(f"{count:,} rules with {ATOMS} atoms, {captured:,} of them captured")
    report("to parse them", parsed, count)
    report("to decide them, with counterexamples", decided, count)
    report("all together", parsed + decided, count)

    fewest = sorted(range(count), key=lambda place: len(pattern(rules[place]).terms))
    start, done = time.process_time(), 0
    for place in fewest:
        by_the_letter = failing_instance(network, rules[place]) is None
        assert by_the_letter == results[place].captured
        done += 1
        if time.process_time() - start > seconds:
            break
    variables = len(pattern(rules[fewest[done - 1]]).terms)
    report("by the letter", time.process_time() - start, done)
    print(f"  the same answers; at most {variables} variables, {bell(variables):,} identifications")


def report(what: str, seconds: float, rules: int) -> None:
    """One line of the table."""
    print(f"{what:40}{seconds:9.2f} s{1000 * seconds / rules:12.3f} ms a rule{rules / seconds:12,.1f} rules/s")


if __name__ == "__main__":
    if "ISOLOG_DATA" in os.environ:
        main(int(sys.argv[1]) if sys.argv[1:] else 10_000, float(sys.argv[2]) if sys.argv[2:] else 60)
    else:
        print("left out: ISOLOG_DATA does not name the folder with the real data", file=sys.stderr)
