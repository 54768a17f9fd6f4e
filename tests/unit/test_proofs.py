"""Proofs are checked step by step: whichever part of one is changed, it is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from isolog.correspondence.explain import explain
from isolog.correspondence.proofs import Proof, Step, recheck
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.network import Layer, MaxKSum, Network


def three_neighbours() -> Proof:
    """A(a) is derived, which takes A at two neighbours of a, and the third one does not count: at most two add up."""
    layer = Layer.from_fractions([[1, 0], [0, 0]], [[[2, 1], [0, 0]]], [-1, 0], MaxKSum(2))
    network = Network.canonical(Signature.of(["A", "B"], ["r"]), [layer], [Fraction(4), Fraction(1)])
    facts = [Atom("r", ("a", "b")), Atom("r", ("a", "c")), Atom("A", ("b",)), Atom("A", ("c",)), Atom("A", ("a",))]
    found = explain(network, Dataset.from_facts(facts), "A(a)")
    assert found is not None and len(found.facts) == 5 and recheck(found.proof)
    return found.proof


def with_root(proof: Proof, **changes: object) -> Proof:
    return replace(proof, root=replace(proof.root, **changes))


def with_use(proof: Proof, place: int, **changes: object) -> Proof:
    """The proof in which the use is another one, and the sum is made to fit."""
    uses = [replace(use, **changes) if number == place else use for number, use in enumerate(proof.root.uses)]
    return with_root(proof, uses=tuple(uses), value=total(proof.root, uses))


def total(step: Step, uses: list) -> Fraction:
    return step.bias + sum((use.weight * use.step.value for use in uses), Fraction(0))


def neighbour(proof: Proof) -> int:
    return next(place for place, use in enumerate(proof.root.uses) if use.way == "r")


def _twice(proof: Proof) -> Proof:
    one, other = (place for place, use in enumerate(proof.root.uses) if use.way == "r")
    return with_use(proof, other, step=proof.root.uses[one].step)


def _no_edge(proof: Proof) -> Proof:
    place = neighbour(proof)
    return with_use(proof, place, step=replace(proof.root.uses[place].step, vertex=proof.root.vertex))


def _no_fact(proof: Proof) -> Proof:
    place = neighbour(proof)
    return with_use(proof, place, step=replace(proof.root.uses[place].step, value=Fraction(5)))


def _own_value_of_another_vertex(proof: Proof) -> Proof:
    (place,) = (number for number, use in enumerate(proof.root.uses) if use.way is None)
    other = proof.root.uses[neighbour(proof)].step
    return with_use(proof, place, step=other)


WRONG: dict[str, Callable[[Proof], Proof]] = {
    "a sum that is another": lambda proof: with_root(proof, value=proof.root.value + 1),
    "less than is needed": lambda proof: replace(proof, needed=proof.root.value + 1),
    "a weight that is another": lambda proof: with_use(proof, neighbour(proof), weight=Fraction(3)),
    "a weight of one's own": lambda proof: with_use(proof, 0, weight=Fraction(3)),
    "a neighbour that counts twice": _twice,
    "no edge": _no_edge,
    "no fact": _no_fact,
    "the value of another vertex as one's own": _own_value_of_another_vertex,
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_noticed(what: str) -> None:
    assert not recheck(WRONG[what](three_neighbours()))


def test_no_more_neighbours_count_than_the_layer_adds_up() -> None:
    proof = three_neighbours()
    (layer,) = proof.around.network.layers
    smaller = replace(proof.around.network, layers=(replace(layer, aggregation=MaxKSum(1)),))
    assert not recheck(replace(proof, around=replace(proof.around, network=smaller)))


def test_a_bias_that_is_another_is_noticed() -> None:
    proof = three_neighbours()
    assert not recheck(with_root(proof, bias=proof.root.bias + 1, value=proof.root.value + 1))
