"""Lemma 1 with fewer identifications: only folds, merges of terms that one vertex counts, can lower a value.

Take any identification q of a body's terms that the inequalities allow, and inside it a maximal sequence of folds.
From the resulting graph to the graph of q there is a homomorphism that keeps apart all neighbours that a layer with
k ≥ 2 adds up on the way to the head. So, layer by layer, values only grow along it: weights are nonnegative and
activations monotone, the values below are nonnegative, and a sum of the k largest grows with its terms. Testing
the folded graphs is therefore enough, and if all layers take the maximum the body itself decides.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from itertools import combinations

from isolog.correspondence.lemma1 import Instance, derives, graph_signature, instances
from isolog.correspondence.patterns import Pattern, pattern
from isolog.correspondence.relevance import Relevant, relevant_colours
from isolog.datalog.syntax import Rule
from isolog.errors import Finding, LimitError
from isolog.networks.apply import labels
from isolog.networks.network import Network

Classes = tuple[int, ...]


def failing_fold(network: Network, rule: Rule, limit: int) -> Instance | None:
    """An instance on which the network misses the head, None iff it captures the rule; at most `limit` are tried."""
    signature = graph_signature(network)
    wanted = pattern(rule)
    relevant = relevant_colours(network) if len(wanted.head[1]) == 1 else ()
    for tried, classes in enumerate(folds(wanted, relevant)):
        if tried == limit:
            message = f"undecided: the network derives the head on the first {limit:,} instances of the body"
            raise LimitError(Finding("E431", message, rule.span, "raise `limit`, or state which variables differ"))
        for instance in instances(wanted, classes, signature):
            if not derives(network, instance, labels):
                return instance
    return None


def folds(wanted: Pattern, relevant: Relevant) -> Iterator[Classes]:
    """Per term its class, for every identification that folds make of the body; the body itself comes first."""
    if not wanted.can_fire:
        return
    identity = tuple(range(len(wanted.terms)))
    seen, pending = {identity}, deque([identity])
    while pending:
        classes = pending.popleft()
        yield classes
        for merged in _folded_once(wanted, classes, relevant):
            if merged not in seen:
                seen.add(merged)
                pending.append(merged)


def _folded_once(wanted: Pattern, classes: Classes, relevant: Relevant) -> Iterator[Classes]:
    """The identification with two more classes merged that some vertex counts, p < L steps away from the head."""
    edges: defaultdict[int, defaultdict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for colour, arguments in wanted.atoms:
        if len(arguments) == 2:
            edges[classes[arguments[0]]][colour].add(classes[arguments[1]])
    level = reached = {classes[wanted.head[1][0]]}
    for colours in relevant:
        for vertex in level:
            for colour in sorted(colours & edges[vertex].keys()):
                for one, other in combinations(sorted(edges[vertex][colour]), 2):
                    if _may_merge(wanted, classes, one, other):
                        yield _merged(classes, one, other)
        level = {u for vertex in level for targets in edges[vertex].values() for u in targets} - reached
        reached = reached | level


def _may_merge(wanted: Pattern, classes: Classes, one: int, other: int) -> bool:
    left = [term for term, number in enumerate(classes) if number == one]
    right = [term for term, number in enumerate(classes) if number == other]
    return all(wanted.may_coincide(u, v) for u in left for v in right)


def _merged(classes: Classes, one: int, other: int) -> Classes:
    return tuple(one if number == other else number for number in classes)
