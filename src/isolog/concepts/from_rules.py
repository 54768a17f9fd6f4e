"""Tree-like rules as concepts (Hall's theorem), and layered programs, whose auxiliary predicates are concepts too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as integers

from isolog.concepts.dag import BOTTOM, Concepts, Node
from isolog.datalog.recognise import recognise
from isolog.datalog.scope import free_variables, scoped
from isolog.datalog.stratify import auxiliary_dependencies, body_atoms, strata
from isolog.datalog.syntax import BodyLiteral, Count, Program, Rule
from isolog.datalog.tree_implication import maps_into
from isolog.datalog.treelike import Group, TreeFormula
from isolog.errors import Finding, LimitError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Variable

MOST_SETS = 1 << 16


def concept_of_tree(
    concepts: Concepts, formula: TreeFormula, features: Mapping[str, int], colours: Mapping[str, int]
) -> Node:
    """The concept that holds where the formula has a match; features and colours by name.

    >>> from isolog.datalog.treelike import TOP, group, tree_formula
    >>> store = Concepts()
    >>> node = concept_of_tree(store, tree_formula([], [group("r", TOP, TOP)]), {}, {"r": 0})
    >>> store.quantity(node)
    Quantity(at_least=2, colour=0)
    """
    return _Reader(concepts, features, colours, {}).tree(formula)


def concepts_of_program(
    concepts: Concepts, program: Program, features: Mapping[str, int], colours: Mapping[str, int]
) -> dict[str, Node]:
    """Per head that is not auxiliary, the concept that holds where the program derives it.

    The rules must be tree-like, auxiliary predicates and counts over them included; an error has every reason why
    some are not. Features and colours must name what `read_signature` lists.
    """
    reader = _Reader(concepts, features, colours, {})
    rules: dict[str, list[Node]] = {}
    findings: list[Finding] = []
    for rule in _in_order(program):
        try:
            node = reader.rule(rule)
        except UnsupportedError as error:
            findings += error.findings
            node = BOTTOM
        rules.setdefault(rule.head.name, []).append(node)
        if rule.head.predicate in program.auxiliary:
            reader.named[rule.head.name] = concepts.either(reader.named.get(rule.head.name, BOTTOM), node)
    if findings:
        raise UnsupportedError(findings)
    auxiliary = {predicate.name for predicate in program.auxiliary}
    return {name: concepts.any_of(nodes) for name, nodes in rules.items() if name not in auxiliary}


def read_signature(program: Program) -> Signature:
    """The unary and binary predicates of the data that the rules read."""
    read = {atom.predicate for rule in program for atom, _ in body_atoms(rule.body)} - program.auxiliary
    return Signature.of(*(sorted(name for name, arity in read if arity == wanted) for wanted in (1, 2)))


def _in_order(program: Program) -> Iterable[Rule]:
    """The rules, those of an auxiliary predicate before all that read it."""
    order = [name for stratum in strata(program.auxiliary, auxiliary_dependencies(program)) for name in stratum]
    places = {predicate: place for place, predicate in enumerate(order)}
    return sorted(program, key=lambda rule: places.get(rule.head.predicate, len(order)))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads formulas; `named` are the concepts of auxiliary predicates and of counts, as labels."""

    concepts: Concepts
    features: Mapping[str, int]
    colours: Mapping[str, int]
    named: dict[str, Node]

    def tree(self, formula: TreeFormula) -> Node:
        """What the formula says of its root."""
        labels = [
            self.named[name] if name in self.named else self.concepts.label(self.features[name])
            for name in formula.labels
        ]
        return self.concepts.all_of([*labels, *(part for group in formula.groups for part in self.hall(group))])

    def hall(self, group: Group) -> list[Node]:
        """Distinct neighbours for all children exist iff every set of children has at least as many neighbours that
        satisfy one of it; it suffices to ask this of sets that contain whatever implies one of their members."""
        classes = Counter(group.children)
        implied_by = {one: {other for other in classes if maps_into(one, other)} for one in classes}
        strongest_first = sorted(classes, key=lambda one: len(implied_by[one]))
        sets: list[tuple[frozenset[TreeFormula], int, Node]] = [(frozenset(), 0, BOTTOM)]
        for place, child in enumerate(strongest_first):
            node, needed = self.tree(child), implied_by[child].intersection(strongest_first[:place])
            sets += [
                (members | {child}, size + classes[child], self.concepts.either(whole, node))
                for members, size, whole in sets
                if needed <= members
            ]
            if len(sets) > MOST_SETS:
                message = f"{len(classes)} different neighbours that must be distinct: up to {2 ** len(classes):,} sets"
                hint = f"the limit is {MOST_SETS:,}; fewer inequalities, or `#count`, ask for less"
                raise LimitError(Finding("E415", message, hint=hint))
        return [self.concepts.at_least(size, self.colours[group.colour], whole) for _, size, whole in sets[1:]]

    def rule(self, rule: Rule) -> Node:
        """Where the rule fires."""
        scopes = scoped(rule)
        return self.body(scopes.rule.head, scopes.rule.body, scopes.outer)

    def body(self, head: Atom, body: Sequence[BodyLiteral], outer: Mapping[Count, Sequence[Variable]]) -> Node:
        """What the body says of the head's variable, counts cut out: a count may be too large to be spelled out."""
        return self.tree(recognise(Rule(head, tuple(self.without_count(each, outer) for each in body))).body)

    def without_count(self, literal: BodyLiteral, outer: Mapping[Count, Sequence[Variable]]) -> BodyLiteral:
        """The literal, or for a count over the neighbours of one variable a label of that variable."""
        if not isinstance(literal, Count):
            return literal
        counted, around = literal.variable, tuple(outer[literal])
        ways = {each for each in literal.body if isinstance(each, Atom) and each.arguments == (*around, counted)}
        inside = [each for each in literal.body if each not in ways]
        if len(around) != 1 or len(ways) != 1 or any(around[0] in free_variables(each) for each in inside):
            return literal
        (way,) = ways
        part = self.body(Atom(way.name, (counted,), way.span), inside, outer)
        names = (f"#count {number}" for number in integers(len(self.named)))
        name = next(name for name in names if name not in self.features and name not in self.named)
        self.named[name] = self.concepts.at_least(literal.at_least, self.colours[way.name], part)
        return Atom(name, around, literal.span)
