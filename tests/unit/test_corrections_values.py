"""Alg. 1 and Alg. 2 as printed: where they go wrong, and that the corrected ones do not."""

from dataclasses import replace
from fractions import Fraction
from math import ceil

from isolog.correspondence.capacity import capacity
from isolog.correspondence.truncate import truncate
from isolog.correspondence.values import END, ValueSets
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.network import SUM, Layer, MaxKSum, Network
from support.letter import ByTheLetter, Vector
from support.trees import predicted


class AsPrinted(ByTheLetter):
    """Line 8 of Alg. 1 and lines 16-18 of Alg. 2 as printed."""

    def enough(self, distance: Fraction, step: Fraction) -> int:
        return ceil(distance / step)

    def additions(self, layer: int) -> set[Vector]:
        start = self.start(layer)
        return {start} if any(start) else self.expand(layer, start)


SIGNATURE = Signature.of(["U"], ["E"])
CONSTANT_AND_COPY = Layer.from_fractions([[0], [1]], [[[0], [0]]], [1, 0])
SUM_OF_COPIES = Layer.from_fractions([[0, 0]], [[[0, 1]]], [0], SUM)
COPY = Layer.from_fractions([[1]], [[[0]]], [0])
BESIDE_A_CONSTANT = Network.canonical(SIGNATURE, [CONSTANT_AND_COPY, SUM_OF_COPIES, COPY])
ALWAYS_ENOUGH = Network.canonical(SIGNATURE, [Layer.from_fractions([[0]], [[[1]]], [3], SUM)])


def test_a_new_neighbour_may_be_any_vector() -> None:
    """Start(2) is (1, 0). As printed, a new neighbour can only be (1, 0), which unit 1 of layer 2 does not see."""
    assert AsPrinted(BESIDE_A_CONSTANT).next(2, 1, Fraction(0)) is END
    assert ByTheLetter(BESIDE_A_CONSTANT).next(2, 1, Fraction(0)) == 1
    for coarse in (0, 2**20):
        assert ValueSets(BESIDE_A_CONSTANT, coarse=coarse).first(2, 1, 5) == [0, 1, 2, 3, 4]


def test_the_missed_values_cost_a_derived_fact() -> None:
    dataset = Dataset.from_facts([Atom("E", ("a", "b")), Atom("U", ("b",))])
    printed = AsPrinted(BESIDE_A_CONSTANT).capacities()
    report = capacity(BESIDE_A_CONSTANT)
    assert printed == [0, 0, 0]
    assert [layer.capacity for layer in report.layers] == [1, 1, 1]

    by_network = predicted(BESIDE_A_CONSTANT, dataset)
    assert set(by_network) == {Atom("U", ("a",))}
    assert predicted(truncate(BESIDE_A_CONSTANT, report), dataset) == by_network
    assert not len(predicted(truncated_to(BESIDE_A_CONSTANT, printed), dataset))


def test_a_capacity_is_not_negative() -> None:
    assert AsPrinted(ALWAYS_ENOUGH).capacities() == [-2]
    assert capacity(ALWAYS_ENOUGH).capacity == 0


def truncated_to(network: Network, bounds: list[int]) -> Network:
    layers = [replace(layer, aggregation=MaxKSum(k)) for layer, k in zip(network.layers, bounds)]
    return replace(network, layers=tuple(layers))
