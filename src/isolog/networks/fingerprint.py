"""The hash of what a network says: equal for two networks iff they have the same names and exact numbers."""

from __future__ import annotations

import hashlib

from isolog.networks.network import Network


def network_sha256(network: Network) -> str:
    """SHA-256 of signature, encoding, weights, activations and thresholds; neither storage nor provenance matters.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> made = Layer.from_fractions([[1]], [], [0])
    >>> other = Layer(4 * made.A, (), made.b, scale=4)
    >>> one, same = (Network.canonical(Signature.of(["A"]), [layer]) for layer in (made, other))
    >>> network_sha256(one) == network_sha256(same)
    True
    """
    found = hashlib.sha256()
    heading = (
        tuple(sorted(map(tuple, network.signature.predicates), key=lambda predicate: predicate[1])),  # as in files
        network.features,
        network.colours,
        (network.encoding.name, network.encoding.options),
        tuple(map(str, network.thresholds)),
    )
    found.update(repr(heading).encode())
    for layer in network.layers:
        points = [(str(x), str(y)) for x, y in layer.activation.points]
        found.update(repr((str(layer.aggregation), points, str(layer.activation.slope))).encode())
        for matrix in (layer.A, *layer.B):
            rows = [[(column, str(weight)) for column, weight in row] for row in layer.exact_rows(matrix)]
            found.update(repr((matrix.shape, rows)).encode())
        found.update(repr([str(bias) for bias in layer.exact_bias()]).encode())
    return found.hexdigest()
