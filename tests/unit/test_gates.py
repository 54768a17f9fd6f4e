"""Concepts as networks of threshold gates: which layers there are, and which gates are joined."""

import pytest

from isolog.concepts.dag import BOTTOM, TOP, Concepts
from isolog.correspondence.gates import clipped, gate_network
from isolog.errors import LimitError
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU
from isolog.networks.classes import class_report
from isolog.networks.network import MAX, MaxKSum

SIGNATURE = Signature.of(["A", "B", "C"], ["r"])


def test_what_is_always_true_and_never_true() -> None:
    network = gate_network(Concepts(), {"A": TOP, "B": BOTTOM}, SIGNATURE)
    assert network.dimensions == (3, 3)
    assert network.layers[0].b.tolist() == [1, 0, 0] and not network.layers[0].A.any()


def test_a_label_is_carried_to_where_it_is_needed() -> None:
    store = Concepts()
    both = store.both(store.label(0), store.at_least(1, 0, store.label(1)))
    network = gate_network(store, {"A": both, "B": store.label(1)}, SIGNATURE)
    assert network.dimensions == (3, 3, 3)


def test_a_conjunction_of_many_parts_is_one_gate() -> None:
    store = Concepts()
    network = gate_network(store, {"A": store.all_of(map(store.label, range(3)))}, SIGNATURE)
    assert network.dimensions == (3, 3) and network.layers[0].b[0] == -2
    assert network.layers[0].activation == RELU


def test_a_conjunction_that_is_shared_is_a_gate_of_its_own() -> None:
    store = Concepts()
    shared = store.both(store.label(0), store.label(1))
    whole = store.both(shared, store.label(2))
    network = gate_network(store, {"A": whole, "B": store.at_least(2, 0, shared)}, SIGNATURE)
    assert network.dimensions == (3, 2, 3)


def test_layers_count_as_far_as_their_gates_need() -> None:
    store = Concepts()
    either = store.either(store.label(0), store.label(1))
    network = gate_network(store, {"A": store.at_least(3, 0, either), "B": store.at_least(1, 0, either)}, SIGNATURE)
    assert [layer.aggregation for layer in network.layers] == [MAX, MaxKSum(3)]
    assert [layer.activation for layer in network.layers] == [clipped(2), clipped(3)]
    assert class_report(network).is_monotonic_max_sum


def test_networks_too_large_for_memory_are_refused() -> None:
    store, names = Concepts(), [f"A{n}" for n in range(8000)]
    with pytest.raises(LimitError, match="E414"):
        gate_network(store, {"A0": store.label(1)}, Signature.of(names, ["r"]))
