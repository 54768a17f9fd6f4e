"""Why a network derives a fact from some facts, unit by unit: a tree that can be checked step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from isolog.correspondence.surroundings import Surroundings
from isolog.facts.terms import Atom, Predicate
from isolog.facts.text import print_atom, print_term
from isolog.graphs.graph import ColouredGraph
from isolog.networks.exact import Labelling, trace
from isolog.networks.network import Layer, MaxKSum, Network

Way: TypeAlias = str | None
"""The colour of the neighbour that a value comes from; None at the vertex itself."""


@dataclass(frozen=True, slots=True)
class Use:
    """A value that a unit adds up: a step below, the weight it comes with, and along which colour."""

    step: Step
    weight: Fraction
    way: Way


@dataclass(frozen=True, slots=True)
class Step:
    """The value of a unit at a vertex and what makes it up; layer 0 is a fact, or a vertex that just is there.

    `unit` is counted from 0. At the last layer, `value` is the argument of the last activation.
    """

    layer: int
    unit: int
    vertex: int
    value: Fraction
    bias: Fraction
    uses: tuple[Use, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Proof:
    """A derivation on the graph of the facts used: its last step, what that has to reach (None: nothing), the graph."""

    fact: Atom
    facts: tuple[Atom, ...]
    root: Step
    needed: Fraction | None
    around: Surroundings


def prove(around: Surroundings, fact: Atom, output: int, needed: Fraction | None) -> Proof:
    """The proof of a fact that the network derives from the dataset of the surroundings, which should be small."""
    network, graph = around.network, around.encoded.graph
    root = around.vertex(fact)
    assert root is not None, "what is derived has a vertex"
    top = _Tracer(network, graph, trace(network, graph)).step(len(network.layers), output, root)
    return Proof(fact, tuple(around.encoded.dataset), top, needed, around)


class _Tracer:
    def __init__(self, network: Network, graph: ColouredGraph, labellings: list[Labelling]) -> None:
        self.network, self.graph, self.labellings = network, graph, labellings
        self.known: dict[tuple[int, int, int], Step] = {}

    def step(self, layer: int, unit: int, vertex: int) -> Step:
        """The step of a unit at a vertex, with the values below that are not zero."""
        key = layer, unit, vertex
        if key not in self.known:
            self.known[key] = self._step(*key)
        return self.known[key]

    def _step(self, layer: int, unit: int, vertex: int) -> Step:
        if layer == 0:
            return Step(0, unit, vertex, self.labellings[0][vertex][unit], Fraction(0), ())
        this = self.network.layers[layer - 1]
        uses = tuple(self._uses(this, layer, unit, vertex))
        argument = this.exact(this.b[unit]) + sum((use.weight * use.step.value for use in uses), Fraction(0))
        is_last = layer == len(self.network.layers)
        value = argument if is_last else this.activation(argument)
        return Step(layer, unit, vertex, value, this.exact(this.b[unit]), uses)

    def _uses(self, layer: Layer, number: int, unit: int, vertex: int) -> Iterator[Use]:
        below = self.labellings[number - 1]
        for j in np.flatnonzero(layer.A[unit] != 0).tolist():
            if below[vertex][j]:
                yield Use(self.step(number - 1, j, vertex), layer.exact(layer.A[unit, j]), None)
        assert isinstance(layer.aggregation, MaxKSum)
        for colour, matrix, adjacency in zip(self.network.colours, layer.B, self.graph.colours, strict=True):
            neighbours = adjacency.neighbours(vertex).tolist()
            for j in np.flatnonzero(matrix[unit] != 0).tolist():
                best = sorted([u for u in neighbours if below[u][j]], key=[row[j] for row in below].__getitem__)[::-1]
                count = len(best) if layer.aggregation.k > len(best) else int(layer.aggregation.k)
                for u in best[:count]:
                    yield Use(self.step(number - 1, j, u), layer.exact(matrix[unit, j]), colour)


def recheck(proof: Proof) -> bool:
    """Whether every step follows from those below it, and the last one reaches what is needed.

    Facts are looked up in the dataset, edges in the graph; no more than k neighbours count per colour and feature.
    """
    reached = proof.needed is None or proof.root.value >= proof.needed
    return reached and _follows(proof, proof.root, set())


def _follows(proof: Proof, step: Step, seen: set[tuple[int, int, int]]) -> bool:
    key = step.layer, step.unit, step.vertex
    if key in seen:
        return True
    seen.add(key)
    network, graph = proof.around.network, proof.around.encoded.graph
    if step.layer == 0:
        return step.value == int(graph.features[step.vertex, step.unit])
    layer = network.layers[step.layer - 1]
    argument = layer.exact(layer.b[step.unit]) + sum((use.weight * use.step.value for use in step.uses), Fraction(0))
    value = argument if step.layer == len(network.layers) else layer.activation(argument)
    return (
        value == step.value
        and all(_is_licensed(proof, step, use) for use in step.uses)
        and _counts(layer, step)
        and all(_follows(proof, use.step, seen) for use in step.uses)
    )


def _is_licensed(proof: Proof, step: Step, use: Use) -> bool:
    network, graph = proof.around.network, proof.around.encoded.graph
    layer = network.layers[step.layer - 1]
    if use.way is None:
        return use.step.vertex == step.vertex and use.weight == layer.exact(layer.A[step.unit, use.step.unit])
    colour = network.colours.index(use.way)
    is_edge = use.step.vertex in graph.colours[colour].neighbours(step.vertex)
    return is_edge and use.weight == layer.exact(layer.B[colour][step.unit, use.step.unit])


def _counts(layer: Layer, step: Step) -> bool:
    """Whether no neighbour counts twice and no more of them than the layer adds up."""
    assert isinstance(layer.aggregation, MaxKSum)
    places: dict[tuple[Way, int], list[int]] = {}
    for use in step.uses:
        places.setdefault((use.way, use.step.unit), []).append(use.step.vertex)
    most = layer.aggregation.k
    return all(
        len(set(found)) == len(found) and len(found) <= (1 if way is None else most)
        for (way, _), found in places.items()
    )


def conclusion(proof: Proof, step: Step) -> str:
    """What a step says, in words that a person reads."""
    around = proof.around
    where = _vertex(around, step.vertex)
    if step is proof.root:
        return print_atom(proof.fact)
    if step.layer == 0:
        meaning = around.encoded.encoding.meanings[step.unit]
        terms = around.terms_of(step.vertex)
        back = np.argsort(meaning.columns).tolist()
        return print_atom(Atom(meaning.predicate.name, tuple(terms[place] for place in back)))
    return f"unit {step.unit + 1} of layer {step.layer} at {where}"


def edge_fact(proof: Proof, step: Step, use: Use) -> Atom | None:
    """The fact that is the edge along which a step uses a value; None at the vertex itself, and where edges say only
    how vertices are made of the same terms."""
    around = proof.around
    if use.way is None or Predicate(use.way, 2) not in around.encoded.encoding.signature:
        return None
    return Atom(use.way, (*around.terms_of(step.vertex), *around.terms_of(use.step.vertex)))


def _vertex(around: Surroundings, vertex: int) -> str:
    terms = around.terms_of(vertex)
    block = next(each for each in reversed(around.encoded.blocks) if each.first <= vertex)
    return print_term(block.shape.term(list(terms)))
