"""Concepts, simplified while they are made, mean what their definition says, evaluated on graphs or as rules."""

from hypothesis import given
from hypothesis import strategies as st

from isolog.concepts.dag import Concepts
from isolog.concepts.evaluate import count_neighbours, evaluate, has_neighbours
from isolog.concepts.layered import layered_program
from isolog.encodings.canonical import encode
from isolog.engines.reference import Reference
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.graphs.graph import ColouredGraph
from support.concepts import COLOURS, FEATURES, Recipe, graphs, made, meant, recipes
from support.strategies import datasets

SIGNATURE = Signature.of([f"U{i}" for i in range(FEATURES)], [f"E{c}" for c in range(COLOURS)])


@given(recipes(), st.lists(graphs(), min_size=3, max_size=3))
def test_evaluation_is_the_definition(recipe: Recipe, several: list[ColouredGraph]) -> None:
    concepts = Concepts()
    nodes = made(concepts, recipe)
    for graph in several:
        found = evaluate(concepts, nodes, graph)
        assert found.keys() == set(nodes)
        assert [found[node].tolist() for node in nodes] == meant(recipe, graph)


@given(recipes(), graphs(), st.data())
def test_conjunctions_and_disjunctions_of_many_parts(recipe: Recipe, graph: ColouredGraph, data: st.DataObject) -> None:
    concepts, meaning = Concepts(), meant(recipe, graph)
    nodes = made(concepts, recipe)
    places = data.draw(st.lists(st.integers(0, len(nodes) - 1), max_size=6))
    every, some = (make(nodes[place] for place in places) for make in (concepts.all_of, concepts.any_of))
    found = evaluate(concepts, [every, some], graph)
    rows = [[meaning[place][vertex] for place in places] for vertex in range(graph.vertices)]
    assert found[every].tolist() == [all(row) for row in rows]
    assert found[some].tolist() == [any(row) for row in rows]


@given(recipes(most=12), datasets(SIGNATURE))
def test_evaluation_is_what_the_printed_rules_derive(recipe: Recipe, dataset: Dataset) -> None:
    concepts = Concepts()
    nodes = made(concepts, recipe)
    heads = [(f"H{place}", node) for place, node in enumerate(nodes)]
    program = layered_program(concepts, heads, SIGNATURE, {}).program
    graph = encode(dataset, SIGNATURE)
    found = evaluate(concepts, nodes, graph)
    terms = dataset.terms
    expected = {Atom(name, (terms[v],)) for name, node in heads for v in range(graph.vertices) if found[node][v]}
    assert set(Reference().run(program, dataset)) == expected


@given(graphs(), st.data())
def test_neighbours_are_counted_one_by_one(graph: ColouredGraph, data: st.DataObject) -> None:
    marked = graph.features[:, 0]
    for adjacency in graph.colours:
        counts = [int(marked[adjacency.neighbours(v)].sum()) for v in range(graph.vertices)]
        assert count_neighbours(adjacency, marked).tolist() == counts
        number = data.draw(st.integers(0, 3))
        assert has_neighbours(adjacency, marked, number).tolist() == [count >= number for count in counts]
