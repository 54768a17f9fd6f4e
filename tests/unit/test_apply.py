"""Applying networks fast: what is computed without rounding, what is left in doubt, and where doubt is settled."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks import certified, exact
from isolog.networks.activation import RELU, Activation, piecewise_linear
from isolog.networks.apply import application, labels
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Mean, Network
from isolog.networks.prepared import prepare

ONE = ColouredGraph(np.array([[True]]), ())


def graph(features: list[list[int]], *colours: list[tuple[int, int]]) -> ColouredGraph:
    """The graph with these features, a row per vertex, and these edges, a list per colour."""
    ends = [np.array(edges, np.int64).reshape(-1, 2) for edges in colours]
    return ColouredGraph(
        np.array(features, bool), tuple(Adjacency.from_edges(e[:, 0], e[:, 1], len(features)) for e in ends)
    )


def chain(weight: Fraction | int, layers: int, threshold: Fraction | int) -> Network:
    """The network whose one output is the power of the weight where its one feature holds."""
    layer = Layer.from_fractions([[weight]], [], [0])
    return Network.canonical(Signature.of(["A"]), [layer] * layers, threshold)


def counting(weight: Fraction | int, threshold: Fraction | int, aggregation: Aggregation = SUM) -> Network:
    """The network that weighs the neighbours of an edge colour together."""
    layer = Layer.from_fractions([[0]], [[[weight]]], [0], aggregation)
    return Network.canonical(Signature.of(["A"], ["r"]), [layer], threshold)


@pytest.mark.parametrize(
    ("weight", "layers", "rounded"),
    [
        (2**26 + 1, 2, False),
        (Fraction(2**26 + 1, 2**30), 2, False),
        (Fraction(2**20 + 1, 3**4), 2, False),
        (2**27 + 1, 2, True),
        (2**31 + 1, 2, True),
        (2**52 - 1, 1, False),
        (2**53 + 1, 1, True),
        (2**62 + 1, 1, True),
        (2**63 - 1, 1, True),
        (2**63 + 1, 1, True),
        (2**200 + 1, 1, True),
        (2**200 + 1, 6, True),
        (Fraction(2**1100 + 1, 2**1100), 2, True),
        (Fraction(10**400 + 1, 3**1000), 2, True),
    ],
)
def test_no_rounding_while_numbers_are_small_and_no_wrong_answer_beyond(
    weight: Fraction | int, layers: int, rounded: bool
) -> None:
    value = Fraction(weight) ** layers
    least_step = Fraction(1, Fraction(weight).denominator ** layers)
    for threshold, reached in ((value, True), (value + least_step, False), (value - least_step, True)):
        found = application(chain(weight, layers, threshold), ONE)
        assert found.labels.tolist() == [[reached]]
        assert found.rounded == rounded
        assert found.recomputed == rounded


def test_only_vertices_with_large_sums_are_in_doubt() -> None:
    two, hub = [(0, 2), (0, 3)], [(1, n) for n in range(2, 9)]
    found = application(counting(2**51 + 1, 2 * (2**51 + 1)), graph([[1]] * 9, [*two, *hub]))
    assert found.labels[:, 0].tolist() == [True, True] + [False] * 7
    assert found.rounded and found.recomputed == 0
    found = application(counting(2**51 + 1, 7 * (2**51 + 1)), graph([[1]] * 9, [*two, *hub]))
    assert found.labels[:, 0].tolist() == [False, True] + [False] * 7
    assert found.recomputed == 1


def test_doubt_spreads_to_those_who_read_it() -> None:
    large = Layer.from_fractions([[2**60 + 1]], [[[0]]], [0])
    read = Layer.from_fractions([[0]], [[[1]]], [0], MAX)
    network = Network.canonical(Signature.of(["A"], ["r"]), [large, read], 2**60 + 1)
    found = application(network, graph([[1], [0], [0]], [(1, 0), (2, 1)]))
    assert found.labels[:, 0].tolist() == [False, True, False]
    assert found.recomputed == 1


def test_float_layers_on_a_coarse_grid_do_not_round() -> None:
    layer = Layer(np.array([[0.75]]), (), np.array([-0.5]))
    found = application(Network.canonical(Signature.of(["A"]), [layer], Fraction(1, 4)), ONE)
    assert found.labels.all() and not found.rounded


def test_a_float_is_the_number_it_holds() -> None:
    layer = Layer(np.array([[1 / 3]]), (), np.array([0.0]))
    exactly, third = Fraction(1 / 3), Fraction(1, 3)
    assert exactly < third
    assert labels(Network.canonical(Signature.of(["A"]), [layer], exactly), ONE).all()
    assert not labels(Network.canonical(Signature.of(["A"]), [layer], third), ONE).any()


def test_float_and_rational_layers_together() -> None:
    floats = Layer(np.array([[0.1]]), (), np.array([2.0**-140]))
    rational = Layer.from_fractions([[Fraction(1, 3)]], [], [0])
    value = (Fraction(0.1) + Fraction(2.0**-140)) / 3
    for layers in ([floats, rational], [rational, floats]):
        network = Network.canonical(Signature.of(["A"]), layers)
        value = exact.trace(network, ONE)[-1][0][0]
        for threshold, reached in ((value, True), (value + Fraction(1, 2**300), False)):
            assert labels(replace(network, thresholds=(threshold,)), ONE).all() == reached


@pytest.mark.parametrize("threshold", [Fraction(10**400), -Fraction(10**400), Fraction(1, 10**400), Fraction(0)])
@pytest.mark.parametrize("weight", [1.0, 0.1, -0.1, 1.7e308, 5e-324])
def test_thresholds_and_weights_at_the_ends_of_the_range(threshold: Fraction, weight: float) -> None:
    layer = Layer(np.array([[weight]]), (np.array([[weight]]),), np.array([weight]), SUM)
    network = Network.canonical(Signature.of(["A"], ["r"]), [layer, layer], threshold)
    circle = graph([[1], [1], [0]], [(0, 1), (1, 0), (2, 0), (2, 1)])
    assert (labels(network, circle) == exact.apply(network, circle)).all()


@pytest.mark.parametrize(
    "activation",
    [
        piecewise_linear([(-1, 2), (0, -1), (Fraction(1, 3), 1)], Fraction(-1, 2)),
        piecewise_linear([(0, 0), (1, 1), (2, 0)], 0),
        piecewise_linear([(Fraction(1, 3), Fraction(1, 7)), (1, 1)], 10**20),
        piecewise_linear([(10**30, 1), (10**40, 2)], Fraction(1, 10**320)),
        piecewise_linear([(-(10**400), -(10**400)), (10**400, 10**400)], 1),
    ],
    ids=["up and down", "peak", "steep", "far", "out of range"],
)
@pytest.mark.parametrize("weight", [1.0, 0.1, Fraction(1, 3)])
def test_activations(activation: Activation, weight: float | Fraction) -> None:
    row, bias = [[Fraction(weight)], [-Fraction(weight)]], [Fraction(0), Fraction(2)]
    first = Layer.from_fractions(row, [row], bias, SUM, activation)
    last = Layer.from_fractions([[1, 1]], [[[1, -1]]], [0], MaxKSum(2), activation)
    network = Network.canonical(Signature.of(["A"], ["r"]), [first, last])
    circle = graph([[1], [1], [0]], [(0, 1), (1, 0), (2, 0), (2, 1)])
    for row_of_values in exact.trace(network, circle)[-1]:
        tight = replace(network, thresholds=(row_of_values[0],))
        assert (labels(tight, circle) == exact.apply(tight, circle)).all()


def test_the_mean_of_three_is_exact() -> None:
    star = graph([[0], [1], [0], [0]], [(0, 1), (0, 2), (0, 3)])
    assert labels(counting(3, 1, Mean()), star)[:, 0].tolist() == [True, False, False, False]
    assert not labels(counting(3, 1 + Fraction(1, 10**30), Mean()), star).any()


def test_negative_values_and_an_empty_multiset() -> None:
    below_zero = piecewise_linear([(-9, -9)], 1)
    first = Layer.from_fractions([[1]], [[[0]]], [-2], MAX, below_zero)
    last = Layer.from_fractions([[0]], [[[1]]], [0], MAX, below_zero)
    network = Network.canonical(Signature.of(["A"], ["r"]), [first, last], 0)
    assert labels(network, graph([[1], [1]], [(0, 1)]))[:, 0].tolist() == [False, True]


def test_no_vertices_no_colours_and_no_features() -> None:
    assert labels(chain(1, 2, 1), ColouredGraph(np.zeros((0, 1), bool), ())).shape == (0, 1)
    nothing = Layer(np.zeros((0, 0), np.int64), (np.zeros((0, 0), np.int64),), np.zeros(0, np.int64))
    assert labels(Network.canonical(Signature.of([], ["r"]), [nothing]), graph([[], []], [(0, 1)])).shape == (2, 0)


def test_a_graph_with_other_colours_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        labels(counting(1, 1), ONE)


@pytest.mark.parametrize("aggregation", [MAX, SUM, MaxKSum(2), Mean()], ids=str)
@pytest.mark.parametrize("block", [1, 100, 2**21])
def test_blocks_do_not_matter(aggregation: Aggregation, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(0)
    pairs = np.unique(chance.integers(0, 30 * 30, 90))
    colour = [(int(code) // 30, int(code) % 30) for code in pairs] + [(7, n) for n in range(30) if 210 + n not in pairs]
    dense = graph(chance.integers(0, 2, (30, 4)).tolist(), colour, colour[::2])
    layers = [
        Layer(
            chance.normal(size=(units, below)), tuple(chance.normal(size=(2, units, below))), chance.normal(size=units)
        )
        for below, units in ((4, 5), (5, 4))
    ]
    network = Network.canonical(
        Signature.of([f"U{i}" for i in range(4)], ["r", "s"]),
        [replace(layer, aggregation=aggregation) for layer in layers],
    )
    monkeypatch.setattr(certified, "_BLOCK", block)
    assert (labels(network, dense) == exact.apply(network, dense)).all()


def test_a_prepared_network_serves_many_graphs() -> None:
    prepared = prepare(counting(Fraction(1, 3), 1))
    for neighbours in (2, 3, 4):
        star = graph([[1]] * 5, [(0, n + 1) for n in range(neighbours)])
        assert labels(prepared, star)[0, 0] == (neighbours >= 3)


def test_overflow_is_decided_exactly() -> None:
    plus, minus = (
        Layer(np.array([[1e300], [1e300]]), (), np.zeros(2)),
        Layer(np.array([[1e300, -1e300]]), (), np.ones(1)),
    )
    found = application(Network.canonical(Signature.of(["A"]), [plus, minus], 1), ONE)
    assert found.labels.all() and found.recomputed == 1


def test_scipy_waits_until_it_is_needed() -> None:
    program = "import sys, isolog.networks.apply; print('scipy' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_the_default_activation_is_relu_and_needs_no_pieces() -> None:
    layer = prepare(chain(1, 1, 1)).layers[0]
    assert layer.activate(np.array([-1.0, 0.0, 2.5])).tolist() == [float(RELU(Fraction(z))) for z in (-1, 0, 2.5)]
