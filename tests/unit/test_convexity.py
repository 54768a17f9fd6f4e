"""Datasets that ReLU networks cannot tell apart the right way, and no claim where there are none."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import settings

from isolog.correspondence.convexity import Inseparable, inseparable
from isolog.datalog.parser import parse
from isolog.datalog.tree_rules import tree_rules
from isolog.engines.reference import run
from isolog.facts.signature import Signature
from isolog.facts.text import print_atom
from isolog.networks.network import MAX, SUM, Layer, MaxKSum, Network
from support.trees import predicted

PLAIN = "U(X) :- E(X, Y1), A(Y1), E(X, Y2), B(Y2), Y1 != Y2."
INSEPARABLE = [
    PLAIN,
    "U(X) :- E(X, Y1), A(Y1), C(Y1), E(X, Y2), B(Y2), C(Y2), Y1 != Y2.",
    "U(X) :- s(X, Z), E(Z, Y1), A(Y1), E(Z, Y2), B(Y2), Y1 != Y2.",
    "U(X) :- E(X, Y1), E(Y1, Z1), A(Z1), E(X, Y2), E(Y2, Z2), B(Z2), Y1 != Y2.",
    "U(X) :- E(X, Y1), s(Y1, Z1), E(X, Y2), B(Y2), Y1 != Y2.",
    "U(X) :- E(X, Y1), A(Y1), E(X, Y2), B(Y2), E(X, Y3), C(Y3), Y1 != Y2, Y1 != Y3, Y2 != Y3.",
]


def datasets(text: str) -> Inseparable | None:
    rules = tree_rules(parse(text))
    return inseparable(rules[0], rules)


def test_the_datasets_of_the_plain_rule() -> None:
    found = datasets(PLAIN)
    assert found is not None and print_atom(found.fact) == "U(a)"
    assert sorted(map(print_atom, found.derived)) == ["A(b)", "B(c)", "E(a, b)", "E(a, c)"]
    assert sorted(map(print_atom, found.not_derived)) == ["A(c)", "B(c)", "E(a, b)", "E(a, c)"]


@pytest.mark.parametrize("text", INSEPARABLE)
def test_the_program_tells_them_apart(text: str) -> None:
    found = datasets(text)
    assert found is not None
    assert found.fact in run(parse(text), found.derived)
    assert found.fact not in run(parse(text), found.not_derived)


@pytest.mark.parametrize("text", INSEPARABLE)
def test_no_random_relu_network_does(text: str) -> None:
    found = datasets(text)
    assert found is not None
    rng = np.random.default_rng(7)
    signature = Signature.of(["U", "A", "B", "C"], ["E", "s"])
    separated, derived = 0, 0
    for _ in range(5 * settings.default.max_examples):
        network = random_network(rng, signature)
        on_first = found.fact in predicted(network, found.derived)
        derived += on_first
        separated += on_first and found.fact not in predicted(network, found.not_derived)
    assert separated == 0 and derived > 15


def random_network(rng: np.random.Generator, signature: Signature) -> Network:
    """Two to four layers with small nonnegative weights and mostly negative biases."""
    depth = int(rng.integers(2, 5))
    sizes = [4, *rng.integers(2, 5, depth - 1).tolist(), 4]
    layers: list[Layer] = []
    for below, units in pairwise(sizes):
        A, *B = (rng.integers(0, 3, (units, below)) * rng.integers(0, 2, (units, below)) for _ in range(3))
        aggregation = [MAX, SUM, MaxKSum(2), MaxKSum(3)][rng.integers(4)]
        layers.append(Layer(A, tuple(B), rng.integers(-3, 1, units), aggregation))
    return Network.canonical(signature, layers, int(rng.integers(1, 6)))


def test_nothing_is_claimed_where_a_second_rule_fires_after_the_exchange() -> None:
    assert datasets(PLAIN + "U(X) :- E(X, Y1), A(Y1), B(Y1), E(X, Y2), Y1 != Y2.") is None
