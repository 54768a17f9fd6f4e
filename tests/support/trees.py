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
from support.strategies import datasets

FEW = 6
"""Formulas with so many variables get no more beside those that make them deeper, or that are counted."""


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


@st.composite
def deep_formulas(draw: st.DrawFn, signature: Signature, chain: bool = False) -> TreeFormula:
    """A formula with a variable at a depth from 1 to 4, one group of up to five children, and few more variables: the
    reference engine tries all substitutions.

    With `chain`, the children of each group are equal, or a child and that without labels.
    """
    formula = TreeFormula(tuple(sorted(draw(st.sets(st.sampled_from(signature.unary), max_size=2)))))
    depth = draw(st.integers(1, 4))
    counted = draw(st.integers(1, depth))
    for level in range(1, depth + 1):
        others = draw(st.integers(0, 4 if level == counted else int(formula.variables < FEW)))
        weak = formula if chain and draw(st.booleans()) else tree_formula(formula.labels[1:])
        leaves = st.just(weak) if chain else tree_formulas(signature, 0)
        siblings = [draw(leaves) for _ in range(others)]
        groups = [group(draw(st.sampled_from(signature.binary)), formula, *siblings)]
        if formula.variables < FEW and draw(st.booleans()):
            groups.append(group(draw(st.sampled_from(signature.binary)), draw(tree_formulas(signature, 0))))
        formula = tree_formula(draw(st.sets(st.sampled_from(signature.unary), max_size=2)), groups)
    return formula


def deep_rules(signature: Signature, chain: bool = False) -> st.SearchStrategy[TreeRule]:
    """A rule with such a body."""
    return st.builds(TreeRule, st.sampled_from(signature.unary), deep_formulas(signature, chain))


def widest(formula: TreeFormula) -> int:
    """How many children the largest group of any variable has."""
    own = [len(each.children) for each in formula.groups]
    return max([0, *own, *map(widest, formula.children)])


@st.composite
def near(draw: st.DrawFn, formula: TreeFormula, signature: Signature) -> Dataset:
    """A dataset in which the formula often holds somewhere: its atoms with a term for each variable, several of which
    may share one, some atoms left out and some others added."""
    names = st.sampled_from([f"c{n}" for n in range(max(2, 2 * formula.variables))])
    facts: list[Atom] = []

    def place(part: TreeFormula, term: str) -> None:
        facts.extend(Atom(label, (term,)) for label in part.labels)
        for each in part.groups:
            terms = draw(st.lists(names, min_size=len(each.children), max_size=len(each.children), unique=True))
            for child, other in zip(each.children, terms, strict=True):
                facts.append(Atom(each.colour, (term, other)))
                place(child, other)

    place(formula, draw(names))
    if draw(st.booleans()) and facts:
        facts.pop(draw(st.integers(0, len(facts) - 1)))
    return Dataset.from_facts(facts) | draw(datasets(signature, constants=4, facts=4))


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
