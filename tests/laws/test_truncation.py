"""Capacities: as in Alg. 1 by the letter, never too small, and enough (Thm. 2)."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.correspondence.capacity import capacity
from isolog.correspondence.truncate import truncate
from isolog.facts.dataset import Dataset
from isolog.networks.network import SUM, MaxKSum, Network
from support.letter import ByTheLetter, TooSlow
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures
from support.trees import predicted

STEPS = 30_000
MOSTLY_SUMS = (SUM, SUM, SUM, MaxKSum(2), MaxKSum(0))

some_networks = small_signatures.flatmap(lambda signature: networks(signature, 3, 2, MOSTLY_SUMS, ACTIVATIONS))
networks_and_data = some_networks.flatmap(
    lambda network: st.tuples(st.just(network), datasets(network.signature, constants=6, facts=25))
)


@given(networks_and_data, st.sampled_from([STEPS, 100, 0]))
def test_a_truncated_network_derives_the_same(case: tuple[Network, Dataset], steps: int) -> None:
    network, dataset = case
    truncated = truncate(network, capacity(network, steps))
    assert all(layer.aggregation != SUM for layer in truncated.layers)
    assert predicted(truncated, dataset) == predicted(network, dataset)


@given(some_networks)
def test_capacities_are_those_of_alg_1(network: Network) -> None:
    report = capacity(network, STEPS)
    assume(report.exact)
    try:
        by_the_letter = ByTheLetter(network, triples=1_000).capacities()
    except TooSlow:
        assume(False)
    assert [layer.capacity for layer in report.layers] == by_the_letter


@given(some_networks, st.integers(0, 300))
def test_without_enough_steps_capacities_are_upper_bounds(network: Network, steps: int) -> None:
    report, bounds = capacity(network, STEPS), capacity(network, steps)
    for layer, bounded in zip(report.layers, bounds.layers, strict=True):
        assert bounded.capacity >= layer.capacity
        assert bounded.capacity == layer.capacity or not bounded.exact
