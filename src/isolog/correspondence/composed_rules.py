"""Flat programs over the user's predicates: the canonical flat rules of each sort, composed with P_enc and P_dec."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from isolog.concepts.flat import Head, flat_rules
from isolog.concepts.flat_rules import Budget, FlatRules
from isolog.correspondence.compose import Place, compose_trees, read_places
from isolog.correspondence.concepts_of_network import Extraction
from isolog.datalog.syntax import Program, Rule
from isolog.datalog.treelike import TreeFormula
from isolog.encodings.encoding import Encoding
from isolog.facts.terms import Predicate

_NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True)
class ComposedRules:
    """A flat program over the user's predicates; `rules` are those that do not define auxiliary predicates.

    `complete` says that it equals the network on all datasets of the user. Otherwise it is sound, and nothing is
    missing that follows from a canonical rule of at most `complete_up_to_atoms` atoms. `canonical_rules` is how many
    of them there are, and `user_atoms` the size of each rule.
    """

    program: Program
    rules: tuple[Rule, ...]
    user_atoms: tuple[int, ...]
    complete: bool
    complete_up_to_atoms: int | None
    canonical_rules: int
    derivations: int | None


def composed_rules(
    extraction: Extraction,
    encoding: Encoding,
    budget: Budget = _NO_LIMIT,
    predicates: Collection[Predicate] | None = None,
) -> ComposedRules:
    """The flat program of an encoded network, whose concepts were extracted with the sorts of the encoding; with
    `predicates`, what derives these."""
    places = read_places(encoding, predicates)
    heads = [Head(head_name(place), extraction.heads[place[0]][place[1]], place[1]) for place in places]
    flat = flat_rules(extraction.concepts, heads, encoding.sorts, (encoding.features, encoding.colours), budget)
    return compose_flat(flat, encoding, predicates)


def compose_flat(flat: FlatRules, encoding: Encoding, predicates: Collection[Predicate] | None = None) -> ComposedRules:
    """The same of canonical rules whose heads are places by `head_name`."""
    places = read_places(encoding, predicates)
    by_key = {head_name(place): place for place in places}
    trees: dict[Place, list[TreeFormula]] = {place: [] for place in places}
    for rule in flat.rules:
        trees[by_key[rule.head]].append(rule.body)
    composed = compose_trees(encoding, trees, predicates)
    up_to = flat.complete_up_to_atoms
    if composed.left_out:
        least = min(formula.atoms for formula in composed.left_out) - 1
        up_to = least if flat.complete or up_to is None else min(up_to, least)
    return ComposedRules(
        composed.program,
        composed.rules,
        composed.user_atoms,
        flat.complete and not composed.left_out,
        up_to,
        len(flat.rules),
        flat.derivations,
    )


def head_name(place: Place) -> str:
    """What a place is called while its rules are canonical."""
    feature, sort = place
    return f"{feature}@{sort}"
