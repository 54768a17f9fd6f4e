"""Truncation (Thm. 2) changes how many neighbours count, and nothing else."""

from isolog.correspondence.capacity import capacity
from isolog.correspondence.truncate import truncate
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.network import MAX, SUM, Layer, MaxKSum, Network
from support.models import meaning
from support.trees import predicted

THREE_OF = Layer.from_fractions([[0]], [[[1]]], [-2], SUM)
NETWORK = Network.canonical(Signature.of(["U"], ["E"]), [THREE_OF, Layer.from_fractions([[1]], [[[0]]], [0])])


def star(neighbours: int) -> Dataset:
    edges = [Atom("E", ("x", f"y{n}")) for n in range(neighbours)]
    return Dataset.from_facts([*edges, *(Atom("U", (f"y{n}",)) for n in range(neighbours))])


def test_sums_become_bounded() -> None:
    truncated = truncate(NETWORK)
    assert [layer.aggregation for layer in truncated.layers] == [MaxKSum(3), MAX]
    for neighbours in range(6):
        assert predicted(truncated, star(neighbours)) == predicted(NETWORK, star(neighbours))


def test_one_neighbour_fewer_is_not_equivalent() -> None:
    fewer = Network.canonical(NETWORK.signature, [two_of_three(), NETWORK.layers[1]])
    assert len(predicted(NETWORK, star(3))) == 1 and not len(predicted(fewer, star(3)))


def two_of_three() -> Layer:
    return Layer.from_fractions([[0]], [[[1]]], [-2], MaxKSum(2))


def test_the_rest_stays() -> None:
    report = capacity(NETWORK, steps=0)
    truncated = truncate(NETWORK, report)
    restored = [layer.aggregation for layer in NETWORK.layers]
    assert [layer.aggregation for layer in truncated.layers] == [MaxKSum(found.capacity) for found in report.layers]
    assert restored == [SUM, MAX]
    assert meaning(truncate(truncated)) == meaning(truncated)
