"""The direct search: budgets, bounds, and a dense network that somebody else trained."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from isolog.concepts.dag import Concepts
from isolog.concepts.evaluate import evaluate
from isolog.concepts.flat_rules import Budget
from isolog.concepts.from_rules import concept_of_tree
from isolog.correspondence import fillings, sorted_bodies
from isolog.correspondence.choose import rules_of_network
from isolog.correspondence.direct import Output, direct_rules, most_atoms
from isolog.correspondence.reach import Reach
from isolog.correspondence.shape_values import steepest_secant
from isolog.datalog.printer import print_rule
from isolog.datalog.tree_implication import maps_into
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TOP, group, tree_formula
from isolog.facts.signature import Signature
from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.graphs.sorts import Neighbourhood, Sort, one_sort
from isolog.networks.apply import labels
from isolog.networks.foreign import read_foreign
from isolog.networks.network import MAX, SUM, Layer, MaxKSum, Network
from isolog.networks.prepared import prepare
from support.pairs import encode_pairs, pair_sorts, read_triples
from support.strategies import BENT, CLIPPED

ONE_COLOUR = Signature.of(["A", "B"], ["r"])


def any_two_of(count: int) -> Network:
    """The first output needs two of so many labels at the vertex."""
    names = [f"L{n}" for n in range(count)]
    rows = [[int(i == 0)] * count for i in range(count)]
    bias = [0] + [-1] * (count - 1)
    return Network.canonical(Signature.of(names), [Layer.from_fractions(rows, [], bias)], Fraction(2))


def counting(*weights: int, threshold: int = 2) -> Network:
    """A holds where the sum over the neighbours, of these weights and the labels there, reaches the threshold."""
    layer = Layer.from_fractions([[0, 0], [0, 0]], [[list(weights), [0, 0]]], [0, -1], SUM)
    return Network.canonical(ONE_COLOUR, [layer], Fraction(threshold))


def written(found: tuple[object, ...]) -> list[str]:
    return [print_rule(to_rule(rule, counts=False)) for rule in found]  # pyright: ignore[reportArgumentType]


def test_siblings_must_differ_where_they_are_counted() -> None:
    found = direct_rules(counting(1, 2), budget=Budget(max_atoms=5))
    assert written(found.rules) == [
        "A(X) :- r(X, Y), B(Y).",
        "A(X) :- r(X, Y1), A(Y1), r(X, Y2), A(Y2), Y1 != Y2.",
    ]
    assert not found.complete and found.complete_up_to_atoms == 5


def test_siblings_that_may_coincide_are_decided_exactly() -> None:
    """A(Y1), B(Y2): the sum is 2 whether they are one or two."""
    found = direct_rules(counting(1, 1), budget=Budget(max_atoms=4))
    assert "A(X) :- r(X, Y1), A(Y1), r(X, Y2), B(Y2)." in written(found.rules)


def test_all_rules_are_complete() -> None:
    found = direct_rules(any_two_of(5))
    assert found.complete and found.complete_up_to_atoms is None and found.derivations is None
    assert Counter(rule.body.atoms for rule in found.rules) == {2: 10}


def test_the_number_of_rules_ends_the_search_at_the_last_whole_size() -> None:
    found = direct_rules(any_two_of(5), budget=Budget(max_rules=7))
    assert len(found.rules) == 7 and not found.complete and found.complete_up_to_atoms == 1
    assert set(found.rules) <= set(direct_rules(any_two_of(5)).rules)


def test_the_seconds_end_the_search_at_the_last_whole_size(monkeypatch: pytest.MonkeyPatch) -> None:
    assert direct_rules(any_two_of(5), budget=Budget(seconds=0)).complete_up_to_atoms is None
    now = iter(range(10**6))
    monkeypatch.setattr("isolog.concepts.flat_rules.time.monotonic", lambda: next(now))
    whole, sizes = direct_rules(any_two_of(5)), set[int | None]()
    for seconds in range(0, 60, 2):
        found = direct_rules(any_two_of(5), budget=Budget(seconds=seconds))
        assert set(found.rules) <= set(whole.rules)
        sizes.add(found.complete_up_to_atoms)
        if found.complete or (found.complete_up_to_atoms or 0) >= 2:
            assert found.rules == whole.rules
    assert {None, 0, 1} <= sizes


def test_what_cannot_be_decided_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of A(Y1), A(Y2), B(Y3) some siblings may be one, and no way to merge them may be tried."""
    assert direct_rules(counting(1, 1, threshold=3), budget=Budget(max_atoms=6)).complete_up_to_atoms == 6
    monkeypatch.setattr(sorted_bodies, "LIMIT", 0)
    assert direct_rules(counting(1, 1, threshold=3), budget=Budget(max_atoms=6)).complete_up_to_atoms == 5


