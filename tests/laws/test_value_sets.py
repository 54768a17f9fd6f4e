"""Value sets: the frontier, the bit masks, Alg. 2 by the letter and Def. 7 by trying everything say the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise

from hypothesis import given
from hypothesis import strategies as st

from isolog.correspondence.values import END, START, End, ValueSets
from isolog.encodings import canonical
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.networks.exact import trace
from isolog.networks.network import Network
from support.def_seven import TooMany, values_up_to
from support.letter import ByTheLetter, TooSlow
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures

FRONTIER, BITSETS = 0, 2**60
STEPS = 10_000
MOST = 200

some_networks = small_signatures.flatmap(lambda signature: networks(signature, activations=ACTIVATIONS))
small_networks = small_signatures.flatmap(lambda signature: networks(signature, 3, 2, activations=ACTIVATIONS))
networks_and_data = some_networks.flatmap(lambda network: st.tuples(st.just(network), datasets(network.signature)))
either_way = st.sampled_from([FRONTIER, BITSETS])


@given(small_networks, either_way)
def test_next_is_alg_2_by_the_letter(network: Network, coarse: int) -> None:
    sets, letter = ValueSets(network, STEPS, coarse), ByTheLetter(network, triples=300)
    for layer, unit in units(network):
        alpha = START
        with suppress(LimitError):
            for answer in islice(answers(letter, layer, unit), 8):
                assert sets.next(layer, unit, alpha) == answer
                alpha = answer


@given(some_networks)
def test_frontier_and_bitsets_agree(network: Network) -> None:
    slow, fast = ValueSets(network, STEPS, FRONTIER), ValueSets(network, 100 * STEPS, BITSETS)
    for layer, unit in units(network):
        with suppress(LimitError):
            assert slow.first(layer, unit, 50) == fast.first(layer, unit, 50)


@given(some_networks, either_way)
def test_values_increase_up_to_the_largest(network: Network, coarse: int) -> None:
    sets = ValueSets(network, STEPS, coarse)
    for layer, unit in units(network):
        with suppress(LimitError):
            values = sets.first(layer, unit, 50)
            assert all(value < above for value, above in pairwise(values))
            largest = sets.largest(layer, unit)
            assert len(values) == 50 or values[-1] == largest
            assert largest is None or values[-1] <= largest


@given(networks_and_data)
def test_every_value_of_a_vertex_is_in_its_set(case: tuple[Network, Dataset]) -> None:
    """An element follows whatever is slightly less."""
    network, dataset = case
    sets = ValueSets(network)
    for layer, labelling in enumerate(trace(network, canonical.encode(dataset, network.signature))):
        step = Fraction(1, sets.grid(layer))
        for unit, value in {(unit, value) for row in labelling for unit, value in enumerate(row, 1)}:
            assert sets.next(layer, unit, value - step) == value


@given(small_networks, either_way, st.integers(2, 8))
def test_value_sets_are_those_of_def_7(network: Network, coarse: int, number: int) -> None:
    """Layer by layer: the values of a layer are those of the definition if the values below are."""
    sets = ValueSets(network, STEPS, coarse)

    def known(layer: int, unit: int, bound: Fraction) -> list[Fraction]:
        return sets.up_to(layer, unit, bound) or sets.first(layer, unit, 1)

    for layer, unit in units(network):
        with suppress(LimitError, TooMany):
            values = sets.first(layer, unit, number)
            below = partial(known, layer - 1)
            found = values_up_to(network.layers[layer - 1], unit - 1, below, values[-1], MOST)
            assert found == set(values)


def units(network: Network) -> Iterator[tuple[int, int]]:
    return ((layer, i) for layer, size in enumerate(network.dimensions) for i in range(1, size + 1) if layer)


def answers(letter: ByTheLetter, layer: int, unit: int) -> Iterator[Fraction | End]:
    """What Next says when asked again and again, as far as it is patient."""
    alpha = START
    with suppress(TooSlow):
        while alpha is not END:
            alpha = letter.next(layer, unit, alpha)
            yield alpha
