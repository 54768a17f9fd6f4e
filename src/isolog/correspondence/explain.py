"""Why a network derives a fact: the fewest facts of the data from which it does, the rule that they are, the proof.

The network derives the fact from the chosen facts alone, which one evaluation decides. So it derives the head of the
rule wherever these atoms are matched with distinct terms: the rule is captured, which is true of every dataset.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from isolog.correspondence.alike import Shape, renamed, shaped
from isolog.correspondence.capture_together import CaptureTest
from isolog.correspondence.derivations import Derivations, Output, derived_from
from isolog.correspondence.general_rule import Known, frozen_rule, general_rule
from isolog.correspondence.proofs import Proof, Step, prove
from isolog.correspondence.smallest_sets import Smallest, answered, smallest_set
from isolog.correspondence.surroundings import Surroundings
from isolog.correspondence.transformation import network_encoding
from isolog.correspondence.user_capture import constants_of
from isolog.datalog.parser import parse_rule
from isolog.datalog.syntax import Rule
from isolog.errors import Finding, InputError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import restrict
from isolog.facts.terms import Atom, Predicate, Term, is_ground
from isolog.facts.text import print_atom
from isolog.networks.classes import require_monotonic
from isolog.networks.network import Network
from isolog.networks.superlevel import superlevel

SECONDS = 2.0
_INSTANCES = 8_000
_SIDE_BY_SIDE = 400


@dataclass(frozen=True, eq=False, slots=True)
class Explanation:
    """The facts that a derivation uses, none of which it can do without, and the rule that the network captures.

    `minimal` says that no fewer facts of the data derive the fact. `atoms` counts the atoms of the canonical rule,
    `user_atoms` the facts.
    """

    fact: Atom
    rule: Rule
    atoms: int
    user_atoms: int
    minimal: bool
    facts: tuple[Atom, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Reason:
    """A derived fact and facts that it is derived from; `minimal` says that no fewer do."""

    fact: Atom
    facts: tuple[Atom, ...]
    minimal: bool


@dataclass(frozen=True, eq=False, slots=True)
class _Pattern:
    """What explanations of one shape share: the rule, its size, and a proof, with the terms that it is about."""

    terms: tuple[Term, ...]
    rule: Rule
    atoms: int
    proof: Proof


class Explainer:
    """A monotonic network and a dataset, prepared for explaining many facts."""

    def __init__(self, network: Network, dataset: Dataset, *, ignore_unknown: bool = False) -> None:
        require_monotonic(network)
        self.network = network
        self.encoding = network_encoding(network)
        if not self.encoding.is_monotone:
            message = f"under the encoding `{self.encoding.name}` more facts may derive fewer"
            hint = "explanations are for encodings without negation"
            raise UnsupportedError(Finding("E490", message, hint=hint))
        if self.encoding.lay_out is None:
            message = (
                f"the encoding `{self.encoding.name}` consists of programs alone, whose graphs are not looked into"
            )
            hint = "`isolog extract` gives the rules, and `isolog run --support` says how often each is used"
            raise UnsupportedError(Finding("E493", message, hint=hint))
        self.dataset = restrict(dataset, self.encoding.signature, ignore_unknown)
        self._around = Surroundings.of(network, self.encoding, self.dataset)
        self._known = Known(*constants_of([self.encoding.encoder]))
        self._outputs: dict[Predicate, Output] = {}
        self._patterns: dict[Shape, _Pattern] = {}
        self._rules: dict[Shape, Rule] = {}

    def explain(self, fact: Atom, seconds: float = SECONDS) -> Explanation | None:
        """The explanation of the fact; None if the network does not derive it."""
        self.require_output(fact)
        derivations = self._derivations(fact)
        found = answered(smallest_set(range(len(derivations.facts)), seconds), derivations.holds)
        if found is None:
            return None
        return self._explanation(Reason(fact, derivations.chosen(found.chosen), found.proven))

    def smallest(self, facts: Sequence[Atom], seconds: float = SECONDS) -> list[Reason | None]:
        """For each fact the facts that explain it, None for those that are not derived; found side by side."""
        reasons: list[Reason | None] = [None] * len(facts)
        by_predicate: dict[Predicate, list[int]] = {}
        for place, fact in enumerate(facts):
            self.require_output(fact)
            by_predicate.setdefault(fact.predicate, []).append(place)
        for places in by_predicate.values():
            for start in range(0, len(places), _SIDE_BY_SIDE):
                chunk = places[start : start + _SIDE_BY_SIDE]
                asked = [self._derivations(facts[place]) for place in chunk]
                for place, each, found in zip(chunk, asked, _together(asked, seconds), strict=True):
                    if found is not None:
                        reasons[place] = Reason(facts[place], each.chosen(found.chosen), found.proven)
        return reasons

    def all(self, facts: Sequence[Atom], seconds: float = SECONDS) -> Iterator[Explanation]:
        """The explanations of derived facts, in order."""
        for fact, reason in zip(facts, self.smallest(facts, seconds), strict=True):
            assert reason is not None, f"{print_atom(fact)} is not derived"
            yield self._explanation(reason)

    def _derivations(self, fact: Atom) -> Derivations:
        return Derivations(self.output(fact.predicate), fact, self._around.facts(fact))

    def output(self, predicate: Predicate) -> Output:
        """What derives facts of the predicate."""
        if predicate not in self._outputs:
            self._outputs[predicate] = Output(self.network, self.encoding, predicate)
        return self._outputs[predicate]

    def _explanation(self, reason: Reason) -> Explanation:
        fact, facts = reason.fact, reason.facts
        shape, terms = shaped(fact, facts, self._known.constants)
        pattern = self._patterns.get(shape)
        if pattern is None:
            proof = self.proof(fact, facts)
            atoms = len(facts) if self.encoding.name == "canonical" else canonical_atoms(proof)
            pattern = self._patterns[shape] = _Pattern(terms, self.rule(fact, facts), atoms, proof)
        proof = renamed(pattern.proof, fact, dict(zip(pattern.terms, terms, strict=True)))
        return Explanation(fact, pattern.rule, pattern.atoms, len(facts), reason.minimal, facts, proof)

    def proof(self, fact: Atom, facts: Iterable[Atom]) -> Proof:
        """How the network derives the fact from these facts."""
        around = Surroundings.of(self.network, self.encoding, Dataset.from_facts(facts))
        output = self.output(fact.predicate).unit
        low = superlevel(self.network.layers[-1].activation, self.network.thresholds[output])[0][0]
        return prove(around, fact, output, low)

    def rule(self, fact: Atom, facts: Sequence[Atom]) -> Rule:
        """The most general rule with these atoms that is known to be captured; made once for facts of one shape."""
        shape = shaped(fact, facts, self._known.constants).shape
        if shape not in self._rules:
            test = CaptureTest(self.output(fact.predicate), _INSTANCES)
            self._rules[shape] = general_rule(self.frozen(fact, facts), test)
        return self._rules[shape]

    def has_rule(self, fact: Atom, facts: Sequence[Atom]) -> bool:
        """Whether the rule is there already, for facts of the same shape."""
        return shaped(fact, facts, self._known.constants).shape in self._rules

    def frozen(self, fact: Atom, facts: Iterable[Atom]) -> Rule:
        """The rule with these atoms, whose variables are all distinct, as it is captured by what a derivation is."""
        return frozen_rule(fact, facts, self._known)

    def near(self, fact: Atom) -> list[Atom]:
        """The facts of the data that have a say in whether this one is derived, the nearest first."""
        return self._around.facts(fact) or [each for term in dict.fromkeys(fact.arguments) for each in self.about(term)]

    def about(self, term: Term) -> list[Atom]:
        """The facts of the data about the term."""
        return self._around.by_term.get(term, [])

    def require_output(self, fact: Atom) -> None:
        """Refuses what the network cannot derive whatever the data."""
        if not all(map(is_ground, fact.arguments)):
            raise InputError(Finding("E101", f"`{print_atom(fact)}` has a variable, so it is not a fact", fact.span))
        if self.encoding.output(fact.predicate) is None:
            hint = self.encoding.signature.nearest(fact.predicate) or "`isolog inspect` lists what it knows"
            raise InputError(Finding("E491", f"the network derives no `{fact.predicate}`", fact.span, hint))


def explain(network: Network, dataset: Dataset, fact: Atom | str, *, seconds: float = SECONDS) -> Explanation | None:
    """Why the network derives the fact from the dataset; None if it does not.

    >>> from isolog.facts.signature import Signature
    >>> from isolog.networks.network import Layer
    >>> both = Layer.from_fractions([[1, 1], [0, 0]], [], [-1, 0])
    >>> data = Dataset.from_facts([Atom("A", ("a",)), Atom("B", ("a",)), Atom("B", ("b",))])
    >>> found = explain(Network.canonical(Signature.of(["A", "B"]), [both]), data, "A(a)")
    >>> found.user_atoms, found.minimal
    (2, True)
    """
    return Explainer(network, dataset).explain(parse_fact(fact) if isinstance(fact, str) else fact, seconds)


def parse_fact(text: str) -> Atom:
    """The fact that a text such as `father(ann, bob)` says."""
    rule = parse_rule(text.strip().rstrip(".") + " :- true.")
    return rule.head


def _together(asked: Sequence[Derivations], seconds: float) -> list[Smallest | None]:
    """The smallest sets for all; the questions of a round are answered in one application of the network.

    What a round takes is shared by those who asked, so each has as much time as if it were alone.
    """
    spent = 0.0
    searches = [smallest_set(range(len(each.facts)), seconds, lambda: spent) for each in asked]
    results: list[Smallest | None] = [None] * len(searches)
    answers: dict[int, list[bool] | None] = dict.fromkeys(range(len(searches)))
    while answers:
        start = time.monotonic()
        questions: list[tuple[int, Sequence[int]]] = []
        for place, answer in answers.items():
            try:
                search = searches[place]
                questions.append((place, next(search) if answer is None else search.send(answer)))
            except StopIteration as end:
                results[place] = end.value
        found = derived_from([(asked[place], parts) for place, parts in questions]) if questions else []
        spent += (time.monotonic() - start) / len(answers)
        answers = {place: answer for (place, _), answer in zip(questions, found, strict=True)}
    return results


def canonical_atoms(proof: Proof) -> int:
    """How many features and edges the proof uses."""
    features: set[tuple[int, int]] = set()
    edges: set[tuple[str, int, int]] = set()
    waiting: list[Step] = [proof.root]
    seen: set[tuple[int, int, int]] = set()
    for step in waiting:
        if (step.layer, step.unit, step.vertex) in seen:
            continue
        seen.add((step.layer, step.unit, step.vertex))
        if step.layer == 0:
            features.add((step.vertex, step.unit))
        for use in step.uses:
            if use.way is not None:
                edges.add((use.way, step.vertex, use.step.vertex))
            waiting.append(use.step)
    return len(features) + len(edges)
