"""Composition of single tree-like formulas: the rules derive what holds of the vertices of the encoded dataset."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolog.concepts.dag import Concepts
from isolog.concepts.evaluate import evaluate
from isolog.concepts.from_rules import concept_of_tree
from isolog.correspondence.compose import compose_trees, read_places
from isolog.datalog.parser import parse
from isolog.datalog.treelike import TOP, TreeFormula, group, tree_formula
from isolog.encodings.encoding import Encoding
from isolog.engines import reference
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from support.encoded import datasets, encoding_of

ENCODINGS = ["pairs", "pairs-printed", "pairs:2", "paths", "all-pairs", "indigo", "kgnn", "pairs+nominals"]
BRANCHING = ("indigo", "kgnn")
"""Here a neighbour can be one in several ways."""

SIGNATURE = Signature.of(["A"], ["r"])
fewer = settings(max_examples=max(10, settings.default.max_examples // 2))


@st.composite
def formulas(draw: st.DrawFn, encoding: Encoding, depth: int = 2) -> TreeFormula:
    """A formula with few labels and up to two distinct children, the same for several of them or not."""
    labels = draw(st.lists(st.sampled_from(encoding.features), max_size=1))
    if not depth or draw(st.booleans()):
        return tree_formula(labels)
    colour, number = draw(st.sampled_from(encoding.colours)), draw(st.integers(1, 2))
    children = [draw(formulas(encoding, depth - 1)) for _ in range(number)]
    return tree_formula(labels, [group(colour, *children)])


@pytest.mark.parametrize("name", ENCODINGS)
@fewer
@given(data=st.data())
def test_rules_derive_what_holds_of_vertices(name: str, data: st.DataObject) -> None:
    encoding = encoding_of(name, SIGNATURE)
    place = data.draw(st.sampled_from(read_places(encoding)))
    formula = data.draw(formulas(encoding, depth=1 if name in BRANCHING else 2))
    composed = compose_trees(encoding, {place: [formula]})
    if composed.left_out:
        return
    encoded = encoding.encode(data.draw(datasets(SIGNATURE, constants=4, facts=10)))
    store, feature = Concepts(), place[0]
    numbers = [{word: i for i, word in enumerate(words)} for words in (encoding.features, encoding.colours)]
    node = concept_of_tree(store, formula, *numbers)
    labels = np.zeros_like(encoded.graph.features)
    labels[:, feature] = evaluate(store, [node], encoded.graph)[node] & (encoded.sorts == place[1])
    assert reference.run(composed.program, encoded.dataset) == encoded.decode(labels)


def test_two_neighbours_of_a_functional_colour_are_impossible() -> None:
    encoding = encoding_of("pairs", SIGNATURE)
    two = tree_formula([], [group("c1", TOP, TOP)])
    assert compose_trees(encoding, {(1, 1): [two]}).rules == ()
    assert len(compose_trees(encoding, {(0, 0): [two]}).rules) == 1


def test_different_neighbours_come_in_any_order() -> None:
    """Of g(x, y), the neighbour that is joined keeps x, and the one that is not keeps y; the other way fails."""
    encoding = encoding_of("kgnn", SIGNATURE)
    formula = tree_formula([], [group("c", tree_formula(["U_1_1_0"]), tree_formula(["U_1_1_1"]))])
    program = compose_trees(encoding, {(0, 0): [formula]}).program
    facts = parse("A(x). A(y). A(z). A(w). r(y, z). r(x, z). r(x, w).")
    derived = reference.run(program, Dataset.from_facts(rule.head for rule in facts))
    assert Atom("out_1_1_0", ("x", "y")) in derived


def test_vertices_differ_in_any_of_their_terms() -> None:
    encoding = encoding_of("kgnn", SIGNATURE)
    two = tree_formula([], [group("c", TOP, TOP)])
    rules = compose_trees(encoding, {(0, 0): [two]}).rules
    assert len(rules) > 2


def test_what_unfolds_to_too_much_is_named() -> None:
    encoding = encoding_of("indigo", SIGNATURE)
    many = tree_formula([], [group("c", *[tree_formula(["r/2"])] * 9)])
    composed = compose_trees(encoding, {(1, 0): [many]})
    assert composed.left_out == (many,) and composed.rules == ()
