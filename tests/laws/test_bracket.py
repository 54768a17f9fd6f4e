"""Rounding a network down derives no more on any data, rounding it up no less, and finer grids close the gap."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isolog.correspondence.bracket import bracket
from isolog.correspondence.rounding import rounded
from isolog.networks.network import Layer, Network, Weights
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures
from support.trees import predicted


@st.composite
def float_networks(draw: st.DrawFn) -> Network:
    """A monotonic network whose weights and biases are floats off the coarse grids, thresholds close to values."""
    network = draw(networks(draw(small_signatures), max_layers=2, activations=ACTIVATIONS))
    noise = st.floats(0, 0.5, allow_subnormal=False, width=32)

    def off_grid(matrix: Weights, scale: int) -> Weights:
        size = matrix.size
        shifts = np.array(draw(st.lists(noise, min_size=size, max_size=size)), float).reshape(matrix.shape)
        return np.array(matrix / scale, float) + shifts * (matrix != 0)

    def as_floats(layer: Layer) -> Layer:
        own, *others, bias = (off_grid(matrix, layer.scale) for matrix in (layer.A, *layer.B, layer.b))
        return replace(layer, A=own, B=tuple(others), b=bias, scale=1)

    return replace(network, layers=tuple(as_floats(layer) for layer in network.layers))


@given(float_networks(), st.data())
def test_the_bounds_hold_the_network_between_them(network: Network, data: st.DataObject) -> None:
    dataset = data.draw(datasets(network.signature))
    derived = predicted(network, dataset)
    low, high = derived, derived
    for bits in (5, 2, 0):
        lower, upper = (predicted(rounded(network, bits, side), dataset) for side in ("down", "up"))
        assert lower <= low and high <= upper
        low, high = lower, upper


@given(float_networks(), st.data())
def test_refinement_closes_the_gap_on_data(network: Network, data: st.DataObject) -> None:
    dataset = data.draw(datasets(network.signature))
    found = bracket(network, "sound", dataset)
    assert found.closed
    derived = predicted(network, dataset)
    assert predicted(found.lower, dataset) == derived == predicted(found.upper, dataset)
    coarse = bracket(network, "complete", dataset, bits=1)
    assert coarse.gap is not None
    assert derived - predicted(coarse.lower, dataset) == coarse.gap.derived
