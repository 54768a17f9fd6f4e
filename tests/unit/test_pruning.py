"""Pruning keeps the measure; evidence is what the network does not see; classes exclude each other."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse

from isolog.encodings.registry import find_encoding
from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family
from isolog.facts.fields import print_field
from isolog.facts.signature import Signature
from isolog.facts.split import Part, Split
from isolog.facts.terms import Atom
from isolog.learning.evaluation import evaluate
from isolog.learning.evidence import Evidence, gather_evidence, taken_away
from isolog.learning.examples import examples
from isolog.learning.layers import Layers, Shape
from isolog.learning.prune import prune
from isolog.learning.settings import Settings
from isolog.learning.thinning import thinned
from isolog.learning.to_network import choose_thresholds
from isolog.learning.train import Plan, train_split
from isolog.learning.training import train_layers
from isolog.learning.views import Ground, Inputs, View

NOTHING = Dataset.empty()
CPU = torch.device("cpu")
ONE_LAYER = View((np.arange(2),), (), (), ())


def inputs(*rows: list[float]) -> Inputs:
    return Inputs(sparse.csr_matrix(np.array(rows, np.float32)), CPU)


def test_only_what_is_needed_is_left() -> None:
    layers = Layers(Shape((4, 1), 0, (1,)), 1.0, 1.0, torch.Generator().manual_seed(0))
    with torch.no_grad():
        layers.matrices[0].copy_(torch.tensor([[[0.5, 2.0, 0.25, 1.0]]]))
    seen = inputs([0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0])

    def first_is_above() -> list[float]:
        with torch.no_grad():
            first, second = layers(seen, ONE_LAYER)[:, 0].tolist()
        return [first, -max(0.0, second)]

    prune(layers, first_is_above, lambda: layers(seen, ONE_LAYER).sum(), tolerance=0.0, attempts=50)
    assert layers.matrices[0].flatten().tolist() == [0.0, 2.0, 0.0, 0.0]


@pytest.mark.parametrize("limit", [{"attempts": 0}, {"attempts": 50, "until": 0.0}])
def test_without_attempts_or_time_nothing_is_dropped(limit: dict[str, float]) -> None:
    layers = Layers(Shape((3, 2), 0, (1,)), 1.0, 1.0, torch.Generator().manual_seed(0))
    before = layers.matrices[0].clone()
    prune(layers, lambda: [1.0], lambda: layers(inputs([1.0, 1.0, 1.0]), ONE_LAYER).sum(), 1.0, **limit)
    assert torch.equal(before, layers.matrices[0])


def test_what_is_taken_away_can_still_be_derived() -> None:
    facts = generate_family(persons=60, seed=1).facts
    encoding = find_encoding("pairs", Signature.from_dataset(facts))
    taken = taken_away(encoding, facts, 0.3, seed=4)
    assert 0 < len(taken) < len(facts) and taken <= facts
    rest = encoding.encode(facts - taken)
    for predicate, table in taken.over(rest.dataset.vocabulary).tables.items():
        assert (rest.positions(predicate, table)[0] >= 0).all()


def test_evidence_and_targets_share_nothing() -> None:
    facts = generate_family(persons=60, seed=1).facts
    encoding = find_encoding("pairs", Signature.from_dataset(facts))
    taken = taken_away(encoding, facts, 0.2, seed=4)
    found = examples(encoding, facts - taken, NOTHING, taken)
    evidence, targets = gather_evidence(found, 0.5, np.random.default_rng(0))
    assert len(evidence.positives) == len(taken) and not len(targets)
    true = {tuple(row) for row in [*evidence.positives.tolist(), *found.known.tolist()]}
    assert len(evidence.negatives) and not true & {tuple(row) for row in evidence.negatives.tolist()}


def test_the_score_of_classes_is_by_the_largest() -> None:
    evidence = Evidence(np.array([[0, 0], [1, 1]]), np.array([[0, 1], [0, 2], [1, 0], [1, 2]]), classes=True)
    right = evidence.score(np.array([5.0, 1.0, 4.0, 3.0, 0.0, 0.5]))
    half = evidence.score(np.array([5.0, 0.2, 4.0, 3.0, 0.0, 0.5]))
    assert right == (1.0 + (4 + 2) / 8) / 2 and half == (0.5 + (4 + 1) / 8) / 2


def coloured_split() -> Split:
    """Things on the left of a red or a blue one; their class is named after its colour."""
    signature = Signature.of(["Red", "Blue", "Warm", "Cold"], ["beside"])
    parts: list[Part] = []
    for name in ("a", "b"):
        graph: list[Atom] = []
        true: list[Atom] = []
        false: list[Atom] = []
        for number in range(40):
            thing, other = f"{name}{number}", f"{name}o{number}"
            colour, own, wrong = ("Red", "Warm", "Cold") if number % 2 else ("Blue", "Cold", "Warm")
            graph += [Atom("beside", (thing, other)), Atom(colour, (other,))]
            true.append(Atom(own, (thing,)))
            false.append(Atom(wrong, (thing,)))
        parts.append(Part(*(Dataset.from_facts(facts) for facts in (graph, true, false))))
    return Split(signature, parts[0], Part(NOTHING, NOTHING, NOTHING), parts[1])


def test_classes_are_learned() -> None:
    split = coloured_split()
    encoding = find_encoding("canonical", split.signature)
    found = examples(encoding, split.train.graph, split.train.positives)
    assert [(len(output.vertices), output.exclusive) for output in found.outputs] == [(40, True)]
    plan = Plan(Settings(hidden=4, epochs=120, seed=1, density=0.8), "canonical", (0.01,), (2,))
    network = train_split(split, plan).network
    judged = evaluate(network, split.test.graph, split.test.positives, split.test.negatives)
    assert judged.class_accuracy == judged.exact_classes == judged.accuracy == 1


def test_where_classes_are_learned_some_of_the_input_is_hidden() -> None:
    split = coloured_split()
    found = examples(find_encoding("canonical", split.signature), split.train.graph, split.train.positives)
    curves = [train_layers(found, Settings(hidden=4, epochs=20, hide=hide)).curve for hide in (0.0, 0.5)]
    assert [moment.loss for moment in curves[0]] != [moment.loss for moment in curves[1]]


def test_the_terms_of_classes_are_not_named() -> None:
    split = coloured_split()
    plan = Plan(Settings(hidden=4, epochs=20), "canonical+nominals:60", (0.01,), (2,))
    named = dict(train_split(split, plan).network.encoding.options)["nominals"]
    classified = {print_field(fact.arguments[0]) for fact in split.train.positives}
    assert len(named) == 40 and not classified & set(named)


def test_an_output_has_a_threshold_of_its_own_where_its_evidence_clearly_asks_for_it() -> None:
    settings = Settings(hidden=2, epochs=1)
    facts = generate_family(persons=60, seed=1).facts
    trained = train_layers(examples(find_encoding("pairs", Signature.from_dataset(facts)), facts, NOTHING), settings)
    for number, expected in ((40, 2.0), (8, 5.0)):  # 40 facts say that output 1 stands lower, 8 may be chance
        true = [(0, 0)] * 200 + [(0, 1)] * number
        false = [(0, 0)] * 200 + [(0, 1)] * number
        scores = [5.0] * 200 + [3.0] * (number // 4) + [5.0] * (number - number // 4) + [4.0] * 200 + [1.0] * number
        chosen = choose_thresholds(
            replace(trained, evidence=Evidence(np.array(true), np.array(false)), scores=np.array(scores)), 2
        )
        assert [float(value) for value in chosen.thresholds[:2]] == [5.0, expected]


def test_a_part_of_the_graph_keeps_what_is_asked_for() -> None:
    facts = generate_family(persons=60, seed=1).facts
    facts = facts.only([predicate for predicate in facts.predicates if predicate.arity == 2])
    encoding = find_encoding("pairs:2", Signature.from_dataset(facts))
    taken = taken_away(encoding, facts, 0.2, seed=4)
    whole = examples(encoding, facts - taken, NOTHING, taken)
    part = thinned(whole, whole.graph.vertices // 2, seed=3)
    assert part.graph.vertices < whole.graph.vertices
    assert part.graph.features.sum() == whole.graph.features.sum()
    assert len(part.known) == len(whole.known) and len(part.taken) == len(whole.taken)
    layers = Layers(
        Shape((len(encoding.features), 5, len(encoding.features)), len(whole.graph.colours), (1, 1)),
        1.0,
        1.0,
        torch.Generator().manual_seed(1),
    )
    scores: list[torch.Tensor] = []
    for each in (whole, part):
        ground = Ground(each.graph, 1, CPU)
        rows = np.unique(each.known[:, 0])
        view = ground.view(rows, 2)
        scores.append(layers(ground.inputs(view), view)[np.searchsorted(rows, each.known[:, 0]), each.known[:, 1]])
    assert torch.allclose(*scores)
    assert part.told.sum() == whole.told.sum()


def test_a_small_graph_stays_whole() -> None:
    facts = generate_family(persons=20, seed=1).facts
    whole = examples(find_encoding("pairs", Signature.from_dataset(facts)), facts, NOTHING)
    assert thinned(whole, whole.graph.vertices, seed=0) is whole
