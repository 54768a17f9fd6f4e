"""From concepts to networks with one Boolean unit per concept: threshold gates with a clipped activation.

On what is reachable, σ is 0 up to 0, linear up to 1 at 1, and 1 up to M; beyond M it rises again, which makes it
unbounded, as Def. 6 asks. So ∧, ∨ and `≥n c` are gates, and every concept is a monotonic max-sum network.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from isolog.concepts.dag import AND, BOTTOM, COUNT, LABEL, OR, Concepts, Node
from isolog.correspondence.formula_network import require_room, zeros
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU, Activation, piecewise_linear
from isolog.networks.network import Layer, MaxKSum, Network


def gate_network(concepts: Concepts, heads: Mapping[str, Node], signature: Signature) -> Network:
    """The monotonic max-sum network that derives each head where its concept holds, and no other predicate.

    >>> store = Concepts()
    >>> either = store.either(store.label(0), store.at_least(2, 0, store.label(1)))
    >>> gate_network(store, {"A": either}, Signature.of(["A", "B"], ["r"])).dimensions
    (2, 2, 2)
    """
    outputs = [heads.get(name, BOTTOM) for name in signature.unary]
    plan = _plan(concepts, outputs)
    rows: list[list[Node]] = [[concepts.label(i) for i in range(len(signature.unary))], *plan.units, outputs]
    require_room(list(map(len, rows)), signature)
    layers = [_layer(concepts, plan, rows, number, signature) for number in range(1, len(rows))]
    return Network.canonical(signature, layers)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Per gate its inputs and the layer that computes it; the units of the layers below the last."""

    inputs: Mapping[Node, tuple[Node, ...]]
    layers: Mapping[Node, int]
    units: list[list[Node]]


def _plan(concepts: Concepts, outputs: list[Node]) -> _Plan:
    order = [node for node in concepts.reachable(outputs) if node != BOTTOM]
    uses = Counter(part for node in order for part in concepts.parts(node)) + Counter(outputs)
    inputs = {node: _inputs(concepts, node, uses) for node in order}
    layers: dict[Node, int] = {}
    for node in order:
        at = 0 if concepts.kinds[node] == LABEL else 1
        layers[node] = max((1 + layers[part] for part in inputs[node]), default=at)
    top = max((layers[node] for node in outputs if node != BOTTOM), default=1)
    top = max(top, 1)
    last = {node: top - 1 for node in outputs if node != BOTTOM and layers[node] < top}
    needed = sorted({node for node in outputs if node != BOTTOM}, key=lambda node: -layers[node])
    seen = set(needed)
    for node in needed:
        for part in inputs[node]:
            last[part] = max(last.get(part, 0), layers[node] - 1)
            if part not in seen:
                seen.add(part)
                needed.append(part)
    kept = sorted(last)
    units = [[node for node in kept if layers[node] <= n <= last[node]] for n in range(1, top)]
    return _Plan(inputs, layers, units)


def _inputs(concepts: Concepts, node: Node, uses: Counter[Node]) -> tuple[Node, ...]:
    """The inputs of a gate; what no other gate reads is part of the gate that reads it, if both are ∧ or both ∨."""
    kind = concepts.kinds[node]
    found: dict[Node, None] = {}
    waiting = list(reversed(concepts.parts(node)))
    while waiting:
        part = waiting.pop()
        if kind in (AND, OR) and concepts.kinds[part] == kind and uses[part] == 1:
            waiting += reversed(concepts.parts(part))
        else:
            found[part] = None
    return tuple(found)


def _layer(concepts: Concepts, plan: _Plan, rows: list[list[Node]], number: int, signature: Signature) -> Layer:
    below, here = rows[number - 1], rows[number]
    position = {node: j for j, node in enumerate(below)}
    new = [node for node in here if node != BOTTOM and plan.layers[node] == number]
    k = max((concepts.quantity(node).at_least for node in new if concepts.kinds[node] == COUNT), default=1)
    A, B, b = zeros(signature, len(here), len(below))
    for i, node in enumerate(here):
        if node == BOTTOM:
            continue
        if plan.layers[node] < number:
            A[i, position[node]] = 1
            continue
        inputs = [position[part] for part in plan.inputs[node]]
        kind = concepts.kinds[node]
        if kind == COUNT:
            at_least, colour = concepts.quantity(node)
            B[colour][i, inputs] = 1
            b[i] = 1 - at_least
        else:
            A[i, inputs] = 1
            b[i] = 0 if kind == OR else 1 - len(inputs)
    return Layer(A, B, b, MaxKSum(k), clipped(max((_reach(concepts, plan, node, k) for node in new), default=1)))


def _reach(concepts: Concepts, plan: _Plan, node: Node, k: int) -> int:
    """The largest argument of the gate."""
    kind = concepts.kinds[node]
    return len(plan.inputs[node]) if kind == OR else 1 + k - concepts.quantity(node).at_least if kind == COUNT else 1


def clipped(reach: int) -> Activation:
    """0 up to 0, 1 from 1 up to `reach`, and rising between and beyond; with nothing to clip, ReLU.

    >>> str(clipped(1)), [str(clipped(3)(z)) for z in (-1, 1, 3)]
    ('relu', ['0', '1', '1'])
    """
    return RELU if reach == 1 else piecewise_linear([(0, 0), (1, 1), (reach, 1)], 1)
