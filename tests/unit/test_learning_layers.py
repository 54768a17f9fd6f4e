"""The kernels of aggregation agree with their definition and with each other, gradients included."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from isolog.graphs.graph import Adjacency
from isolog.learning.layers import Edges, Layers, Shape, aggregate, largest

CPU = torch.device("cpu")


def random_edges(seed: int, vertices: int = 7) -> Edges:
    """Some edges; the last vertex has none."""
    chance = np.random.default_rng(seed)
    sources, targets = np.nonzero(chance.random((vertices - 1, vertices)) < 0.4)
    return Edges(Adjacency.from_edges(sources, targets, vertices), CPU)


def values_for(edges: Edges, seed: int) -> torch.Tensor:
    return torch.rand((edges.vertices, 3), generator=torch.Generator().manual_seed(seed), dtype=torch.float32)


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3, math.inf]))
def test_the_sum_of_the_largest(seed: int, k: int | float) -> None:
    edges, values = random_edges(seed), values_for(random_edges(seed), seed)
    found = aggregate(edges, values, k) if len(edges.targets) else torch.zeros((0, 3))
    for place in range(len(edges.leaving)):
        own = values[edges.targets[edges.starts[place] : edges.starts[place + 1]]]
        most = len(own) if k == math.inf else int(k)
        expected = own.sort(dim=0, descending=True).values[:most].sum(0)
        assert torch.allclose(found[place], expected)


@given(st.integers(0, 10_000))
def test_the_scatter_is_the_sparse_product(seed: int) -> None:
    edges = random_edges(seed)
    if not len(edges.targets):
        return
    results: list[torch.Tensor] = []
    for kernel in (lambda values: aggregate(edges, values, 1), lambda values: largest(edges, values)):
        values = values_for(edges, seed).requires_grad_()
        found = kernel(values)
        (found * torch.arange(1.0, 4.0)).sum().backward()
        assert values.grad is not None
        results += [found.detach(), values.grad]
    assert torch.equal(results[0], results[2]) and torch.allclose(results[1], results[3])


def test_what_cannot_matter_is_silent() -> None:
    shape = Shape((2, 3, 2), 1, (1, 1))
    layers = Layers(shape, density=1.0, scale=1.0, generator=torch.Generator().manual_seed(0))
    edges = Edges(Adjacency.from_edges(np.array([0]), np.array([1]), 2), CPU)
    features = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    before = layers(features, [edges])
    layers.silence(features, [edges], torch.tensor([1]))
    assert not layers.matrices[0][1][:, 0].any() and layers.matrices[0][1][:, 1].all()
    assert not layers.matrices[1][:, 0].any()
    after = layers(features, [edges])
    assert torch.equal(after[:, 1], before[:, 1]) and not after[:, 0].any()


@pytest.mark.parametrize("bits", [1, 3])
def test_weights_are_used_as_they_are_rounded(bits: int) -> None:
    layers = Layers(Shape((1, 1), 0, (1,)), 1.0, 1.0, torch.Generator().manual_seed(0))
    layers.bits = bits
    entries = torch.tensor([0.3, 0.74], requires_grad=True)
    rounded = layers.rounded(entries)
    assert torch.equal(rounded * 2**bits, torch.round(entries * 2**bits))
    rounded.sum().backward()
    assert entries.grad is not None and torch.equal(entries.grad, torch.ones(2))
