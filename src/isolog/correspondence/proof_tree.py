"""Proofs as trees of sentences: what is concluded, by what, from what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from isolog.correspondence.proofs import Proof, Step, Use, conclusion, edge_fact
from isolog.facts.text import print_atom

DATA = "data"


@dataclass(frozen=True, slots=True)
class Tree:
    """A conclusion, the reason, and what it is drawn from; a fact of the data has no premises."""

    conclusion: str
    by: str
    premises: tuple[Tree, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The tree as nested objects."""
        premises = [premise.as_json() for premise in self.premises]
        return {"conclusion": self.conclusion, "by": self.by, "premises": premises}


def proof_tree(proof: Proof) -> Tree:
    """The whole derivation, unit by unit, down to the facts; a step that is used again is told once."""
    told: set[tuple[int, int, int]] = set()
    premises = tuple(tree for use in proof.root.uses for tree in _used(proof, proof.root, use, told))
    needed = "whatever its value" if proof.needed is None else f"needs {proof.needed}"
    return Tree(print_atom(proof.fact), f"{needed}, has {_sum(proof.root)}", premises)


def _used(proof: Proof, step: Step, use: Use, told: set[tuple[int, int, int]]) -> Iterator[Tree]:
    edge = edge_fact(proof, step, use)
    if edge is not None:
        yield Tree(print_atom(edge), DATA)
    yield _tree(proof, use.step, told)


def _tree(proof: Proof, step: Step, told: set[tuple[int, int, int]]) -> Tree:
    said = conclusion(proof, step)
    if step.layer == 0:
        return Tree(said, DATA)
    key = step.layer, step.unit, step.vertex
    whole = f"{said} is {step.value}"
    if key in told:
        return Tree(whole, "as above")
    told.add(key)
    premises = tuple(tree for use in step.uses for tree in _used(proof, step, use, told))
    return Tree(whole, _sum(step), premises)


def _sum(step: Step) -> str:
    """The sum that makes up the argument of the activation."""
    terms = [_term(use) for use in step.uses]
    total = step.bias + sum((use.weight * use.step.value for use in step.uses), Fraction(0))
    if step.bias or not terms:
        terms.append(str(step.bias) if step.bias >= 0 else f"({step.bias})")
    return f"{total} = " + " + ".join(terms)


def _term(use: Use) -> str:
    value = use.step.value
    return str(value) if use.weight == 1 else f"{use.weight}·{value}" if value != 1 else str(use.weight)
