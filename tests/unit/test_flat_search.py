"""The parts of the search for flat programs: condensing, implication by several, merging, what is left out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import isolog
from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import TRUE, Bodies, Body
from isolog.concepts.cheapest import Cheapest, shortened
from isolog.concepts.dag import Concepts
from isolog.concepts.flat import flat_rules
from isolog.concepts.flat_rules import Budget, FlatRules, Head
from isolog.concepts.occurrences import Occurrences
from isolog.concepts.shorter import shorter
from isolog.concepts.together import implied_together
from isolog.concepts.truths import Truths
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.extract_checks import check_request, derived_outputs
from isolog.correspondence.meanings import meanings
from isolog.datalog.printer import print_rule
from isolog.datalog.tree_rules import to_rule
from isolog.errors import InputError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Neighbourhood, Sort, one_sort
from isolog.networks.fingerprint import network_sha256
from isolog.networks.network import EncodingName, Layer, Network

A, B, C = range(3)
NAMES = (["A", "B", "C"], ["r", "s"])
SORTS = one_sort(3, 2)


@pytest.fixture
def bodies() -> Bodies:
    return Bodies(SORTS)


def some(bodies: Bodies, *neighbours: set[int], colour: int = 0) -> Body:
    """Distinct neighbours with these labels."""
    return bodies.some(colour, [bodies.of(sum(1 << label for label in labels), ()) for labels in neighbours])


def all_of(bodies: Bodies, *parts: Body) -> Body:
    """The conjunction at a vertex of the only sort."""
    whole = TRUE
    for part in parts:
        whole = bodies.both(whole, part, 0)
    return whole


def flat(store: Concepts, node: int, max_atoms: int | None = None, sorts: tuple[Sort, ...] = SORTS) -> FlatRules:
    """The flat program of one concept."""
    return flat_rules(store, [Head("A", node)], sorts, NAMES, Budget(max_atoms))


def printed(found: FlatRules) -> list[str]:
    """The rules as text."""
    return [print_rule(to_rule(rule)) for rule in found.rules]


def test_a_derivation_is_condensed_before_it_is_counted() -> None:
    store = Concepts()
    both = store.both(store.label(A), store.label(B))
    node = store.both(store.at_least(2, 0, store.label(A)), store.at_least(1, 0, both))
    found = flat(store, node)
    assert printed(found) == ["A(X) :- r(X, Y1), A(Y1), r(X, Y2), A(Y2), B(Y2), Y1 != Y2."]
    assert found.complete and found.derivations == 1


def test_several_rules_make_one_superfluous() -> None:
    store = Concepts()
    a, b = store.label(A), store.label(B)
    both_ways = store.both(store.at_least(1, 0, a), store.at_least(1, 0, b))
    apart = store.both(both_ways, store.at_least(2, 0, store.either(a, b)))
    together = store.at_least(1, 0, store.both(a, b))
    whole = store.either(store.either(apart, together), store.both(both_ways, store.label(C)))
    assert printed(flat(store, whole)) == [
        "A(X) :- r(X, Y), A(Y), B(Y).",
        "A(X) :- r(X, Y1), A(Y1), r(X, Y2), B(Y2), Y1 != Y2.",
    ]


def test_an_antichain_knows_what_implies_its_members(bodies: Bodies) -> None:
    kept = Antichain(bodies)
    one, two = some(bodies, {A, B}), some(bodies, {A}, {B})
    assert kept.add(one) and kept.add(two) and not kept.add(one)
    loose = all_of(bodies, some(bodies, {A}), some(bodies, {B}))
    assert not kept.implied_by(loose) and implied_together(kept, loose, 0)
    assert not implied_together(kept, loose, 0, other_than=two)
    assert kept.implied_by(all_of(bodies, two, bodies.label(C)))
    kept.remove(two)
    assert not implied_together(kept, loose, 0) and kept.add(two)


def test_no_tree_in_which_a_body_holds_has_fewer_atoms_than_its_imprint(bodies: Bodies) -> None:
    loose = all_of(bodies, some(bodies, {A}), some(bodies, {B}), some(bodies, {C}))
    assert (bodies.atoms(loose), bodies.least_atoms(loose)) == (6, 4)
    apart = some(bodies, {A}, {B}, {C})
    assert bodies.atoms(apart) == bodies.least_atoms(apart) == 6


def test_bodies_that_are_too_long_are_merged(bodies: Bodies) -> None:
    loose = all_of(bodies, some(bodies, {A}), some(bodies, {B}), some(bodies, {C}))
    assert shorter(bodies, loose, 0, 3) == []
    assert shorter(bodies, loose, 0, 4) == [some(bodies, {A, B, C})]
    five = shorter(bodies, loose, 0, 5)
    assert five is not None and len(five) == 3 and {bodies.atoms(body) for body in five} == {5}


def test_with_a_limit_of_atoms_only_shorter_rules_are_found() -> None:
    store = Concepts()
    parts = [store.at_least(1, 0, store.label(feature)) for feature in (A, B, C)]
    found = flat(store, store.all_of(parts), 4)
    assert printed(found) == ["A(X) :- r(X, Y), A(Y), B(Y), C(Y)."]
    assert (found.complete, found.complete_up_to_atoms) == (False, 4)
    assert flat(store, store.all_of(parts), 6).complete


def test_where_a_colour_is_functional_neighbours_are_one() -> None:
    store = Concepts()
    sorts = (Sort("f", frozenset({A, B, C}), (Neighbourhood(0, 0, 1), None)),)
    node = store.both(store.at_least(1, 0, store.label(A)), store.at_least(1, 0, store.label(B)))
    assert printed(flat(store, node, sorts=sorts)) == ["A(X) :- r(X, Y), A(Y), B(Y)."]


def test_long_chains_need_no_recursion() -> None:
    store, links = Concepts(), 3_000
    sorts, names = one_sort(links, 1), ([f"p{n}" for n in range(links)], ["r"])
    node = store.label(0)
    for place in range(1, links):
        link = store.both(store.at_least(1, 0, store.label(place)), store.label(place))
        node = store.either(store.both(node, store.label(1)), link)
    found = flat_rules(store, [Head("A", node)], sorts, names, Budget(max_atoms=2, max_rules=5))
    assert [print_rule(to_rule(rule)) for rule in found.rules] == ["A(X) :- p0(X), p1(X)."]
    nothing = np.empty((2, 0), int)
    graph = ColouredGraph(np.arange(links)[None, :] < 2, (Adjacency.from_edges(*nothing, 1),))
    bodies = Bodies(sorts)
    assert Cheapest(store, bodies, graph).body(node, 0, 0) == bodies.of(0b11, ())


def test_atoms_that_a_body_does_not_need_are_left_out(bodies: Bodies) -> None:
    store = Concepts()
    node = store.at_least(2, 0, store.label(A))
    truths = Truths(store, bodies)
    assert truths.implies(some(bodies, {A}, {A, B}), node, 0)
    assert not truths.implies(all_of(bodies, some(bodies, {A}), some(bodies, {A, B})), node, 0)
    longer = all_of(bodies, some(bodies, {A, C}, {A, B}, {C}), bodies.label(B))
    assert shortened(truths, node, longer, 0) == some(bodies, {A}, {A})


def test_the_cheapest_neighbours_are_taken() -> None:
    store, bodies = Concepts(), Bodies(SORTS)
    node = store.at_least(2, 0, store.either(store.both(store.label(A), store.label(B)), store.label(C)))
    features = np.array([[False] * 3, [True, True, False], [False, False, True], [True, True, True]])
    edges = np.array([[0, 1], [0, 2], [0, 3]])
    graph = ColouredGraph(
        features, (Adjacency.from_edges(edges[:, 0], edges[:, 1], 4), Adjacency.from_edges(*np.empty((2, 0), int), 4))
    )
    body = Cheapest(store, bodies, graph).body(node, 0, 0)
    assert body == some(bodies, {C}, {C})
    assert Occurrences(bodies, graph).of(body).tolist() == [True, False, False, False]


def test_meanings_name_units_levels_and_what_is_left() -> None:
    layer = Layer.from_fractions([[1, 0]], [[[Fraction(1, 2), 1]]], [Fraction(-1, 2)])
    last = Layer.from_fractions([[1], [0]], [[[1], [1]]], [0, 0])
    network = Network.canonical(Signature.of(["A", "http://ex.org/a b"], ["r"]), [layer, last])
    found = {meaning.name: meaning.text for meaning in meanings(concepts_of_network(network)).values()}
    assert found["unit_1_1_at_least_1"] == "unit 1 of layer 1 is at least 1"
    assert found["unit_2_2_at_least_1"] == "unit 2 of layer 2 (<http://ex.org/a\\u0020b>) is at least 1"
    assert all("\n" not in text for text in found.values())


def test_the_fingerprint_is_of_what_the_network_says() -> None:
    layer = Layer.from_fractions([[1]], [], [0])
    signature = Signature.of(["A"])
    other = Layer.from_fractions([[2]], [], [0])
    networks = [Network.canonical(signature, [each], threshold) for each in (layer, other) for threshold in (1, 2)]
    assert len({network_sha256(network) for network in networks}) == 4


def test_an_encoded_network_speaks_of_canonical_datasets_when_asked() -> None:
    layer = Layer.from_fractions([[1]], [[[1]]], [0])
    network = Network(
        Signature.of([], ["father"]), ("father/2",), ("c1",), (layer,), (Fraction(1),), EncodingName("pairs")
    )
    with pytest.raises(UnsupportedError, match="E452"):
        check_request(network, "cover", has_data=True, has_bracket=False, canonical=True)
    found = isolog.extract(network, canonical=True, predicate=["father/2"])
    assert "on all canonical datasets" in str(found) and found.complete
    with pytest.raises(InputError, match="E453 the network does not derive `father/1`"):
        derived_outputs(network, ["father/1"])
