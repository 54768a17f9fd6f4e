"""What an encoding reads: the user's predicates, and those that modifiers such as `inverses` add to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from isolog.datalog.syntax import Program, Rule
from isolog.encodings.blocks import Shape
from isolog.encodings.encoding import Encoding, Layout, Meaning
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate, Variable
from isolog.graphs.sorts import Neighbourhood, Sort

Options: TypeAlias = Mapping[str, Any]
_VARIABLES = (Variable("X"), Variable("Y"), Variable("Z"))


@dataclass(frozen=True, slots=True)
class Source:
    """The user's signature, the predicates added to it with the auxiliary rules that define them, and both in fast."""

    name: str
    given: Signature
    added: tuple[Predicate, ...] = ()
    rules: tuple[Rule, ...] = ()
    auxiliary: frozenset[Predicate] = frozenset()
    add: Callable[[Dataset], Dataset] | None = None

    @property
    def signature(self) -> Signature:
        """The given and the added predicates: unary ones first, each kind in order."""
        both = Signature((*self.given.predicates, *self.added))
        return Signature.of(both.unary, both.binary)

    def free_name(self, wanted: str) -> str:
        """The name, or one like it, that no predicate has: auxiliary predicates must not hide the user's."""
        taken = {predicate.name for predicate in (*self.given.predicates, *self.auxiliary)}
        names = (wanted, *(f"{wanted}_{number}" for number in range(2, len(taken) + 3)))
        return next(name for name in names if name not in taken)

    def with_auxiliary(self, rules: Iterable[Rule]) -> Source:
        """The same with more rules, all of whose heads are auxiliary."""
        rules = tuple(rules)
        heads = frozenset(rule.head.predicate for rule in rules)
        return replace(self, rules=(*self.rules, *rules), auxiliary=self.auxiliary | heads)

    def meanings(self, unary: int, binary: int) -> tuple[Meaning, ...]:
        """One feature per predicate, in order: unary ones at vertices of one sort, binary ones at those of another."""
        kept = set(self.given.predicates)
        return tuple(
            Meaning(p, unary if p.arity == 1 else binary, tuple(range(p.arity)), p in kept)
            for p in self.signature.predicates
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """What a base encoding says beside its rules for features: sorts by name, shape and neighbours, and its edges.

    The heads of `edges` are colours; without binary predicates nothing defines what they read, and they are left
    out. `neighbours` has an entry per sort and colour.
    """

    colours: tuple[str, ...]
    sorts: tuple[tuple[str, Shape], ...]
    neighbours: tuple[tuple[Neighbourhood | None, ...], ...]
    edges: tuple[Rule, ...]


def assemble(
    source: Source,
    frame: Frame,
    meanings: tuple[Meaning, ...],
    features: tuple[str, ...],
    lay_out: Callable[[Dataset], Layout],
) -> Encoding:
    """The encoding with a feature per meaning: P_enc and P_dec are written from the frame and the meanings."""
    shapes = tuple(shape for _, shape in frame.sorts)
    labels = [_label(meaning, feature, shapes) for meaning, feature in zip(meanings, features, strict=True)]
    encoder = _defined((*source.rules, *(rule for rule, _ in labels), *frame.edges), source.given)
    auxiliary = source.auxiliary & {rule.head.predicate for rule in encoder}
    decoder = tuple(decoded for (_, decoded), meaning in zip(labels, meanings, strict=True) if meaning.emitted)
    sorts = tuple(
        Sort(name, frozenset(i for i, meaning in enumerate(meanings) if meaning.sort == number), around)
        for number, ((name, _), around) in enumerate(zip(frame.sorts, frame.neighbours, strict=True))
    )
    return Encoding(
        source.name,
        source.given,
        features,
        frame.colours,
        sorts,
        shapes,
        Program(encoder, auxiliary, _declared(source.given, encoder)),
        Program(decoder, signature=_declared(Signature.of(features, frame.colours), decoder)),
        meanings,
        source.add,
        lay_out,
    )


def canonical_names(meanings: Iterable[Meaning]) -> tuple[str, ...]:
    """Features named `predicate/arity`."""
    return tuple(str(meaning.predicate) for meaning in meanings)


def _defined(rules: tuple[Rule, ...], given: Signature) -> tuple[Rule, ...]:
    """The rules that can fire: without those that read what no data and no other of them can have."""
    while True:
        known = {*given.predicates, *(rule.head.predicate for rule in rules)}
        kept = tuple(rule for rule in rules if all(atom.predicate in known for atom in rule.body_atoms))
        if len(kept) == len(rules):
            return kept
        rules = kept


def _declared(read: Signature, rules: Iterable[Rule]) -> Signature:
    """The signature of a program that reads these predicates, with those heads that share a name with another."""
    heads = dict.fromkeys(rule.head.predicate for rule in rules)
    arities: dict[str, set[int]] = {}
    for name, arity in (*read.predicates, *heads):
        arities.setdefault(name, set()).add(arity)
    return Signature((*read.predicates, *(p for p in heads if len(arities[p.name]) > 1 and p not in read)))


def _label(meaning: Meaning, feature: str, shapes: tuple[Shape, ...]) -> tuple[Rule, Rule]:
    """The rule that encodes such facts, and the one that decodes them."""
    variables = _VARIABLES[: meaning.predicate.arity]
    fact = Atom(meaning.predicate.name, variables)
    label = Atom(feature, (shapes[meaning.sort].term([variables[column] for column in meaning.columns]),))
    return Rule(label, (fact,)), Rule(fact, (label,))
