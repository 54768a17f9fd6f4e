"""No random ReLU network tells the two witness datasets apart the right way: 10,000 for each rule, at full length."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import settings

from isolog.correspondence.convexity import inseparable
from isolog.datalog.parser import parse
from isolog.datalog.tree_rules import tree_rules
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Layer, MaxKSum, Network
from support.inseparable import INSEPARABLE
from support.trees import predicted

NETWORKS = 5 * settings.default.max_examples
SIGNATURE = Signature.of(["U", "A", "B", "C"], ["E", "s"])


@pytest.mark.parametrize("text", INSEPARABLE)
def test_no_random_relu_network_derives_on_the_first_dataset_alone(text: str) -> None:
    rules = tree_rules(parse(text))
    found = inseparable(rules[0], rules)
    assert found is not None
    rng = np.random.default_rng(7)
    separated, derived = 0, 0
    for _ in range(NETWORKS):
        network = random_network(rng)
        on_first = found.fact in predicted(network, found.derived)
        derived += on_first
        separated += on_first and found.fact not in predicted(network, found.not_derived)
    assert separated == 0 and derived > NETWORKS // 20


def random_network(rng: np.random.Generator) -> Network:
    """Two to four layers with small nonnegative weights and mostly negative biases."""
    depth = int(rng.integers(2, 5))
    sizes = [4, *rng.integers(2, 5, depth - 1).tolist(), 4]
    layers: list[Layer] = []
    for below, units in pairwise(sizes):
        A, *B = (rng.integers(0, 3, (units, below)) * rng.integers(0, 2, (units, below)) for _ in range(3))
        aggregation = [MAX, SUM, MaxKSum(2), MaxKSum(3)][rng.integers(4)]
        layers.append(Layer(A, tuple(B), rng.integers(-3, 1, units), aggregation))
    return Network.canonical(SIGNATURE, layers, int(rng.integers(1, 6)))
