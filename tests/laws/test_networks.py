"""What holds of every network: it is eq. (2), more facts never give fewer conclusions, and names do not matter."""

import math
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from isolog.correspondence.transformation import predict
from isolog.encodings.canonical import encode
from isolog.facts.dataset import Dataset
from isolog.networks import exact
from isolog.networks.network import MAX, SUM, MaxKSum, Mean, Network
from support import eq_two
from support.renaming import renamed
from support.strategies import ACTIVATIONS, AGGREGATIONS, datasets, networks, small_signatures

ANY = (*AGGREGATIONS, Mean())
CONSTANTS = [f"c{n}" for n in range(5)]
Case = tuple[Network, Dataset]


def cases(monotonic: bool = False, facts: int = 8) -> st.SearchStrategy[Case]:
    """A network with one to four layers, and a dataset over its signature."""
    aggregations = AGGREGATIONS if monotonic else ANY
    return small_signatures.flatmap(
        lambda signature: st.tuples(
            networks(signature, 4, 2, aggregations, ACTIVATIONS, monotonic=monotonic),
            datasets(signature, facts=facts),
        )
    )


@given(cases())
def test_a_network_is_eq_2(case: Case) -> None:
    network, dataset = case
    facts = set(dataset)
    assert set(predict(network, dataset)) == eq_two.derived(network, facts)
    traced = exact.trace(network, encode(dataset, network.signature))
    for level, units in enumerate(network.dimensions):
        for (vertex, term), unit in product(enumerate(dataset.terms), range(units)):
            assert traced[level][vertex][unit] == eq_two.value(network, facts, level, term, unit)


@given(st.data())
def test_more_facts_never_fewer_conclusions(data: st.DataObject) -> None:
    network, few = data.draw(cases(monotonic=True))
    more = data.draw(datasets(network.signature))
    assert predict(network, few) <= predict(network, few | more)


@given(cases(facts=12), st.permutations([*CONSTANTS, "x", "y"]))
def test_isomorphic_data_give_isomorphic_results(case: Case, images: list[str]) -> None:
    network, dataset = case
    names = dict(zip(CONSTANTS, images))
    assert predict(network, renamed(dataset, names)) == renamed(predict(network, dataset), names)


def _has_isolated(dataset: Dataset) -> bool:
    linked = {term for fact in dataset if len(fact.arguments) == 2 for term in fact.arguments}
    return not set(dataset.terms) <= linked


def _has_loop(dataset: Dataset) -> bool:
    return any(len(fact.arguments) == 2 and len(set(fact.arguments)) == 1 for fact in dataset)


@pytest.mark.parametrize(
    "occurs",
    [
        *(lambda network, _, depth=depth: len(network.layers) == depth for depth in (1, 2, 3, 4)),
        *(
            lambda network, _, aggregation=aggregation: network.layers[-1].aggregation == aggregation
            for aggregation in (MAX, SUM, MaxKSum(0), MaxKSum(2), Mean())
        ),
        lambda network, _: all(min(layer.exact_bias(), default=math.inf) < 0 for layer in network.layers),
        lambda network, dataset: bool(predict(network, dataset) - dataset) and _has_isolated(dataset),
        lambda network, dataset: bool(predict(network, dataset) - dataset) and _has_loop(dataset),
    ],
)
def test_the_cases_are_not_all_alike(occurs: Callable[[Network, Dataset], bool]) -> None:
    assert find(cases(), lambda case: occurs(*case), settings=settings(max_examples=2000, database=None))
