"""Datasets that show that a network does not capture a rule, without a superfluous fact, with readable constants.

On every part of a dataset a monotonic network derives at most what it derives on the whole. So a fact may go as
long as the rule still fires, and as what a rule derives only shrinks, too, one pass over the facts is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from isolog.correspondence.lemma1 import Instance, readable_names
from isolog.correspondence.patterns import pattern
from isolog.datalog.syntax import Program, Rule
from isolog.datalog.tree_implication import maps_into
from isolog.datalog.treelike import TreeFormula, TreeRule, group, tree_formula
from isolog.engines import reference
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Term


def minimal_instance(rule: Rule, signature: Signature, instance: Instance) -> Instance:
    """A part of the instance from which the rule still derives the fact, but not without one more fact."""
    program, kept = Program((rule,), signature=signature), list(instance.dataset)
    for fact in instance.dataset:
        fewer = [other for other in kept if other != fact]
        if instance.fact in reference.run(program, Dataset.from_facts(fewer)):
            kept = fewer
    return _readable(pattern(rule).constants, kept, instance.fact)


def tree_instance(rule: TreeRule, tree: TreeFormula, signature: Signature) -> Instance:
    """The tree as a dataset, its siblings distinct, without the parts that the rule can do without at the root."""
    distinct = spread(tree)
    smallest = distinct if rule.body == TreeFormula() else _minimal_tree(rule.body, distinct)
    names = readable_names()
    facts = list(tree_facts(smallest, next(names), names)) or [Atom(signature.binary[0], ("b", "a"))]
    return Instance(Dataset.from_facts(facts), Atom(rule.head, ("a",)))


def _minimal_tree(body: TreeFormula, tree: TreeFormula) -> TreeFormula:
    """A part of the tree at whose root the body holds, and at the root of no smaller part."""
    while (smaller := next((part for part in _parts(tree) if maps_into(body, part)), None)) is not None:
        tree = smaller
    return tree


def _parts(tree: TreeFormula) -> Iterator[TreeFormula]:
    """The trees with one label less, or without one edge and what is below it; trees have distinct siblings."""
    for label in tree.labels:
        yield TreeFormula(tuple(other for other in tree.labels if other != label), tree.groups)
    for place, siblings in enumerate(tree.groups):
        elsewhere = tree.groups[:place] + tree.groups[place + 1 :]
        for child in dict.fromkeys(siblings.children):
            others = list(siblings.children)
            others.remove(child)
            yield tree_formula(tree.labels, [*elsewhere, group(siblings.colour, *others)])
            for part in _parts(child):
                yield tree_formula(tree.labels, [*elsewhere, group(siblings.colour, *others, part)])


def spread(tree: TreeFormula) -> TreeFormula:
    """The tree in which all siblings of one colour are distinct."""
    children: defaultdict[str, list[TreeFormula]] = defaultdict(list)
    for siblings in tree.groups:
        children[siblings.colour] += map(spread, siblings.children)
    return tree_formula(tree.labels, [group(colour, *below) for colour, below in children.items()])


def tree_facts(tree: TreeFormula, root: str, names: Iterator[str]) -> Iterator[Atom]:
    """The facts that the tree has if its root is called so, and the vertices below by the names that come next."""
    yield from (Atom(label, (root,)) for label in tree.labels)
    for siblings in tree.groups:
        for child in siblings.children:
            name = next(names)
            yield Atom(siblings.colour, (root, name))
            yield from tree_facts(child, name, names)


def _readable(own: frozenset[Term], facts: list[Atom], fact: Atom) -> Instance:
    """The same with the rule's own constants, and a, b, c, … in place of the others, the head's first."""
    fresh = (name for name in readable_names() if name not in own)
    terms = dict.fromkeys(term for each in (fact, *facts) for term in each.arguments)
    names: dict[Term, Term] = {term: term if term in own else next(fresh) for term in terms}
    renamed = [Atom(each.name, tuple(names[term] for term in each.arguments)) for each in (fact, *facts)]
    return Instance(Dataset.from_facts(renamed[1:]), renamed[0])
