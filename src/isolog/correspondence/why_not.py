"""What is missing for a fact that is not derived: the fewest facts that, added to the data, derive it.

The rule that these facts complete is the closest one; leaving out one of them in turn leads to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, product

from isolog.correspondence.derivations import Derivations
from isolog.correspondence.explain import SECONDS, Explainer, Explanation
from isolog.correspondence.hitting import Mask, elements
from isolog.correspondence.smallest_sets import Smallest, answered, smallest_set
from isolog.errors import Finding, LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Predicate, Term

MOST_CANDIDATES = 5_000
MOST_WAYS = 3
_AVOIDED = 4
_FRESH = 2
_NEAR = 40


@dataclass(frozen=True, slots=True)
class Way:
    """Facts that the data lack, none of which can be left out, and the explanation that holds once they are there."""

    missing: tuple[Atom, ...]
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Missing:
    """The closest way to derive a fact, and the closest ones by other rules, which avoid something that it needs.

    `proven` says that no fewer of the candidates do: facts about terms near the fact, and about two new ones.
    """

    fact: Atom
    missing: tuple[Atom, ...]
    proven: bool
    explanation: Explanation
    others: tuple[Way, ...] = ()


def why_not(explainer: Explainer, fact: Atom, seconds: float = SECONDS) -> Missing:
    """What would have to be added for the fact to be derived; it must not be derived already."""
    explainer.require_output(fact)
    near = explainer.near(fact)
    candidates = list(islice(_candidates(explainer, fact, near), MOST_CANDIDATES))
    search = _Search(explainer, fact, near, candidates)
    first = search.fewest(0, seconds)
    if first is None:
        message = f"no facts among {len(candidates):,} about terms near it derive `{fact.name}` there"
        hint = "`isolog extract` lists the rules that derive it, if there are any"
        raise LimitError(Finding("E492", message, hint=hint))
    way = search.way(first)
    others: list[Way] = []
    for each in islice(elements(first.chosen), _AVOIDED):
        found = search.fewest(1 << each, seconds / _AVOIDED)
        if found is not None:
            others.append(search.way(found))
    by_rule = {other.explanation.rule: other for other in sorted(others, key=lambda each: -len(each.missing))}
    by_rule.pop(way.explanation.rule, None)
    closest = sorted(by_rule.values(), key=lambda each: len(each.missing))[: MOST_WAYS - 1]
    return Missing(fact, way.missing, first.proven, way.explanation, tuple(closest))


class _Search:
    """A fact that is not derived, the facts near it, and those that might be added."""

    def __init__(self, explainer: Explainer, fact: Atom, near: Sequence[Atom], candidates: Sequence[Atom]) -> None:
        self.explainer, self.fact, self.near = explainer, fact, near
        self.derivations = Derivations(explainer.output(fact.predicate), fact, [*near, *candidates])
        self.given: Mask = (1 << len(near)) - 1

    def fewest(self, avoided: Mask, seconds: float) -> Smallest | None:
        """The fewest of the candidates that are not avoided with which the fact is derived; None if all are not."""
        places = range(len(self.near), len(self.derivations.facts))
        order = [place for place in places if not avoided >> place & 1]
        return answered(smallest_set(order, seconds), self._holds)

    def way(self, found: Smallest) -> Way:
        """What is added, and why the fact is derived then."""
        missing = self.derivations.chosen(found.chosen)
        richer = Explainer(self.explainer.network, Dataset.from_facts([*self.near, *missing]))
        whole = richer.explain(self.fact)
        assert whole is not None, "with what was missing, the fact is derived"
        return Way(missing, whole)

    def _holds(self, parts: Sequence[Mask]) -> list[bool]:
        return self.derivations.holds([part | self.given for part in parts])


def _candidates(explainer: Explainer, fact: Atom, near: Sequence[Atom]) -> Iterator[Atom]:
    """Facts that are not given, those about terms of the fact first, and of predicates that the output reads."""
    known = set(near) | {each for term in fact.arguments for each in explainer.about(term)}
    terms = dict.fromkeys([*fact.arguments, *(term for each in near for term in each.arguments)])
    chosen: list[Term] = [*islice(terms, _NEAR), *islice(_new_names(terms), _FRESH)]
    places = {term: place for place, term in enumerate(chosen)}
    found: list[tuple[int, Atom]] = []
    for predicate in _read(explainer, fact.predicate):
        for row in product(chosen, repeat=predicate.arity):
            new = Atom(predicate.name, row)
            if new not in known:
                found.append((max(places[term] for term in row), new))
    yield from (new for _, new in sorted(found, key=lambda each: each[0]))


def _read(explainer: Explainer, predicate: Predicate) -> list[Predicate]:
    """The user's predicates that the output depends on: as features, or as edges of the canonical encoding."""
    part = explainer.output(predicate).part
    meanings = [explainer.encoding.meanings[feature] for feature in part.features[part.read].tolist()]
    features = [meaning.predicate for meaning in meanings if meaning.predicate in explainer.encoding.signature]
    colours = [Predicate(name, 2) for name, read in zip(explainer.encoding.colours, part.colours) if read]
    return list(dict.fromkeys([*features, *(each for each in colours if each in explainer.encoding.signature)]))


def _new_names(known: dict[Term, None]) -> Iterator[Term]:
    return (name for number in count(1) if (name := f"new{number}") not in known)
