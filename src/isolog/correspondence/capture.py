"""Def. 4: whether a network captures a rule, with a dataset that shows it if not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from isolog.correspondence.capture_checks import check_rules, check_tree_rules
from isolog.correspondence.counterexample import minimal_instance, tree_instance
from isolog.correspondence.folds import failing_fold
from isolog.correspondence.lemma1 import Instance, graph_signature
from isolog.correspondence.quotients import failing_quotients
from isolog.correspondence.relevance import is_settled
from isolog.correspondence.transformation import network_encoding, operator
from isolog.correspondence.tree_batches import TreeBatches
from isolog.correspondence.user_capture import failing_user_instance, require_monotone
from isolog.datalog.parser import parse_rule
from isolog.datalog.recognise import recognise
from isolog.datalog.syntax import Rule
from isolog.datalog.treelike import TOP, TreeFormula, TreeRule, tree_formula
from isolog.errors import UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network

Method = Literal["one evaluation", "sibling merges", "identifications"]
LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """Whether T_r(D) ⊆ T_N(D) for every dataset D; if not, a D and the fact that only the rule derives from it.

    No fact of the counterexample can be left out. The method says how the decision was reached.
    """

    rule: Rule
    captured: bool
    counterexample: Dataset | None
    fact: Atom | None
    method: Method


def captures(network: Network, rule: Rule | str, *, canonical: bool = False, limit: int = LIMIT) -> CaptureResult:
    """Whether the network captures the rule.

    With `canonical`, a network with an encoding is asked about its canonical datasets. A rule for which more than
    `limit` ways to merge variables would have to be tried is a LimitError.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> network = Network.canonical(Signature.of(["U"], ["r"]), [Layer.from_fractions([[0]], [[[1]]], [0])])
    >>> captures(network, "U(X) :- r(X, Y), U(Y).").captured
    True
    >>> list(captures(network, "U(X) :- r(X, Y).").counterexample)
    [Atom(name='r', arguments=('a', 'b'))]
    """
    return captures_all(network, [rule], canonical=canonical, limit=limit)[0]


def captures_all(
    network: Network, rules: Iterable[Rule | str], *, canonical: bool = False, limit: int = LIMIT
) -> list[CaptureResult]:
    """The same for many rules; tree-like ones are evaluated together."""
    require_monotonic(network)
    read = [parse_rule(rule) if isinstance(rule, str) else rule for rule in rules]
    if network.encoding.name != "canonical" and not canonical:
        return _under_encoding(network, read, limit)
    check_rules(read, graph_signature(network))
    trees = [_tree_rule(rule) for rule in read]
    batches = TreeBatches(network)
    failing = iter(_failing_trees(batches, [tree for tree in trees if tree is not None], limit))
    return [
        _by_identifications(network, rule, limit) if tree is None else _by_merges(batches, rule, tree, next(failing))
        for rule, tree in zip(read, trees, strict=True)
    ]


def _under_encoding(network: Network, rules: Sequence[Rule], limit: int) -> list[CaptureResult]:
    """The same on all datasets of the user."""
    encoding = network_encoding(network)
    require_monotone(encoding)
    check_rules(rules, encoding.signature)
    derive, programs = operator(network), [encoding.encoder, encoding.decoder]
    found = [failing_user_instance(derive, rule, encoding.signature, programs, limit) for rule in rules]
    return [_result(rule, shown, "identifications") for rule, shown in zip(rules, found, strict=True)]


def captures_tree_rule(network: Network, rule: TreeRule) -> bool:
    """Whether the network captures the tree-like rule, on all canonical datasets."""
    return captures_tree_rules(network, [rule])[0]


def captures_tree_rules(network: Network, rules: Sequence[TreeRule], *, limit: int = LIMIT) -> list[bool]:
    """The same for many rules."""
    require_monotonic(network)
    check_tree_rules(rules, graph_signature(network))
    return [tree is None for tree in _failing_trees(TreeBatches(network), rules, limit)]


def _tree_rule(rule: Rule) -> TreeRule | None:
    try:
        return recognise(rule)
    except UnsupportedError:
        return None


def _failing_trees(batches: TreeBatches, rules: Sequence[TreeRule], limit: int) -> list[TreeFormula | None]:
    """Per rule a tree at whose root it fires and the network misses the head; None iff it is captured."""
    tested = [(place, body) for place, rule in enumerate(rules) for body in _bodies(rule.body, batches.network)]
    quotients = failing_quotients(batches, [TreeRule(rules[place].head, body) for place, body in tested], limit)
    failing = {place: tree for (place, _), tree in zip(tested, quotients, strict=True) if tree is not None}
    return [failing.get(place) for place in range(len(rules))]


def _bodies(body: TreeFormula, network: Network) -> list[TreeFormula]:
    """The body; without colours every term of a dataset has a label, so `true` stands for each label in turn."""
    return [body] if body != TOP or network.colours else [tree_formula([label]) for label in network.features]


def _by_merges(batches: TreeBatches, rule: Rule, tree: TreeRule, failing: TreeFormula | None) -> CaptureResult:
    method = "one evaluation" if is_settled(tree.body, batches.relevant) else "sibling merges"
    shown = None if failing is None else tree_instance(tree, failing, graph_signature(batches.network))
    return _result(rule, shown, method)


def _by_identifications(network: Network, rule: Rule, limit: int) -> CaptureResult:
    failing = failing_fold(network, rule, limit)
    shown = None if failing is None else minimal_instance(rule, graph_signature(network), failing)
    return _result(rule, shown, "identifications")


def _result(rule: Rule, shown: Instance | None, method: Method) -> CaptureResult:
    if shown is None:
        return CaptureResult(rule, True, None, None, method)
    return CaptureResult(rule, False, shown.dataset, shown.fact, method)
