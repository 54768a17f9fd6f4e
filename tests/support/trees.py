"""Random tree-like formulas and rules, and what they mean, by trying all substitutions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from hypothesis import strategies as st

from isolog.datalog.treelike import Group, TreeFormula, TreeRule, group, tree_formula
from isolog.encodings import canonical
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Term
from isolog.networks import exact
from isolog.networks.network import Network


@st.composite
def tree_formulas(
    draw: st.DrawFn, signature: Signature, max_depth: int = 2, max_children: int = 3, inequalities: bool = True
) -> TreeFormula:
    """A formula over the signature; no variable is deeper or has more children than allowed."""
    labels = draw(st.lists(st.sampled_from(signature.unary), max_size=2)) if signature.unary else []
    left = draw(st.integers(0, max_children)) if max_depth and signature.binary else 0
    groups: list[Group] = []
    while left:
        size = draw(st.integers(1, left)) if inequalities else 1
        below = tree_formulas(signature, max_depth - 1, max_children, inequalities)
        children = draw(st.lists(below, min_size=size, max_size=size))
        groups.append(group(draw(st.sampled_from(signature.binary)), *children))
        left -= size
    return tree_formula(labels, groups)


def tree_rules(
    signature: Signature, max_depth: int = 2, max_children: int = 3, inequalities: bool = True
) -> st.SearchStrategy[TreeRule]:
    """A rule with such a body."""
    bodies = tree_formulas(signature, max_depth, max_children, inequalities)
    return st.builds(TreeRule, st.sampled_from(signature.unary), bodies)


@st.composite
def chain_formulas(draw: st.DrawFn, signature: Signature, max_depth: int, most: int = 5) -> TreeFormula:
    """A formula in which of any two children of a group one has all that the other has."""
    labels = draw(st.lists(st.sampled_from(signature.unary), max_size=2))
    groups: list[Group] = []
    for _ in range(draw(st.integers(0, 2)) if max_depth else 0):
        child = draw(chain_formulas(signature, max_depth - 1, most=2))
        children = [child]
        for _ in range(draw(st.integers(0, most - 1))):
            children.append(draw(st.sampled_from([children[-1], TreeFormula(children[-1].labels[1:]), TreeFormula()])))
        groups.append(group(draw(st.sampled_from(signature.binary)), *children))
    return tree_formula(labels, groups)


def chains(signature: Signature, max_depth: int) -> st.SearchStrategy[TreeRule]:
    """A rule with such a body."""
    return st.builds(TreeRule, st.sampled_from(signature.unary), chain_formulas(signature, max_depth))


def holds(formula: TreeFormula, term: Term, dataset: Dataset) -> bool:
    """Whether some substitution that takes the root to the term makes the formula true in the dataset."""
    return all(Atom(label, (term,)) in dataset for label in formula.labels) and all(
        any(
            all(holds(child, image, dataset) for child, image in zip(each.children, images, strict=True))
            for images in permutations(neighbours(each.colour, term, dataset), len(each.children))
        )
        for each in formula.groups
    )


def neighbours(colour: str, term: Term, dataset: Dataset) -> list[Term]:
    """What the term is connected to by the colour."""
    return [fact.arguments[1] for fact in dataset if fact.predicate == (colour, 2) and fact.arguments[0] == term]


def derived(rules: Iterable[TreeRule], dataset: Dataset) -> Dataset:
    """T_P of the dataset."""
    rules = list(rules)
    found = [Atom(r.head, (term,)) for r in rules for term in dataset.terms if holds(r.body, term, dataset)]
    return Dataset.from_facts(found)


def predicted(network: Network, dataset: Dataset) -> Dataset:
    """The unary facts of T_N of the dataset, in exact arithmetic."""
    signature = Signature.of(network.features, network.colours)
    return canonical.decode(exact.apply(network, canonical.encode(dataset, signature)), dataset, signature)
