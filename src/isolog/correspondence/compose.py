"""P_dec ∘ P_N ∘ P_enc (paper §3.2): the program over the user's predicates that an encoded network equals.

Equal on all datasets over the user's signature, function-free, and with `not` only where the encoder has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from itertools import count as integers

from isolog.concepts.dag import BOTTOM, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.correspondence.concepts_of_network import Extraction
from isolog.correspondence.homomorphism import Definitions, irredundant, simplified
from isolog.correspondence.schemes import Reading, Schemes, Vertex
from isolog.correspondence.unfolding import EMPTY, Goal, Holds, State, Tree, Unfolding
from isolog.correspondence.unify import bind_atom, resolved
from isolog.correspondence.wording import readable
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import BodyLiteral, Count, Program, Rule, literal_variables
from isolog.datalog.treelike import TreeFormula
from isolog.encodings.encoding import Encoding
from isolog.errors import LimitError
from isolog.facts.terms import Atom, Predicate

Place = tuple[int, int]
"""A feature, and the sort of the vertices that have it."""


def read_places(encoding: Encoding, predicates: Collection[Predicate] | None = None) -> list[Place]:
    """The features that the decoder reads, each with the sort at which it does, in order; with `predicates`, those that
    it needs for these."""
    readings = _wanted(Schemes(encoding), predicates)
    return sorted({(feature, vertex.sort) for reading in readings for feature, vertex in reading.labels})


@dataclass(frozen=True, slots=True)
class Composed:
    """A program over the user's predicates; `rules` are those that do not define auxiliary predicates.

    It lacks what follows from the formulas in `left_out`, each of which unfolds to more rules than the limit.
    """

    program: Program
    rules: tuple[Rule, ...]
    left_out: tuple[TreeFormula, ...] = ()

    @property
    def user_atoms(self) -> tuple[int, ...]:
        """The number of body atoms of each rule, counts expanded; inequalities do not count."""
        return tuple(sum(map(_atoms, rule.body)) for rule in self.rules)


def compose_trees(
    encoding: Encoding,
    trees: Mapping[Place, Iterable[TreeFormula]],
    predicates: Collection[Predicate] | None = None,
) -> Composed:
    """The program that derives what the decoder reads off labels which these tree-like formulas give to vertices.

    None of its rules is implied by another one, as far as a substitution shows it.
    """
    composition = _Composition(Schemes(encoding))
    formulas = {place: list(found) for place, found in trees.items()}
    left_out: list[TreeFormula] = []
    for reading in _wanted(composition.schemes, predicates):
        for chosen in _choices(reading, formulas):
            goals = [Tree(formula, vertex) for formula, (_, vertex) in zip(chosen, reading.labels, strict=True)]
            try:
                composition.derive(reading, goals)
            except LimitError:
                left_out += chosen
    return replace(composition.program(), left_out=tuple(left_out))


def compose_concepts(
    extraction: Extraction,
    encoding: Encoding,
    names: Mapping[Node, str] | None = None,
    predicates: Collection[Predicate] | None = None,
) -> Composed:
    """The layered program: concepts that are shared are auxiliary predicates of the terms of their vertices."""
    composition = _Composition(Schemes(encoding), extraction.concepts)
    heads = {place: extraction.heads[place[0]][place[1]] for place in read_places(encoding, predicates)}
    composition.name(heads, names or {})
    composition.define()
    for reading in _wanted(composition.schemes, predicates):
        composition.derive(reading, [Holds(heads[feature, at.sort], at) for feature, at in reading.labels])
    return composition.program()


class _Composition:
    """A program in the making."""

    def __init__(self, schemes: Schemes, concepts: Concepts | None = None) -> None:
        self.schemes = schemes
        self.unfolding = Unfolding(schemes, concepts)
        self.definitions = Definitions.of(schemes.kept)
        self.rules: list[Rule] = []
        self.layers: list[Rule] = []
        self._always: dict[int, tuple[Vertex, list[Atom]]] = {}

    def derive(self, reading: Reading, goals: Sequence[Goal]) -> None:
        """Adds the rules for a rule of P_dec whose labels these goals give."""
        self.rules += self._rules(reading.head, goals, reading.rest)

    def name(self, heads: Mapping[Place, Node], names: Mapping[Node, str]) -> None:
        """Gives a predicate to every concept, at a sort, that is shared or is a disjunction within a rule."""
        concepts, schemes = self.unfolding.concepts, self.schemes
        waiting = [(node, sort) for (_, sort), node in heads.items()]
        uses, within = Counter(waiting), Counter[tuple[Node, int]]()
        seen = set(waiting)
        while waiting:
            node, sort = waiting.pop()
            counted = concepts.kinds[node] == COUNT
            sorts = schemes.targets(concepts.quantity(node).colour, sort) if counted else [sort]
            times = 2 if counted and schemes.branches(concepts.quantity(node), sort) else 1
            for part in ((part, other) for part in concepts.parts(node) for other in sorts):
                uses[part] += times
                within[part] += concepts.kinds[node] != OR
                if part not in seen:
                    seen.add(part)
                    waiting.append(part)
        taken = {predicate.name for predicate in (*schemes.encoding.signature.predicates, *schemes.kept.auxiliary)}
        taken |= {reading.head.name for reading in schemes.readings}
        for node, sort in sorted(seen):
            kind = concepts.kinds[node]
            if node in (TOP, BOTTOM) or kind == LABEL:
                continue
            if uses[node, sort] >= 2 or (kind == OR and within[node, sort]):
                suggestion = names.get(node, f"part_{len(self.unfolding.named) + 1}")
                others = (f"{suggestion}_{number}" for number in integers(2))
                name = next(free for free in chain([suggestion], others) if free not in taken)
                taken.add(name)
                self.unfolding.named[node, sort] = name

    def define(self) -> None:
        """Adds the rules of the named concepts; that such a vertex exists is known from then on."""
        for (node, sort), name in self.unfolding.named.items():
            at = self.unfolding.generic(sort)
            head = Atom(name, at.terms)
            rules = self._rules(head, [Holds(node, at, is_defined=True)])
            self.layers += rules
            if not rules:
                self.unfolding.empty.add((node, sort))
            for atom in self._existence(at):
                self.definitions.add(Rule(atom, (head,)))

    def program(self) -> Composed:
        """The program of all that was added."""
        rules = [readable(rule) for rule in _by_head(self.rules, self.definitions)]
        layers = [readable(rule) for rule in _by_head(self.layers, self.definitions)]
        return Composed(_program([*layers, *rules], layers, self.schemes), tuple(rules))

    def _existence(self, at: Vertex) -> list[Atom]:
        """The auxiliary atoms of P_enc that hold wherever there is such a vertex."""
        if at.sort not in self._always:
            generic = self.unfolding.generic(at.sort)
            self._always[at.sort] = generic, self._common(generic)
        generic, atoms = self._always[at.sort]
        values = dict(zip(generic.terms, at.terms, strict=True))
        return [Atom(atom.name, tuple(values[term] for term in atom.arguments)) for atom in atoms]

    def _common(self, at: Vertex) -> list[Atom]:
        """The same for a vertex of variables: what follows from every way in which there can be one."""
        ways: list[set[BodyLiteral]] = []
        for _, state in self.unfolding.exists(at, EMPTY):
            body = state.body()
            if body is None or any(resolved(term, state.bindings) != term for term in at.terms):
                return []
            ways.append(set(self.definitions.closure(body)))
        common = set.intersection(*ways) if ways else set[BodyLiteral]()
        kept = (each for each in common if isinstance(each, Atom) and each.predicate in self.schemes.kept.auxiliary)
        return sorted((atom for atom in kept if set(atom.arguments) <= set(at.terms)), key=repr)

    def _rules(self, head: Atom, goals: Sequence[Goal], rest: Sequence[BodyLiteral] = ()) -> list[Rule]:
        """The rules that derive the head where the goals hold."""
        found: dict[Rule, None] = {}
        for state in list(self.unfolding.alternatives(goals, State({}, tuple(rest)))):
            body = state.body()
            if body is not None:
                bound = Rule(bind_atom(head, state.bindings), body)
                inside = tuple(_simpler_count(each, bound, self.definitions) for each in body)
                found[simplified(Rule(bound.head, inside), self.definitions)] = None
        return list(found)


def _wanted(schemes: Schemes, predicates: Collection[Predicate] | None) -> list[Reading]:
    """The rules of P_dec for these predicates, all of them for None."""
    return [each for each in schemes.readings if predicates is None or each.head.predicate in predicates]


def _choices(reading: Reading, formulas: Mapping[Place, Sequence[TreeFormula]]) -> Iterator[tuple[TreeFormula, ...]]:
    """The ways to make all labels of a rule of P_dec true."""
    return product(*(formulas.get((feature, at.sort), ()) for feature, at in reading.labels))


def _simpler_count(literal: BodyLiteral, rule: Rule, definitions: Definitions) -> BodyLiteral:
    """A count with a simpler body, for the values that it counts and the variables that it shares with the rule."""
    if not isinstance(literal, Count):
        return literal
    around = {v for each in (rule.head, *rule.body) if each != literal for v in literal_variables(each)}
    kept = [v for v in dict.fromkeys(literal_variables(literal)) if v in around or v == literal.variable]
    inner = tuple(_simpler_count(each, Rule(Atom("", tuple(kept)), literal.body), definitions) for each in literal.body)
    body = simplified(Rule(Atom("", tuple(kept)), inner), definitions).body
    return replace(literal, body=body or literal.body)


def _by_head(rules: Iterable[Rule], definitions: Definitions) -> list[Rule]:
    """The rules, head by head, without those that others imply."""
    grouped: dict[Predicate, list[Rule]] = {}
    for rule in rules:
        grouped.setdefault(rule.head.predicate, []).append(rule)
    return [rule for group in grouped.values() for rule in irredundant(group, definitions)]


def _program(rules: Sequence[Rule], layers: Sequence[Rule], schemes: Schemes) -> Program:
    """The rules with what defines the auxiliary predicates that they read."""
    local = {rule.head.predicate for rule in layers}
    used = {atom.predicate for rule in rules for atom, _ in body_atoms(rule.body)}
    while True:
        kept = [rule for rule in schemes.kept if rule.head.predicate in used]
        more = {atom.predicate for rule in kept for atom, _ in body_atoms(rule.body)} - used
        if not more:
            break
        used |= more
    auxiliary = frozenset(rule.head.predicate for rule in kept) | local
    return Program((*kept, *rules), auxiliary, schemes.encoding.signature)


def _atoms(literal: BodyLiteral) -> int:
    """Body atoms, with counts expanded."""
    if isinstance(literal, Count):
        return literal.at_least * sum(map(_atoms, literal.body))
    return int(isinstance(literal, Atom))
