"""Def. 2 and §3.2: the transformation of datasets that a network induces: encode, apply, decode."""

from __future__ import annotations

from functools import lru_cache

from isolog.correspondence.sort_claims import require_sorts
from isolog.encodings import canonical
from isolog.encodings.encoding import Encoding
from isolog.encodings.registry import find_encoding
from isolog.engines import reference
from isolog.facts.dataset import Dataset
from isolog.facts.operator import Operator
from isolog.facts.signature import Signature, restrict
from isolog.facts.terms import Predicate
from isolog.networks.apply import labels
from isolog.networks.network import EncodingName, Network
from isolog.networks.prepared import PreparedNetwork, prepare


def predict(network: Network, dataset: Dataset, *, ignore_unknown: bool = False) -> Dataset:
    """The facts that the network derives from the dataset, whether or not the dataset has them already."""
    return _predict(network, network_encoding(network), dataset, ignore_unknown)


def operator(network: Network) -> Operator:
    """The network as an operator that can be compared with others."""
    prepared, encoding = prepare(network), network_encoding(network)
    return lambda dataset: _predict(prepared, encoding, dataset)


def network_encoding(network: Network) -> Encoding:
    """The encoding that the network was made for. The sorts of one that a user defined have been proved or tested."""
    return _checked(network.encoding, network.signature)


@lru_cache(maxsize=64)
def _checked(stored: EncodingName, signature: Signature) -> Encoding:
    encoding = find_encoding(stored.name, signature, dict(stored.options))
    if encoding.lay_out is None:
        require_sorts(encoding)
    return encoding


def _predict(
    network: Network | PreparedNetwork, encoding: Encoding, dataset: Dataset, ignore_unknown: bool = False
) -> Dataset:
    known = restrict(dataset, encoding.signature, ignore_unknown)
    if encoding.lay_out is None:
        return _by_programs(network, encoding, known)
    encoded = encoding.encode(known)
    return encoded.decode(labels(network, encoded.graph))


def _by_programs(network: Network | PreparedNetwork, encoding: Encoding, dataset: Dataset) -> Dataset:
    """T_dec(T_N(T_enc(D))): the programs of the encoding run on the reference engine."""
    encoded = reference.run(encoding.encoder, dataset)
    found = labels(network, canonical.encode(encoded, encoding.canonical))
    edges = encoded.only(Predicate(colour, 2) for colour in encoding.colours)
    return reference.run(encoding.decoder, edges | canonical.decode(found, encoded, encoding.canonical))
