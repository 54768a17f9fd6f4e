"""The kernels of aggregation agree with their definition and with each other, gradients included."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from isolog.graphs.graph import Adjacency, ColouredGraph
from isolog.learning.layers import Layers, Shape, aggregate, largest
from isolog.learning.views import Edges, Ground

CPU = torch.device("cpu")
KS = st.sampled_from([0, 1, 2, 3, math.inf])


def random_adjacency(chance: np.random.Generator, vertices: int = 7, degree: int | None = None) -> Adjacency:
    """Some edges; the last vertex has none, and with a degree all others have so many."""
    linked = chance.random((vertices - 1, vertices)) < 0.4
    if degree is not None:
        linked = chance.random((vertices - 1, vertices)).argsort(axis=1) < degree
    return Adjacency.from_edges(*np.nonzero(linked), vertices)


def random_graph(chance: np.random.Generator, vertices: int = 7, features: int = 4) -> ColouredGraph:
    colours = (random_adjacency(chance, vertices), random_adjacency(chance, vertices, degree=1))
    return ColouredGraph(chance.random((vertices, features)) < 0.4, colours)


def by_definition(adjacency: Adjacency, values: Tensor, k: int | float) -> Tensor:
    """Def. 5, vertex by vertex."""
    found = torch.zeros_like(values)
    for vertex in range(len(values)):
        own = values[adjacency.neighbours(vertex).astype(np.int64)].sort(dim=0, descending=True).values
        found[vertex] = own[: len(own) if k == math.inf else int(k)].sum(0)
    return found


def plainly(layers: Layers, graph: ColouredGraph) -> Tensor:
    """Eq. (2) by the letter, on all vertices."""
    values = torch.from_numpy(graph.features.astype(np.float32))
    last = len(layers.matrices) - 1
    for number, (stack, bias, k) in enumerate(zip(layers.matrices, layers.biases, layers.shape.aggregation)):
        result = values @ layers.rounded(stack)[0].T + layers.rounded(bias)
        for adjacency, matrix in zip(graph.colours, layers.rounded(stack)[1:], strict=True):
            result = result + by_definition(adjacency, values, k) @ matrix.T
        values = result if number == last else torch.relu(result)
    return values


@given(st.integers(0, 10_000), KS, st.sampled_from([None, 1]))
def test_the_sum_of_the_largest(seed: int, k: int | float, degree: int | None) -> None:
    chance = np.random.default_rng(seed)
    adjacency = random_adjacency(chance, degree=degree)
    edges = Edges.of(adjacency, CPU)
    values = torch.from_numpy(chance.random((7, 3)).astype(np.float32))
    found = aggregate(edges, values, k) if len(edges.targets) else torch.zeros((0, 3))
    assert torch.allclose(found, by_definition(adjacency, values, k)[edges.leaving])


@given(st.integers(0, 10_000))
def test_the_scatter_is_the_sparse_product(seed: int) -> None:
    chance = np.random.default_rng(seed)
    edges = Edges.of(random_adjacency(chance), CPU)
    if not len(edges.targets):
        return
    entries = torch.from_numpy(chance.random((7, 3)).astype(np.float32))
    results: list[Tensor] = []
    for kernel in (lambda values: aggregate(edges, values, 1), lambda values: largest(edges, values)):
        values = entries.clone().requires_grad_()
        found = kernel(values)
        (found * torch.arange(1.0, 4.0)).sum().backward()
        assert values.grad is not None
        results += [found.detach(), values.grad]
    assert torch.equal(results[0], results[2]) and torch.allclose(results[1], results[3])


@given(st.integers(0, 10_000), st.lists(KS, min_size=1, max_size=3), st.sampled_from([None, 1]))
def test_a_view_decides_what_the_whole_graph_does(seed: int, ks: list[int | float], bits: int | None) -> None:
    chance = np.random.default_rng(seed)
    graph = random_graph(chance)
    dimensions = (4, *[3] * (len(ks) - 1), 2)
    layers = Layers(Shape(dimensions, 2, tuple(ks)), 0.6, 2.0, torch.Generator().manual_seed(seed))
    layers.bits = bits
    ground = Ground(graph, ks[0], CPU)
    rows = np.flatnonzero(chance.random(7) < 0.5)
    view = ground.view(rows, len(ks))
    results: list[tuple[Tensor, list[Tensor]]] = []
    for found in (layers(ground.inputs(view), view), plainly(layers, graph)[rows]):
        layers.zero_grad()
        (found * torch.arange(1.0, 3.0)).sum().backward()
        gradients = [each.grad for each in layers.matrices]
        results.append((found.detach(), [torch.zeros(0) if each is None else each for each in gradients]))
    assert torch.allclose(results[0][0], results[1][0], atol=1e-4)
    assert view.rows[-1] is rows
    if bits is None and len(rows):  # on a grid several neighbours may be the largest, and share the gradient
        # neighbours with the same value differ at most in what no weight sees
        for number, (found, expected) in enumerate(zip(results[0][1], results[1][1], strict=True)):
            used = layers.matrices[number].detach() != 0
            assert torch.allclose(found * used, expected * used, atol=1e-4)


def test_only_what_is_shown_is_seen() -> None:
    graph = random_graph(np.random.default_rng(1))
    ground = Ground(graph, 1, CPU)
    view = ground.view(np.arange(7), 1)
    shown = ground.present[::2]
    features = np.zeros_like(graph.features)
    features[shown[:, 0], shown[:, 1]] = True
    less = Ground(ColouredGraph(features, graph.colours), 1, CPU)
    assert (ground.counts(view, shown) != less.counts(less.view(np.arange(7), 1), less.present)).nnz == 0


def test_what_cannot_matter_is_silent() -> None:
    layers = Layers(Shape((2, 3, 2), 1, (1, 1)), 1.0, 1.0, torch.Generator().manual_seed(0))
    adjacency = Adjacency.from_edges(np.array([0]), np.array([1]), 2)
    ground = Ground(ColouredGraph(np.eye(2, dtype=bool), (adjacency,)), 1, CPU)
    view = ground.view(np.arange(2), 2)
    before = layers(ground.inputs(view), view)
    layers.silence(ground.seen(), torch.tensor([1]))
    assert not layers.matrices[0][1][:, 0].any() and layers.matrices[0][1][:, 1].all()
    assert not layers.matrices[1][:, 0].any()
    assert torch.equal(layers(ground.inputs(view), view)[:, 0], before[:, 1])


@pytest.mark.parametrize("bits", [1, 3])
def test_weights_are_used_as_they_are_rounded(bits: int) -> None:
    layers = Layers(Shape((1, 1), 0, (1,)), 1.0, 1.0, torch.Generator().manual_seed(0))
    layers.bits = bits
    entries = torch.tensor([0.3, 0.74], requires_grad=True)
    rounded = layers.rounded(entries)
    assert torch.equal(rounded * 2**bits, torch.round(entries * 2**bits))
    rounded.sum().backward()
    assert entries.grad is not None and torch.equal(entries.grad, torch.ones(2))
