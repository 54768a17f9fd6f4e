"""What every encoding promises: its fast path is its programs, its sorts hold, and labels decode to facts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.correspondence.transformation import operator, predict
from isolog.engines import reference
from isolog.facts.signature import Signature
from support.encoded import SIGNATURES, as_dataset, by_reference, datasets, encoded_networks, encoding_of, reads

ENCODINGS = [
    "canonical",
    "canonical+inverses+nominals+domains",
    "pairs",
    "pairs-printed",
    "pairs+inverses",
    "pairs+nominals+domains",
    "pairs:2",
    "pairs:3",
    "indigo",
    "paths",
    "paths:3+nominals",
    "all-pairs",
    "kgnn",
]


def signatures(name: str) -> st.SearchStrategy[Signature]:
    """The small signatures that the encoding can read."""
    return st.sampled_from([each for each in SIGNATURES if reads(name, each)])


@pytest.mark.parametrize("name", ENCODINGS)
@given(data=st.data())
def test_the_fast_path_is_the_program(name: str, data: st.DataObject) -> None:
    signature = data.draw(signatures(name))
    encoding = encoding_of(name, signature)
    dataset = data.draw(datasets(signature, constants=4, facts=7))
    encoded, wanted = encoding.encode(dataset), reference.run(encoding.encoder, dataset)
    assert as_dataset(encoded) == wanted
    terms = encoded.vertex_terms()
    assert len(terms) == len(set(terms)) and set(terms) == set(wanted.terms)


@pytest.mark.parametrize("name", ENCODINGS)
@given(data=st.data())
def test_the_sorts_hold(name: str, data: st.DataObject) -> None:
    signature = data.draw(signatures(name))
    encoding = encoding_of(name, signature)
    encoded = encoding.encode(data.draw(datasets(signature, constants=4, facts=7)))
    graph = encoded.graph
    sorts = encoded.sorts
    for vertex, number in enumerate(sorts):
        sort = encoding.sorts[number]
        assert set(np.flatnonzero(graph.features[vertex])) <= sort.features
        for adjacency, allowed in zip(graph.colours, sort.neighbours, strict=True):
            found = adjacency.neighbours(vertex)
            assert len(found) == 0 if allowed is None else allowed.at_least <= len(found) <= allowed.at_most
            assert allowed is None or (sorts[found] == allowed.sort).all()


@pytest.mark.parametrize("name", ENCODINGS)
@given(data=st.data())
def test_decoding_is_the_program(name: str, data: st.DataObject) -> None:
    signature = data.draw(signatures(name))
    encoding = encoding_of(name, signature)
    dataset = data.draw(datasets(signature, constants=4, facts=7))
    encoded = encoding.encode(dataset)
    assert encoded.decode(encoded.graph.features) == reference.run(encoding.decoder, as_dataset(encoded))


@pytest.mark.parametrize("name", ENCODINGS)
@given(data=st.data())
def test_predictions_are_those_by_the_letter(name: str, data: st.DataObject) -> None:
    network = data.draw(encoded_networks(name))
    encoding = encoding_of(name, network.signature)
    dataset = data.draw(datasets(network.signature, constants=4, facts=6))
    wanted = by_reference(network, encoding, dataset)
    assert predict(network, dataset) == wanted == operator(network)(dataset)


@pytest.mark.parametrize("name", ["pairs", "pairs-printed", "pairs+inverses"])
@given(data=st.data())
def test_what_is_encoded_decodes_again(name: str, data: st.DataObject) -> None:
    signature = data.draw(signatures(name))
    encoding = encoding_of(name, signature)
    dataset = data.draw(datasets(signature))
    encoded = encoding.encode(dataset)
    assert encoded.decode(encoded.graph.features) == dataset


@pytest.mark.parametrize("name", ENCODINGS)
@given(data=st.data())
def test_facts_have_their_positions(name: str, data: st.DataObject) -> None:
    signature = data.draw(signatures(name))
    encoding = encoding_of(name, signature)
    dataset, others = data.draw(datasets(signature)), data.draw(datasets(signature))
    encoded = encoding.encode(dataset)
    emitted = {meaning.predicate for meaning in encoding.meanings if meaning.emitted}
    for predicate, table in others.over(dataset.vocabulary).only(emitted).tables.items():
        vertices, feature = encoded.positions(predicate, table)
        labels = np.zeros_like(encoded.graph.features)
        labels[vertices[vertices >= 0], feature] = True
        reached = {fact.arguments for fact in encoded.decode(labels)}
        terms = [tuple(dataset.vocabulary[number] for number in row) for row in table.tolist()]
        assert reached == {row for row, vertex in zip(terms, vertices, strict=True) if vertex >= 0}
        everything = {fact.arguments for fact in encoded.decode(np.ones_like(labels)) if fact.predicate == predicate}
        assert reached == everything & {*terms}
