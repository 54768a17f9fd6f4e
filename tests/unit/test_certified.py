"""The running error bound: it holds where errors really accumulate, and it is small enough to be of use."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.networks import exact
from isolog.networks.activation import RELU, Activation, piecewise_linear
from isolog.networks.apply import application
from isolog.networks.certified import Approximation, propagate, unlabelled
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Mean, Network
from isolog.networks.prepared import prepare


def approximations(network: Network, graph: ColouredGraph) -> list[Approximation]:
    """The labellings in float64, layer by layer."""
    found = [unlabelled(graph)]
    for layer in prepare(network).layers:
        found.append(propagate(layer, graph, found[-1]))
    return found[1:]


def errors(network: Network, graph: ColouredGraph) -> list[list[Fraction]]:
    """How far each value of the last layer is from the exact one; no denominator of the network may be odd."""
    exactly = exact.trace(network, graph)[-1]
    computed = approximations(network, graph)[-1].values
    return [[abs(Fraction(a) - b) for a, b in zip(*rows, strict=True)] for rows in zip(computed, exactly, strict=True)]


def star(leaves: int) -> ColouredGraph:
    """A vertex without the one feature, and its neighbours, which have it."""
    features = np.array([[False]] + [[True]] * leaves)
    sources, targets = np.zeros(leaves, np.int64), np.arange(1, leaves + 1)
    return ColouredGraph(features, (Adjacency.from_edges(sources, targets, leaves + 1),))


def one_unit(weight: float, neighbours: float, aggregation: Aggregation = SUM, activation: Activation = RELU) -> Layer:
    """A layer from one feature to one."""
    return Layer(np.array([[weight]]), (np.array([[neighbours]]),), np.zeros(1), aggregation, activation)


def over(*layers: Layer) -> Network:
    """The network of these layers over one feature and one colour."""
    return Network.canonical(Signature.of(["A"], ["r"]), layers)


@pytest.mark.parametrize("aggregation", [SUM, MaxKSum(3999), Mean()], ids=str)
def test_adding_up_many_neighbours(aggregation: Aggregation) -> None:
    network = over(one_unit(0.1, 0.0), one_unit(0.0, 1.0, aggregation))
    [(error, *_), *_], bound = errors(network, star(4000)), approximations(network, star(4000))[-1].bound
    assert 0 < error <= Fraction(bound[0, 0]) < Fraction(1, 10**6)


def test_adding_up_many_features() -> None:
    width = 3000
    first = Layer(np.full((width, width), 0.0), (), np.full(width, 0.1))
    last = Layer(np.vstack([np.ones(width), np.zeros((width - 1, width))]), (), np.zeros(width))
    network = Network.canonical(Signature.of([f"U{i}" for i in range(width)]), [first, last])
    found = approximations(network, ColouredGraph(np.zeros((1, width), bool), ()))[-1]
    error = abs(Fraction(found.values[0, 0]) - width * Fraction(0.1))
    assert 0 < error <= Fraction(found.bound[0, 0]) < Fraction(1, 10**6)


@pytest.mark.parametrize("activation", [RELU, piecewise_linear([(0, 0)], 2**40)], ids=["relu", "steep"])
@pytest.mark.parametrize("weight", [1.0, 2.0**20])
def test_errors_from_below_are_magnified(weight: float, activation: Activation) -> None:
    many = one_unit(0.1, 0.0), one_unit(0.0, 1.0)
    before = errors(over(*many), star(4000))[0][0]
    network = over(*many, one_unit(weight, 0.0, MAX, activation))
    error, bound = errors(network, star(4000))[0][0], approximations(network, star(4000))[-1].bound[0, 0]
    factor = Fraction(weight) * activation.slope
    assert 0 < before * factor / 2 < error <= Fraction(bound) < factor / 10**6


def test_an_activation_rounds_by_itself() -> None:
    far = piecewise_linear([(0, 2**53), (1, 2**53 + 3)], 3)
    network = over(one_unit(0.75, 0.5, activation=far))
    found = approximations(network, star(1))[-1]
    assert errors(network, star(1)) == [[0.5], [0.25]]
    assert (found.bound > [[0.5], [0.25]]).all()


def test_underflow_is_within_the_bound() -> None:
    network = over(one_unit(1.5 * 2.0**-1000, 3.0), one_unit(2.0**-75, 5e-324))
    found = approximations(network, star(2))[-1]
    for error, bound in zip(errors(network, star(2)), found.bound, strict=True):
        assert error[0] <= Fraction(bound[0])
    assert errors(network, star(2))[1][0] > 0


def test_overflow_has_no_finite_bound() -> None:
    with np.errstate(all="ignore"):
        found = approximations(over(one_unit(1e300, 0.0), one_unit(1e300, 0.0)), star(2))[-1]
    assert not (found.bound < math.inf).any()


def random_network(aggregation: Aggregation, width: int = 12) -> Network:
    """Two layers of normally distributed weights in two colours."""
    chance = np.random.default_rng(0)

    def normal(*shape: int) -> NDArray[np.float64]:
        return chance.standard_normal(shape)

    layers = [Layer(normal(width, width), tuple(normal(2, width, width)), normal(width), aggregation) for _ in range(2)]
    return Network.canonical(Signature.of([f"U{i}" for i in range(width)], ["r", "s"]), layers)


@pytest.mark.parametrize("aggregation", [MAX, SUM, MaxKSum(2), Mean()], ids=str)
def test_few_labels_are_in_doubt(aggregation: Aggregation) -> None:
    chance, vertices = np.random.default_rng(1), 2000
    edges = np.arange(vertices), *chance.integers(0, vertices**2, (2, 5000))  # the first vertex is a hub
    codes = [np.union1d(edges[0], others) for others in edges[1:]]
    colours = tuple(Adjacency.from_edges(code // vertices, code % vertices, vertices) for code in codes)
    found = application(random_network(aggregation), ColouredGraph(chance.random((vertices, 12)) < 0.3, colours))
    assert found.rounded and found.recomputed == 0
