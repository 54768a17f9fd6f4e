"""Where in a graph, seen from the vertex of a derived fact, it matters which neighbours are the same."""

from __future__ import annotations

from isolog.datalog.treelike import TreeFormula
from isolog.networks.network import Layer, MaxKSum, Network

Relevant = tuple[frozenset[str], ...]


def relevant_colours(network: Network) -> Relevant:
    """Per distance p < L, the colours whose neighbours some layer l ≤ L−p adds up, two of them at least.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import SUM, Layer
    >>> counting = Layer.from_fractions([[0]], [[[1]], [[0]]], [-1], SUM)
    >>> relevant_colours(Network.canonical(Signature.of(["U"], ["r", "s"]), [counting]))
    (frozenset({'r'}),)
    """
    adding: list[frozenset[str]] = []
    for layer in network.layers:
        read = (colour for colour, matrix in zip(network.colours, layer.B, strict=True) if matrix.any())
        adding.append(frozenset(read if adds(layer) else ()).union(*adding[-1:]))
    return tuple(reversed(adding))


def adds(layer: Layer) -> bool:
    """Whether the layer adds up the values of neighbours, not just takes the largest."""
    return isinstance(layer.aggregation, MaxKSum) and layer.aggregation.k >= 2


def is_settled(body: TreeFormula, relevant: Relevant) -> bool:
    """Whether all same-colour siblings are distinct in every match, wherever that matters.

    >>> from isolog.datalog.treelike import TOP, group, tree_formula
    >>> is_settled(tree_formula([], [group("r", TOP), group("r", TOP)]), (frozenset("r"),))
    False
    """
    if not relevant:
        return True
    colours = [siblings.colour for siblings in body.groups if siblings.colour in relevant[0]]
    return len(colours) == len(set(colours)) and all(is_settled(child, relevant[1:]) for child in body.children)
