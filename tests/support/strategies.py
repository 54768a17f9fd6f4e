"""Random small networks and datasets for the laws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.activation import RELU, Activation, piecewise_linear
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Network

CLIPPED = piecewise_linear([(Fraction(1, 2), 0), (1, 1), (4, 1)], 1)
AT_LEAST_ONE = piecewise_linear([(1, 1)], 1)
BENT = piecewise_linear([(-1, 0), (0, Fraction(1, 2)), (2, 1)], 2)
AGGREGATIONS = (MAX, SUM, MaxKSum(0), MaxKSum(2), MaxKSum(3))
ACTIVATIONS = (RELU, CLIPPED, AT_LEAST_ONE, BENT)

small_signatures = st.builds(
    lambda unary, binary: Signature.of([f"U{i + 1}" for i in range(unary)], [f"E{c + 1}" for c in range(binary)]),
    st.integers(1, 3),
    st.integers(1, 2),
)
_weights = st.one_of(st.just(Fraction(0)), st.builds(Fraction, st.integers(0, 4), st.sampled_from([1, 1, 2, 3])))
_signed = st.builds(Fraction, st.integers(-4, 4), st.sampled_from([1, 1, 2, 3]))
_thresholds = st.builds(Fraction, st.integers(-1, 8), st.sampled_from([1, 2]))
_integral_bias = st.integers(-3, 2).map(Fraction)
_integral = st.one_of(st.just(Fraction(0)), st.integers(0, 3).map(Fraction))


@st.composite
def datasets(draw: st.DrawFn, signature: Signature, constants: int = 5, facts: int = 10) -> Dataset:
    """A dataset over the signature: possibly empty, with self-loops, cycles and vertices without edges."""
    names = st.sampled_from([f"c{n}" for n in range(constants)])
    predicates = st.sampled_from(signature.predicates)
    atoms = predicates.flatmap(lambda p: st.tuples(*[names] * p.arity).map(lambda row: Atom(p.name, row)))
    return Dataset.from_facts(draw(st.lists(atoms, max_size=facts)))


@st.composite
def networks(
    draw: st.DrawFn,
    signature: Signature,
    max_layers: int = 3,
    max_hidden: int = 3,
    aggregations: Sequence[Aggregation] = AGGREGATIONS,
    activations: Sequence[Activation] = (RELU,),
    integral: bool = False,
    monotonic: bool = True,
) -> Network:
    """A network over the canonical encoding of the signature; monotonic max-sum unless told otherwise."""
    depth = draw(st.integers(1, max_layers))
    outputs = len(signature.unary)
    sizes = [outputs, *(draw(st.integers(1, max_hidden)) for _ in range(depth - 1)), outputs]
    entries = _signed if not monotonic else _integral if integral else _weights
    layers: list[Layer] = []
    for below, units in pairwise(sizes):
        row = st.lists(entries, min_size=below, max_size=below)
        matrix = st.lists(row, min_size=units, max_size=units)
        bias = draw(st.lists(_integral_bias if integral else _signed, min_size=units, max_size=units))
        own, others = draw(matrix), [draw(matrix) for _ in signature.binary]
        chosen = draw(st.sampled_from(aggregations)), draw(st.sampled_from(activations))
        layers.append(Layer.from_fractions(own, others, bias, *chosen))
    thresholds = draw(st.lists(_thresholds, min_size=outputs, max_size=outputs))
    return Network.canonical(signature, layers, thresholds)


signatures_and_networks = small_signatures.flatmap(lambda s: networks(s))


def is_max(network: Network) -> bool:
    """Whether every layer aggregates by max."""
    return all(layer.aggregation == MAX for layer in network.layers)


def is_unbounded(network: Network) -> bool:
    """Whether some layer sums without bound."""
    return any(isinstance(a := layer.aggregation, MaxKSum) and a.k == math.inf for layer in network.layers)
