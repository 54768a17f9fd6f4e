"""Networks that others trained: converted, they give the published scores and derive the published numbers of facts."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from isolog.correspondence.transformation import network_encoding, predict
from isolog.errors import UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts
from isolog.facts.terms import Atom, Predicate
from isolog.graphs.graph import ColouredGraph
from isolog.networks.classes import class_report, require_monotonic
from isolog.networks.foreign import logit, read_foreign
from isolog.networks.model_folder import read_model, write_model
from isolog.networks.network import EncodingName, Network
from support.models import meaning

pytestmark = pytest.mark.data
TENTH = Fraction(1, 10)
PUBLISHED = [("fb237v1_maxmax_with_dummies", 565), ("fb237v1_maxmax_without_dummies", 545)]


@pytest.fixture(scope="module")
def facts(data: Path) -> Dataset:
    return read_facts(data / "grail/fb237v1/test_graph.tsv.gz")


def forward(network: Network, graph: ColouredGraph) -> NDArray[np.float64]:
    """Eq. (2) up to the last pre-activation, for max layers with ReLU, in plain float64."""
    values = graph.features.astype(float)
    for number, layer in enumerate(network.layers):
        if number:
            values = np.maximum(values, 0)
        weights = [np.array(matrix / layer.scale, float) for matrix in (layer.A, *layer.B)]
        total = values @ weights[0].T + np.array(layer.b / layer.scale, float)
        for matrix, adjacency in zip(weights[1:], graph.colours, strict=True):
            largest = np.zeros_like(values)
            sources = np.repeat(np.arange(graph.vertices), adjacency.degrees)
            np.maximum.at(largest, sources, values[adjacency.targets])
            total += largest @ matrix.T
        values = total
    return values


@pytest.mark.parametrize(("name", "derived"), PUBLISHED)
def test_scores_and_derived_facts_are_the_published_ones(data: Path, facts: Dataset, name: str, derived: int) -> None:
    network = read_foreign(data / f"peer-models/{name}.json", probability=TENTH, encoding=EncodingName("pairs"))
    assert class_report(network).is_monotonic_max
    encoded = network_encoding(network).encode(facts)
    edges = [len(colour.targets) for colour in encoded.graph.colours]
    assert (encoded.graph.vertices, edges) == (4625, [7076, 7076, 3538, 3538])
    pre_activations = forward(network, encoded.graph)
    scores = 1 / (1 + np.exp(-(pre_activations + logit(TENTH) - 1)))
    reachable = 0
    for s, p, o, published in read_examples(data / f"peer-models/{name}.scores_test_examples.tsv"):
        fact = Dataset.from_facts([Atom(p, (s, o))]).over(facts.vocabulary)
        (vertex,), feature = encoded.positions(Predicate(p, 2), fact.tables[Predicate(p, 2)])
        if vertex >= 0:
            reachable += 1
            assert abs(scores[vertex, feature] - published) < 1e-5
    assert reachable > 300
    assert len(predict(network, facts)) == derived
    assert (scores[encoded.blocks[1].first :] > 0.1).sum() == derived


def read_examples(path: Path) -> Iterator[tuple[str, str, str, float]]:
    """The facts with the scores that the source published for them."""
    with open(path, encoding="utf-8") as lines:
        for s, p, o, _, score in csv.reader(lines, delimiter="\t"):
            yield s, p, o, float(score)


@pytest.mark.parametrize("name", [name for name, _ in PUBLISHED])
def test_the_converted_network_can_be_stored(data: Path, tmp_path: Path, name: str) -> None:
    network = read_foreign(data / f"peer-models/{name}.json")
    assert "sigmoid(z) > 1/1000000000" in network.provenance.notes[1]
    write_model(network, tmp_path / "model")
    assert meaning(read_model(tmp_path / "model")) == meaning(network)


def test_negative_weights_are_named(data: Path) -> None:
    network = read_foreign(data / "peer-models/aifb_sumsum_nonmonotonic_kr24_epoch2000.json")
    assert network.dimensions == (31, 62, 31) and len(network.colours) == 44
    assert network.colours[1] == "inv:http://swrc.ontoware.org/ontology#address"
    assert not class_report(network).is_monotonic_max_sum
    first = r"E360 `A1\[1,1\] = -0.216\d+` is negative \(from `http://swrc.ontoware.org/ontology#Article` to unit 1 of"
    with pytest.raises(UnsupportedError, match=first):
        require_monotonic(network)
