"""Are the sorts that an encoding declares true of every graph that P_enc makes? Proved, or tested on generated data.

What rules alone show (which sorts have which features and neighbours) is checked when an encoding is read. Here the
numbers of neighbours are: at most one neighbour is proved where the rules give it as a function of the vertex, at
least one where whatever makes a vertex also makes the edge. Other claims are tested, and so said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from isolog.correspondence.homomorphism import Definitions, matches
from isolog.correspondence.schemes import Schemes, Vertex
from isolog.correspondence.unfolding import EMPTY, Unfolding
from isolog.correspondence.unify import bind_literal, resolved, unify
from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import BodyLiteral, rule_variables
from isolog.encodings.encoding import Encoding
from isolog.engines import reference
from isolog.errors import Finding, InputError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Term, Variable, variables_of
from isolog.facts.text import print_atom

TESTED = 100
MOST_CASES = 1_000
Verdict = Literal["proved", "tested", "refuted"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of the vertices of a sort, how that was found, and a dataset that refutes it, if one does."""

    text: str
    verdict: Verdict
    counterexample: Dataset | None = None


def sort_claims(encoding: Encoding, tested: int = TESTED) -> tuple[Claim, ...]:
    """Every bound on numbers of neighbours that the sorts declare, with its verdict."""
    prover = _Prover(encoding)
    claims: list[Claim] = []
    for sort, described in enumerate(encoding.sorts):
        for colour, around in enumerate(described.neighbours):
            if around is None:
                continue
            name = f"`{encoding.colours[colour]}` neighbours of `{described.name}`"
            if around.at_most != math.inf:
                proved = prover.at_most(sort, colour) <= around.at_most
                claims.append(_claim(encoding, f"at most {around.at_most} {name}", proved, (sort, colour), tested))
            if around.at_least:
                proved = prover.at_least(sort, colour) >= around.at_least
                claims.append(_claim(encoding, f"at least {around.at_least} {name}", proved, (sort, colour), tested))
    return tuple(claims)


def require_sorts(encoding: Encoding) -> None:
    """An InputError with the claims about sorts that are wrong, and datasets on which they are."""
    refuted = [claim for claim in sort_claims(encoding) if claim.counterexample is not None]
    if refuted:
        shown = [", ".join(map(print_atom, claim.counterexample or ())) for claim in refuted]
        raise InputError(
            Finding(
                "E272", f"the sorts of `{encoding.name}` do not hold: {claim.text}", hint=f"they fail on {{{facts}}}"
            )
            for claim, facts in zip(refuted, shown, strict=True)
        )


def _claim(encoding: Encoding, text: str, proved: bool, place: tuple[int, int], tested: int) -> Claim:
    if proved:
        return Claim(text, "proved")
    wrong = next((data for data in _samples(encoding, tested) if not _holds(encoding, data, *place)), None)
    return Claim(text, "tested" if wrong is None else "refuted", wrong)


def _holds(encoding: Encoding, dataset: Dataset, sort: int, colour: int) -> bool:
    schemes = Schemes(encoding)
    around = encoding.sorts[sort].neighbours[colour]
    assert around is not None
    encoded = reference.run(encoding.encoder, dataset)
    counts = {term: 0 for term in encoded.terms if schemes.vertex(term).sort == sort}
    for fact in encoded:
        if fact.name == encoding.colours[colour] and len(fact.arguments) == 2 and fact.arguments[0] in counts:
            counts[fact.arguments[0]] += 1
    return all(around.at_least <= count <= around.at_most for count in counts.values())


def _samples(encoding: Encoding, number: int) -> Iterator[Dataset]:
    """Small random datasets over the user's signature, always the same ones."""
    random = np.random.default_rng(0)
    predicates = encoding.signature.predicates
    constants = [f"c{i}" for i in range(5)]
    for _ in range(number):
        chosen = [predicates[i] for i in random.integers(0, len(predicates), random.integers(1, 9))]
        facts = [Atom(p.name, tuple(constants[i] for i in random.integers(0, 5, p.arity))) for p in chosen]
        yield Dataset.from_facts(facts)


