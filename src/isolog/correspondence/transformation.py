"""Def. 2 and §3.2: the transformation of datasets that a network induces: encode, apply, decode."""

from __future__ import annotations

from isolog.encodings.encoding import Encoding
from isolog.encodings.registry import find_encoding
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.signature import restrict
from isolog.networks.apply import labels
from isolog.networks.network import Network
from isolog.networks.prepared import PreparedNetwork, prepare


def predict(network: Network, dataset: Dataset, *, ignore_unknown: bool = False) -> Dataset:
    """The facts that the network derives from the dataset, whether or not the dataset has them already."""
    return _predict(network, network_encoding(network), dataset, ignore_unknown)


def operator(network: Network) -> Operator:
    """The network as an operator that can be compared with others."""
    prepared, encoding = prepare(network), network_encoding(network)
    return lambda dataset: _predict(prepared, encoding, dataset)


def network_encoding(network: Network) -> Encoding:
    """The encoding that the network was made for."""
    return find_encoding(network.encoding.name, network.signature, dict(network.encoding.options))


def _predict(
    network: Network | PreparedNetwork, encoding: Encoding, dataset: Dataset, ignore_unknown: bool = False
) -> Dataset:
    encoded = encoding.encode(restrict(dataset, encoding.signature, ignore_unknown))
    return encoded.decode(labels(network, encoded.graph))
