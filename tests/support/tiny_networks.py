"""Networks so small that their programs by the letter can be found, and seldom say nothing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

from isolog.correspondence.program_of_network import theorem_class
from isolog.datalog.count_trees import has_more_formulas
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Network
from support.strategies import ACTIVATIONS, CLIPPED, networks

MOST_RULES = 500
SIGNATURES = [
    *[Signature.of(["A"], ["r"])] * 3,
    *[Signature.of(["A", "B"], ["r"])] * 2,
    *[Signature.of(["A"], ["r", "s"])] * 2,
    Signature.of(["A", "B"], []),
]
_weights = st.sampled_from([0, 1, 1, 1, 2])
_biases = st.sampled_from([-1, -1, 0, 0, 0])


@st.composite
def likely_networks(draw: st.DrawFn, signature: Signature, aggregations: Sequence[Aggregation]) -> Network:
    """One layer, or two with a single unit between, of which the program is seldom empty or `true`."""
    outputs = len(signature.unary)
    layers: list[Layer] = []
    for below, units in draw(st.sampled_from([[(outputs, outputs)], [(outputs, 1), (1, outputs)]])):
        rows = st.lists(st.lists(_weights, min_size=below, max_size=below), min_size=units, max_size=units)
        bias = draw(st.lists(_biases, min_size=units, max_size=units))
        chosen = draw(st.sampled_from(aggregations)), draw(st.sampled_from([RELU, RELU, CLIPPED]))
        layers.append(Layer.from_fractions(draw(rows), [draw(rows) for _ in signature.binary], bias, *chosen))
    thresholds = draw(st.lists(st.sampled_from([1, 1, 1, 2]).map(Fraction), min_size=outputs, max_size=outputs))
    return Network.canonical(signature, layers, thresholds)


@st.composite
def tiny_networks(draw: st.DrawFn, aggregations: Sequence[Aggregation] = (SUM, MAX, MaxKSum(2), MaxKSum(0))) -> Network:
    """A network with at most so many rules to test."""
    signature = draw(st.sampled_from(SIGNATURES))
    likely = likely_networks(signature, aggregations[:3])
    anything = networks(signature, 2, 1, aggregations, ACTIVATIONS, integral=True)
    network = draw(st.one_of(likely, likely, anything))
    assume(not has_more_formulas(theorem_class(network), MOST_RULES, len(signature.unary)))
    return network