class _Prover:
    """What the rules of P_enc show about numbers of neighbours."""

    def __init__(self, encoding: Encoding) -> None:
        self.unfolding = Unfolding(Schemes(encoding))
        self.definitions = Definitions.of(self.unfolding.schemes.kept)

    def at_most(self, sort: int, colour: int) -> float:
        """No vertex of the sort has more neighbours, as far as this shows: its neighbours are terms made of its own."""
        at = self.unfolding.generic(sort)
        own = _variables(at.terms)
        targets: set[tuple[Term, ...]] = set()
        for (target,), state in self.unfolding.neighbours(colour, at, 1, EMPTY):
            terms = tuple(resolved(term, state.bindings) for term in (*target.terms, *at.terms))
            if not _variables(terms) <= own:
                return math.inf
            targets.add(terms[: len(target.terms)])
        return len(targets)

    def at_least(self, sort: int, colour: int) -> int:
        """Every vertex of the sort has as many neighbours, as far as this shows: 1 or 0."""
        at = self.unfolding.generic(sort)
        return int(all(self._has_neighbour(sort, colour, *way) for way in self._ways(at)))

    def _ways(self, at: Vertex) -> Iterator[tuple[tuple[Term, ...], list[BodyLiteral]]]:
        for _, state in self.unfolding.exists(at, EMPTY):
            body = state.body()
            if body is not None:
                yield tuple(resolved(t, state.bindings) for t in at.terms), self.definitions.closure(body)

    def _has_neighbour(self, sort: int, colour: int, terms: tuple[Term, ...], facts: list[BodyLiteral]) -> bool:
        """Whether a rule gives the neighbour, in every case of how the auxiliary atoms among the facts came about."""
        wanted: list[tuple[BodyLiteral, ...]] = []
        for _, state in self.unfolding.neighbours(colour, Vertex(sort, terms), 1, EMPTY):
            body = state.body()
            if body is not None and all(resolved(term, state.bindings) == term for term in terms):
                wanted.append(tuple(each for each in body if not self._is_true(each)))
        known = {v: v for v in _variables(terms)}
        waiting, cases = [(tuple(facts), frozenset[Atom]())], 0
        while waiting:
            case, split = waiting.pop()
            if any(next(matches(body, case, known), None) is not None for body in wanted):
                continue
            auxiliary = (each for each in case if isinstance(each, Atom) and each not in split)
            atom = next((each for each in auxiliary if self._ways_to(each)), None)
            cases += 1
            if atom is None or cases > MOST_CASES:
                return False
            ways = self._ways_to(atom)
            waiting += [(tuple(self.definitions.closure((*case, *body))), split | {atom}) for body in ways]
        return True

    def _is_true(self, literal: BodyLiteral) -> bool:
        """Whether the literal holds of all terms."""
        return isinstance(literal, Atom) and literal.predicate in self.definitions.universal

    def _ways_to(self, atom: Atom) -> list[tuple[BodyLiteral, ...]]:
        """The bodies from which rules derive the auxiliary atom; none for atoms of the user."""
        found: list[tuple[BodyLiteral, ...]] = []
        for rule in self.unfolding.schemes.kept:
            if rule.head.predicate == atom.predicate:
                names = {variable: self.unfolding.variable() for variable in rule_variables(rule)}
                apart = rename_rule(rule, names.__getitem__)
                bindings = unify(atom.arguments, apart.head.arguments, {})
                if bindings is not None:
                    found.append(tuple(bind_literal(literal, bindings) for literal in apart.body))
        return found


def _variables(terms: tuple[Term, ...]) -> set[Variable]:
    return {variable for term in terms for variable in variables_of(term)}
