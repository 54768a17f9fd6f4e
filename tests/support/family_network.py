"""A network written by hand: grandmothers and large families, counted by max-3-sum."""

from __future__ import annotations

from isolog.facts.signature import Signature
from isolog.networks.network import MAX, Layer, MaxKSum, Network

SIGNATURE = Signature.of(
    unary=["person", "female", "male", "child", "adult", "elder", "grandmother", "large_family"],
    binary=["parent", "spouse"],
)

PROGRAM = """\
grandmother(X) :- female(X), parent(X, Y), parent(Y, Z), person(Z).
large_family(X) :- #count{Y : parent(X, Y), person(Y)} >= 3.
"""


def family_network() -> Network:
    """Three units in the middle: female, the children up to three, and whether there are three of them.

    A grandmother is female (weight 3) and has a child with at least one child: more than 3 in all.
    """
    person, female, grandmother, large = (SIGNATURE.unary.index(name) for name in _NAMED)
    size = len(SIGNATURE.unary)
    nothing = [[0] * size for _ in range(3)]
    looks_at_itself, looks_at_children = [row[:] for row in nothing], [row[:] for row in nothing]
    looks_at_itself[0][female] = 1
    looks_at_children[1][person] = looks_at_children[2][person] = 1
    counting = Layer.from_fractions(looks_at_itself, [looks_at_children, nothing], [0, 0, -2], MaxKSum(3))
    at_itself, at_children = [[0] * 3 for _ in range(size)], [[0] * 3 for _ in range(size)]
    at_itself[grandmother][0], at_children[grandmother][1] = 3, 1
    at_itself[large][2] = 1
    bias = [-3 if output == grandmother else 0 for output in range(size)]
    deciding = Layer.from_fractions(at_itself, [at_children, [[0] * 3 for _ in range(size)]], bias, MAX)
    return Network.canonical(SIGNATURE, [counting, deciding])


_NAMED = ("person", "female", "grandmother", "large_family")
