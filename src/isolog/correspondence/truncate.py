"""Thm. 2: the network N' in which every k_l is the capacity of its layer derives what N derives, on every dataset."""

from __future__ import annotations

from dataclasses import replace

from isolog.correspondence.capacity import CapacityReport, capacity
from isolog.networks.network import MaxKSum, Network


def truncate(network: Network, report: CapacityReport | None = None) -> Network:
    """A network that aggregates a bounded number of neighbours and is equivalent to the given one.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import SUM, Layer
    >>> layer = Layer.from_fractions([[0]], [[[1]]], [-2], SUM)
    >>> truncate(Network.canonical(Signature.of(["U"], ["E"]), [layer])).layers[0].aggregation
    MaxKSum(k=3)
    """
    report = report or capacity(network)
    bounds = [MaxKSum(layer.capacity) for layer in report.layers]
    layers = [replace(layer, aggregation=bound) for layer, bound in zip(network.layers, bounds, strict=True)]
    return replace(network, layers=tuple(layers))
