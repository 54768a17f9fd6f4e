"""What is missing for a fact that is not derived: the fewest facts that, added to the data, derive it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, product

from isolog.correspondence.derivations import Derivations
from isolog.correspondence.explain import SECONDS, Explainer, Explanation
from isolog.correspondence.hitting import Mask
from isolog.correspondence.smallest_sets import answered, smallest_set
from isolog.errors import Finding, LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Predicate, Term

MOST_CANDIDATES = 5_000
_FRESH = 2
_NEAR = 40


@dataclass(frozen=True, slots=True)
class Missing:
    """Facts that the data lack, none of which can be left out, and the explanation that holds once they are there.

    `proven` says that no fewer of the candidates do: facts about terms near the fact, and about two new ones.
    """

    fact: Atom
    missing: tuple[Atom, ...]
    proven: bool
    explanation: Explanation


def why_not(explainer: Explainer, fact: Atom, seconds: float = SECONDS) -> Missing:
    """What would have to be added for the fact to be derived; it must not be derived already."""
    explainer.require_output(fact)
    near = explainer.near(fact)
    candidates = list(islice(_candidates(explainer, fact, near), MOST_CANDIDATES))
    derivations = Derivations(explainer.output(fact.predicate), fact, [*near, *candidates])
    given: Mask = (1 << len(near)) - 1

    def holds(parts: Sequence[Mask]) -> list[bool]:
        return derivations.holds([part | given for part in parts])

    found = answered(smallest_set(range(len(near), len(near) + len(candidates)), seconds), holds)
    if found is None:
        message = f"no facts among {len(candidates):,} about terms near it derive `{fact.name}` there"
        hint = "`isolog extract` lists the rules that derive it, if there are any"
        raise LimitError(Finding("E492", message, hint=hint))
    missing = derivations.chosen(found.chosen)
    whole = Explainer(explainer.network, Dataset.from_facts([*near, *missing])).explain(fact, seconds)
    assert whole is not None, "with what was missing, the fact is derived"
    return Missing(fact, missing, found.proven, whole)


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
