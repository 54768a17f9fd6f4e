"""What it takes to check a comparison of networks and programs: another way to decide it, and changes to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations, product
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from isolog.concepts.layered import layered_program
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.equivalence import Equivalence
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule
from isolog.datalog.tree_implication import implies_any
from isolog.datalog.treelike import TOP, TreeRule, tree_formula
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function, Predicate, Term
from isolog.networks.network import Network
from support.trees import predicted


def derive(side: Network | Program, dataset: Dataset) -> Dataset:
    """What a side derives, by the definitions."""
    if isinstance(side, Network):
        return predicted(side, dataset.only(side.signature.predicates))
    return run(side, dataset, ignore_unknown=True)


def check_witness(one: Network | Program, other: Network | Program, result: Equivalence) -> None:
    """The fact is derived by the side that is named and not by the other, and no fact of the witness is superfluous."""
    assert result.equivalent is False and result.witness is not None and result.fact is not None

    def separates(dataset: Dataset) -> bool:
        return [result.fact in derive(side, dataset) for side in (one, other)] == [
            result.derived_by == "A",
            result.derived_by == "B",
        ]

    assert separates(result.witness)
    assert not any(separates(result.witness - Dataset.from_facts([fact])) for fact in result.witness)


def imply_each_other(one: Sequence[TreeRule], other: Sequence[TreeRule], signature: Signature) -> bool:
    """Whether two tree-like programs are equivalent over the signature, by implication of rules."""
    return _implied(one, other, signature) and _implied(other, one, signature)


def _implied(rules: Sequence[TreeRule], by: Sequence[TreeRule], signature: Signature) -> bool:
    def bodies(rule: TreeRule) -> list[TreeRule]:
        if rule.body != TOP or signature.binary:
            return [rule]
        return [TreeRule(rule.head, tree_formula([label])) for label in signature.unary]

    return all(
        implies_any(special.body, [each.body for each in by if each.head == rule.head])
        for rule in rules
        for special in bodies(rule)
    )


@st.composite
def mutated(draw: st.DrawFn, network: Network) -> Network:
    """The network with one weight or bias a step larger or smaller; weights stay nonnegative."""
    place = draw(st.integers(0, len(network.layers) - 1))
    layer = network.layers[place]
    matrices = [np.array(matrix, object) for matrix in (layer.A, *layer.B, layer.b)]
    chosen = draw(st.sampled_from([n for n, matrix in enumerate(matrices) if matrix.size]))
    entry = draw(st.integers(0, matrices[chosen].size - 1))
    step = draw(st.sampled_from([-layer.scale, layer.scale]))
    changed = matrices[chosen].flat[entry] + step
    matrices[chosen].flat[entry] = changed if chosen == len(matrices) - 1 else max(changed, 0)
    own, *others, bias = matrices
    layers = list(network.layers)
    layers[place] = replace(layer, A=own, B=tuple(others), b=bias)
    return replace(network, layers=tuple(layers))


def layered(network: Network) -> Program:
    """The layered program of the network."""
    extraction = concepts_of_network(network)
    heads = [(name, nodes[0]) for name, nodes in zip(network.features, extraction.heads, strict=True)]
    return layered_program(extraction.concepts, heads, network.signature, {}).program


def without_functions(program: Program) -> Program:
    """The program with the first variable or constant of each function term in its place."""
    rules = [Rule(_flat(rule.head), tuple(map(_flat, rule.body))) for rule in program]
    return replace(program, rules=tuple(rules))


_Literal = TypeVar("_Literal", bound=BodyLiteral)


def _flat(literal: _Literal) -> _Literal:
    match literal:
        case Atom():
            return replace(literal, arguments=tuple(map(_leaf, literal.arguments)))
        case Inequality():
            return replace(literal, left=_leaf(literal.left), right=_leaf(literal.right))
        case Negation():
            return replace(literal, atom=_flat(literal.atom))
        case Count():
            return replace(literal, body=tuple(map(_flat, literal.body)))


def _leaf(term: Term) -> Term:
    return _leaf(term.arguments[0]) if isinstance(term, Function) else term


def all_datasets(predicates: Sequence[Predicate], terms: Sequence[Term]) -> list[Dataset]:
    """Every set of facts over these predicates and terms."""
    facts = [Atom(p.name, row) for p in predicates for row in product(terms, repeat=p.arity)]
    return [Dataset.from_facts(chosen) for chosen in chain(*(combinations(facts, n) for n in range(len(facts) + 1)))]
