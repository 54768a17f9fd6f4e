"""Explanations of somebody else's network: all that it derives on real data, and no larger than those published."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from isolog.correspondence.explain import Explainer
from isolog.correspondence.proofs import recheck
from isolog.correspondence.transformation import predict
from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts
from isolog.facts.terms import Atom
from isolog.networks.foreign import read_foreign
from isolog.networks.network import EncodingName, Network

pytestmark = pytest.mark.data
NAME = "fb237v1_maxmax_without_dummies"
EXPLANATIONS = "davala-9_original/explanations/fb237v1-max-max-monotonic-iclr22-without_dummies.txt"


@pytest.fixture(scope="module")
def network(data: Path) -> Network:
    """The published network at probability 0.1."""
    file = data / f"peer-models/{NAME}.json"
    return read_foreign(file, probability=Fraction(1, 10), encoding=EncodingName("pairs"))


@pytest.fixture(scope="module")
def facts(data: Path) -> Dataset:
    """The graph that it is tested on."""
    return read_facts(data / "grail/fb237v1/test_graph.tsv.gz")


def test_everything_that_it_derives_is_explained(network: Network, facts: Dataset) -> None:
    derived = list(predict(network, facts))
    reasons = Explainer(network, facts).smallest(derived, seconds=0.05)
    assert len(derived) == 545
    for fact, reason in zip(derived[::25], reasons[::25], strict=True):
        assert reason is not None and fact in predict(network, Dataset.from_facts(reason.facts))
    assert None not in reasons


def test_no_published_explanation_is_smaller(network: Network, facts: Dataset, data: Path) -> None:
    explainer, lines = Explainer(network, facts), (data / "peer-models" / EXPLANATIONS).read_text("utf-8").split("\n")
    told = [line for line in lines if line.strip()]
    for said, rule in zip(told[::2], told[1::2], strict=True):
        subject, predicate, value = re.findall(r"'([^']*)'", said)
        found = explainer.explain(Atom(predicate, (subject, value)))
        assert found is not None and found.minimal and len(found.facts) <= rule.count("[") - 1
        assert recheck(found.proof)
    assert len(told) == 20
