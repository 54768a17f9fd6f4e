"""Composed programs derive what the encoded network derives, from every dataset of the user (paper §3.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolog.concepts.flat_rules import Budget
from isolog.correspondence.compose import compose_concepts
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.transformation import predict
from isolog.datalog.parser import parse
from isolog.datalog.printer import print_program
from isolog.encodings.encoding import Encoding
from isolog.engines import reference
from isolog.facts.dataset import Dataset
from isolog.networks.network import Network
from support.encoded import datasets, encoded_networks, encoding_of

ENCODINGS = [
    "canonical+inverses+nominals+domains",
    "pairs",
    "pairs-printed",
    "pairs:2+inverses",
    "pairs+nominals+domains",
    "paths",
    "paths:3+nominals",
    "all-pairs",
]
Check: TypeAlias = Callable[[Network, Encoding, Dataset], None]
COSTLY = ["indigo", "kgnn"]
"""A neighbour can be one in several ways, so a rule with a few neighbours is many rules: fewer and smaller networks."""

fewer = settings(max_examples=max(10, settings.default.max_examples // 6))


def check_layered(network: Network, encoding: Encoding, dataset: Dataset) -> None:
    """The layered program derives what the network derives, and what is printed is that program."""
    program = compose_concepts(concepts_of_network(network, encoding.sorts), encoding).program
    assert reference.run(program, dataset) == predict(network, dataset)
    assert parse(print_program(program)) == program


def check_flat(network: Network, encoding: Encoding, dataset: Dataset) -> None:
    """The flat program derives what the network derives, or less where it is not complete."""
    found = composed_rules(concepts_of_network(network, encoding.sorts), encoding, Budget(max_rules=30, max_atoms=6))
    derived, wanted = reference.run(found.program, dataset), predict(network, dataset)
    assert derived == wanted if found.complete else derived <= wanted


@pytest.mark.parametrize("check", [check_layered, check_flat])
@pytest.mark.parametrize("name", ENCODINGS)
@given(data=st.data())
def test_composed_programs_are_the_network(name: str, check: Check, data: st.DataObject) -> None:
    network = data.draw(encoded_networks(name))
    dataset = data.draw(datasets(network.signature, constants=4, facts=6))
    check(network, encoding_of(name, network.signature), dataset)


@pytest.mark.parametrize("check", [check_layered, check_flat])
@pytest.mark.parametrize("name", COSTLY)
@fewer
@given(data=st.data())
def test_costly_composed_programs_are_the_network(name: str, check: Check, data: st.DataObject) -> None:
    network = data.draw(encoded_networks(name, max_layers=1))
    dataset = data.draw(datasets(network.signature, constants=4, facts=6))
    check(network, encoding_of(name, network.signature), dataset)
