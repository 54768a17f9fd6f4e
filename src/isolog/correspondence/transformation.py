"""Def. 2: the transformation of datasets that a network induces: encode, apply, decode."""

from __future__ import annotations

from isolog.encodings import canonical
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.signature import restrict
from isolog.networks.apply import labels
from isolog.networks.network import Network


def predict(network: Network, dataset: Dataset, *, ignore_unknown: bool = False) -> Dataset:
    """The facts that the network derives from the dataset, whether or not the dataset has them already."""
    known = restrict(dataset, network.signature, ignore_unknown)
    graph = canonical.encode(known, network.signature)
    return canonical.decode(labels(network, graph), known, network.signature)


def operator(network: Network) -> Operator:
    """The network as an operator that can be compared with others."""
    return lambda dataset: predict(network, dataset)
