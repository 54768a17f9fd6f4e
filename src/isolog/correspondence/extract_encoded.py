"""The program that an encoded network equals on all datasets of the user, over the user's own predicates."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from isolog.concepts.counting import derivations
from isolog.concepts.cover import SortedGraph, cover
from isolog.concepts.flat import Head
from isolog.concepts.flat_rules import Budget, FlatRules
from isolog.correspondence import heads
from isolog.correspondence.bracket import Bracket, Side
from isolog.correspondence.bracketed import MOST_NODES, concepts_of_bracket
from isolog.correspondence.compose import compose_concepts, compose_trees, read_places
from isolog.correspondence.composed_rules import ComposedRules, compose_flat, composed_rules, head_name
from isolog.correspondence.concepts_of_network import Extraction
from isolog.correspondence.direct import Output, direct_rules
from isolog.correspondence.extracted import Extracted, Form, plain_result
from isolog.correspondence.meanings import meanings
from isolog.correspondence.transformation import network_encoding
from isolog.datalog.expand_counts import expand_counts
from isolog.datalog.syntax import Program
from isolog.datalog.treelike import TreeFormula
from isolog.encodings.encoding import Encoding
from isolog.engines.support import support
from isolog.errors import Findings, InputError, LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Predicate
from isolog.facts.text import print_predicate_name
from isolog.networks.network import Network

Progress: TypeAlias = Callable[[int, int, int], None]
"""Told the number of derivations, then again and again the present number of atoms and of rules found."""


@dataclass(frozen=True, eq=False, slots=True)
class Request:
    """What is asked for: a form, data for a cover or a bracket, and how long to search."""

    form: Form
    data: Dataset | None
    expand_counts: bool
    bracket: Side | None
    budget: Budget
    progress: Progress

    @property
    def concepts(self) -> heads.Budget:
        """How many concepts there may be: beyond that, a flat program is found by the direct search."""
        return heads.Budget(MOST_NODES) if self.form == "flat" else heads.DEFAULT


def extract_encoded(network: Network, predicates: Sequence[str], request: Request) -> tuple[Bracket | None, Extracted]:
    """The rounding, if any, and the program; `predicates` are the user's, as `name/arity`, none for all."""
    start = time.monotonic()
    encoding = network_encoding(network)
    wanted = wanted_predicates(encoding, predicates)
    places = read_places(encoding, wanted)
    outputs = sorted({feature for feature, _ in places})
    try:
        found = concepts_of_bracket(
            network, request.bracket, request.data, request.budget.seconds, outputs, encoding.sorts, request.concepts
        )
    except LimitError:
        if request.form != "flat" or request.bracket is not None:
            raise
        return None, _flat(compose_flat(_searched(network, encoding, places, request), encoding, wanted), request)
    rounding, extraction = found
    roots = [extraction.heads[feature][sort] for feature, sort in places]
    number = sum(derivations(extraction.concepts, roots))
    request.progress(number, 0, 0)
    budget = request.budget.less(time.monotonic() - start)
    result = _of_form(extraction, encoding, wanted, replace(request, budget=budget))
    nodes = len(extraction.concepts.reachable(roots))
    return rounding, replace(result, derivations=number, concept_nodes=nodes)


def _searched(network: Network, encoding: Encoding, places: Sequence[tuple[int, int]], request: Request) -> FlatRules:
    """The canonical rules of a network with too many concepts, by the direct search, sort by sort."""
    parts: list[FlatRules] = []
    for sort in sorted({sort for _, sort in places}):
        outputs = [Output(feature, at) for feature, at in places if at == sort]
        found = direct_rules(network, encoding.sorts, outputs, request.budget)
        features = {network.features[output.index]: output.index for output in outputs}
        rules = tuple(replace(rule, head=head_name((features[rule.head], sort))) for rule in found.rules)
        parts.append(replace(found, rules=rules))
    whole = all(part.complete for part in parts)
    reached = [part.complete_up_to_atoms for part in parts if not part.complete]
    least = min((up_to for up_to in reached if up_to is not None), default=None)
    up_to = None if whole or None in reached else least
    return FlatRules(tuple(rule for part in parts for rule in part.rules), whole, up_to)


def wanted_predicates(encoding: Encoding, predicates: Sequence[str]) -> set[Predicate] | None:
    """The predicates of that name and arity, which the encoding must derive; None for all."""
    derived = [meaning.predicate for meaning in encoding.meanings if meaning.emitted]
    derived = derived or [rule.head.predicate for rule in encoding.decoder]
    by_name = {str(predicate): predicate for predicate in derived}
    by_name |= {f"{print_predicate_name(each.name)}/{each.arity}": each for each in derived}
    findings = Findings()
    for name in predicates:
        if name not in by_name:
            shown = ", ".join(f"`{each}`" for each in derived[:8]) + (", …" if len(derived) > 8 else "")
            findings.add("E453", f"the network does not derive `{name}`", hint=f"it derives {shown}")
    findings.raise_any(InputError)
    return {by_name[name] for name in predicates} if predicates else None


def _of_form(extraction: Extraction, encoding: Encoding, wanted: set[Predicate] | None, request: Request) -> Extracted:
    if request.form == "flat":
        return _flat(composed_rules(extraction, encoding, request.budget, wanted), request)
    if request.form == "cover":
        assert request.data is not None
        return _cover(extraction, encoding, wanted, request, request.data)
    names = {node: meaning.name for node, meaning in meanings(extraction).items()}
    made = compose_concepts(extraction, encoding, names, wanted)
    return plain_result("layered", _written(made.program, request), True, None)


def _flat(composed: ComposedRules, request: Request) -> Extracted:
    program = _written(composed.program, request)
    result = plain_result("flat", program, composed.complete, composed.complete_up_to_atoms)
    return replace(result, rules=len(composed.rules))


def _cover(
    extraction: Extraction, encoding: Encoding, wanted: set[Predicate] | None, request: Request, data: Dataset
) -> Extracted:
    """Rules that derive on the data what the network does, those that derive most first."""
    encoded = encoding.encode(data)
    places = read_places(encoding, wanted)
    wholes = [Head(head_name(place), extraction.heads[place[0]][place[1]], place[1]) for place in places]
    around = SortedGraph(encoded.graph, encoding.sorts, encoded.sorts)
    made = cover(extraction.concepts, wholes, around, (encoding.features, encoding.colours), request.budget)
    trees: dict[tuple[int, int], list[TreeFormula]] = {place: [] for place in places}
    by_name = {head_name(place): place for place in places}
    for rule in made.rules:
        trees[by_name[rule.head]].append(rule.body)
    composed = compose_trees(encoding, trees, wanted)
    ranked = sorted(
        zip(composed.rules, support(composed.program, data), strict=True), key=lambda each: -each[1].derived
    )
    layers = tuple(rule for rule in composed.program if rule.head.predicate in composed.program.auxiliary)
    program = replace(composed.program, rules=(*layers, *(rule for rule, _ in ranked)))
    derived = tuple(fared.derived for _, fared in ranked)
    remarks = ("",) * len(layers) + tuple(f"Derives {count:,} of the facts." for count in derived)
    complete = made.complete and not composed.left_out
    result = plain_result("cover", _written(program, request), complete, None)
    return replace(result, rules=len(composed.rules), support=derived, remarks=remarks)


def _written(program: Program, request: Request) -> Program:
    return expand_counts(program) if request.expand_counts else program