@pytest.mark.parametrize("chunk", [1, 3])
def test_the_size_of_the_batches_changes_nothing(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    network = counting(1, 1)
    expected = direct_rules(network, budget=Budget(max_atoms=5))
    monkeypatch.setattr(fillings, "_CHUNK", chunk)
    assert direct_rules(network, budget=Budget(max_atoms=5)).rules == expected.rules


def test_weights_beyond_float64_are_no_obstacle() -> None:
    """One part in 10^40 decides."""
    tiny = Fraction(1, 10**40)
    rows = [[1 - tiny, tiny, tiny], [0, 0, 0], [0, 0, 0]]
    layer = Layer.from_fractions(rows, [], [0, -1, -1])
    found = direct_rules(Network.canonical(Signature.of(["A", "B", "C"]), [layer]))
    assert written(found.rules) == ["A(X) :- A(X), B(X).", "A(X) :- A(X), C(X)."] and found.complete


def test_overflow_is_no_obstacle() -> None:
    huge = Fraction(10**200)
    layers = [
        Layer.from_fractions([[huge, 0], [0, huge]], [], [0, 0]),
        Layer.from_fractions([[huge, huge]] * 2, [], [0, 0]),
    ]
    found = direct_rules(Network.canonical(Signature.of(["A", "B"]), layers, huge * huge * 2), heads=[Output(0)])
    assert written(found.rules) == ["A(X) :- A(X), B(X)."]


def test_what_sorts_promise_is_no_atom() -> None:
    """Every vertex has one s-neighbour, whose layer-1 value is 1: a bare r-neighbour is mentioned, an s-one is not."""
    first = Layer.from_fractions([[0, 0], [0, 0]], [[[0, 0]] * 2] * 2, [1, 0])
    second = Layer.from_fractions([[0, 0], [0, 0]], [[[1, 0], [0, 0]], [[1, 0], [0, 0]]], [0, -1])
    network = Network.canonical(Signature.of(["A", "B"], ["r", "s"]), [first, second], Fraction(2))
    sort = Sort("v", frozenset({0, 1}), (Neighbourhood(0), Neighbourhood(0, 1, 1)))
    assert written(direct_rules(network, (sort,), budget=Budget(max_atoms=3)).rules) == ["A(X) :- r(X, Y)."]


@pytest.mark.parametrize(("aggregation", "most"), [(MAX, 6), (MaxKSum(2), 10), (MaxKSum(0), 2), (SUM, math.inf)])
def test_the_largest_rule_that_can_be_needed(aggregation: MaxKSum, most: float) -> None:
    layer = Layer.from_fractions([[1, 1], [0, 0]], [[[1, 1], [0, 0]]], [0, 0], aggregation)
    network = Network.canonical(ONE_COLOUR, [layer])
    bodies = {MAX: 2 + 2 * 3, MaxKSum(2): 2 + 4 * 3}.get(aggregation, most)
    assert most_atoms(network, Reach(network, 0), one_sort(2, 1), 0) == bodies
    functional = (Sort("v", frozenset({0}), (Neighbourhood(0, 0, 1),)),)
    assert most_atoms(network, Reach(network, 0), functional, 0) == (1 if aggregation == MaxKSum(0) else 3)


@pytest.mark.parametrize("activation", [CLIPPED, BENT])
def test_no_secant_within_reach_is_steeper(activation: object) -> None:
    layer = Layer.from_fractions([[1]], [], [0], MAX, activation)  # pyright: ignore[reportArgumentType]
    prepared = prepare(Network.canonical(Signature.of(["A"]), [layer])).layers[0]
    points = np.linspace(-2, 6, 33)
    for start, end in combinations(points, 2):
        within = points[(points > start) & (points <= end)]
        value = prepared.activate(np.array([start]))
        slopes = (prepared.activate(within) - value) / (within - start)
        assert np.isclose(steepest_secant(prepared, np.array([start]), np.array([end])), slopes.max())


def test_too_many_concepts_are_searched_directly() -> None:
    network = any_two_of(6)
    by_concepts, directly = rules_of_network(network), rules_of_network(network, most_nodes=3)
    assert by_concepts.rules.rules == directly.rules.rules
    assert by_concepts.concept_nodes and by_concepts.limit is None
    assert directly.concept_nodes is None and directly.limit is not None


@pytest.fixture(scope="module")
def dense(data: Path) -> Network:
    return read_foreign(data / "peer-models/fb237v1_maxmax_without_dummies.json", probability=Fraction(1, 10))


@pytest.mark.data
def test_a_dense_network_is_searched_without_rounding(data: Path, dense: Network) -> None:
    sorts, size = pair_sorts(len(dense.features)), len(dense.features)
    found = direct_rules(dense, sorts, [Output(i, 1) for i in range(size)], Budget(max_atoms=3))
    assert found.complete_up_to_atoms == 3
    vertices, graph, _ = encode_pairs(read_triples(data / "grail/fb237v1/test_graph.tsv.gz"), dense.features)
    pairs = [vertex for name, vertex in vertices.items() if len(name) == 2]
    derived = labels(dense, graph)
    assert derived[pairs].sum() == 545
    features = {name: i for i, name in enumerate(dense.features)}
    colours = {name: i for i, name in enumerate(dense.colours)}
    concepts = Concepts()
    fired = np.zeros_like(derived)
    for rule in found.rules:
        node = concept_of_tree(concepts, rule.body, features, colours)
        fired[:, features[rule.head]] |= evaluate(concepts, [node], graph)[node]
    assert fired[pairs].any() and not (fired & ~derived)[pairs].any()


@pytest.mark.data
def test_on_a_dense_network_it_finds_all_rules_of_two_atoms(dense: Network) -> None:
    """Every pair of labels at a pair vertex, and every label at the reversed pair, evaluated one by one."""
    size = len(dense.features)
    sorts, names = pair_sorts(size), dense.features
    found = direct_rules(dense, sorts, [Output(i, 1) for i in range(size)], Budget(max_atoms=2))
    two = [(tree_formula([names[i], names[j]]), (i, j), ()) for i, j in combinations(range(size), 2)]
    turned = [(tree_formula([], [group("c3", tree_formula([names[i]]))]), (), (i,)) for i in range(size)]
    bodies = [(TOP, (), ()), *((tree_formula([names[i]]), (i,), ()) for i in range(size)), *two, *turned]
    features = np.zeros((4 * len(bodies), size), bool)
    for place, (_, here, there) in enumerate(bodies):
        features[4 * place, list(here)] = features[4 * place + 1, list(there)] = True
    roots = 4 * np.arange(len(bodies))
    # Vertex 0 of each four is the pair, 1 the reversed pair, 2 and 3 are the constants, which lead nowhere.
    ends = [[(0, 2), (1, 3)], [(0, 3), (1, 2)], [(0, 1)], []]
    adjacencies = [
        Adjacency.from_edges(*(np.array([roots + e[n] for e in edges], int).ravel() for n in (0, 1)), 4 * len(roots))
        for edges in ends
    ]
    captured = labels(dense, ColouredGraph(features, tuple(adjacencies)))[roots]
    for place, (body, _, _) in enumerate(bodies):
        implied = {rule.head for rule in found.rules if maps_into(rule.body, body)}
        assert implied == {names[i] for i in np.flatnonzero(captured[place])}
