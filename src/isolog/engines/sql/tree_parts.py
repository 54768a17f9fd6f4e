"""The tree-like parts of rules (Def. 9), cut out: each becomes a label, which is a concept of the variable it hangs on.

A rule that is no tree may still have parts that are, such as `#count{Y : r(X, Y), A(Y)} >= 3` beside a triangle. Edges
that lead towards the root are read as edges of the inverse colour.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from isolog.concepts.dag import LABEL, Concepts, Node
from isolog.concepts.from_rules import concepts_of_program
from isolog.datalog.scope import free_variables, scoped
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import BodyLiteral, Count, Program, Rule
from isolog.errors import LimitError, UnsupportedError
from isolog.facts.terms import Atom, Predicate, Variable


class Numbering(dict[str, int]):
    """Numbers names from 0, in the order in which they are first asked for."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


@dataclass(frozen=True, slots=True)
class TreeParts:
    """The concepts of a program's tree-like parts, and the names of features and colours.

    Atoms with `part` before the number of a node as their name are parts; colours with `inverse` before the name of a
    predicate are read from right to left.
    """

    part: str
    inverse: str
    concepts: Concepts = field(default_factory=Concepts)
    features: Numbering = field(default_factory=Numbering)
    colours: Numbering = field(default_factory=Numbering)

    @classmethod
    def of(cls, program: Program) -> TreeParts:
        """No parts yet, with prefixes that no predicate of the program has."""
        names = {atom.name for rule in program for atom, _ in body_atoms((rule.head, *rule.body))}
        part, inverse = "part ", "inverse "
        while any(name.startswith((part, inverse)) for name in names):
            part, inverse = f"#{part}", f"#{inverse}"
        return cls(part, inverse)

    def node_of(self, atom: Atom) -> Node | None:
        """The node that the atom asks for, if it is a part."""
        return int(atom.name.removeprefix(self.part)) if atom.name.startswith(self.part) else None

    def cut(self, rule: Rule, is_settled: Callable[[Predicate], bool]) -> Rule:
        """The rule with labels for its tree-like parts over predicates that are settled."""
        scopes = scoped(rule)
        cutter = _Cutter(self, scopes.outer, is_settled)
        return Rule(scopes.rule.head, cutter.scope(scopes.rule.body, free_variables(scopes.rule.head)), rule.span)


@dataclass(frozen=True, slots=True)
class _Cutter:
    parts: TreeParts
    outer: Mapping[Count, tuple[Variable, ...]]
    is_settled: Callable[[Predicate], bool]

    def scope(self, body: Sequence[BodyLiteral], wanted: Collection[Variable]) -> tuple[BodyLiteral, ...]:
        """The literals of one scope, with labels for what hangs on a single variable."""
        rest = [*body]
        labels: list[BodyLiteral] = []
        for root in dict.fromkeys([*wanted, *(v for literal in body for v in self.variables(literal))]):
            hanging = [part for part in self.hanging(root, rest, wanted) if all(map(self.may_be_cut, part))]
            found = [(part, node) for part in hanging if (node := self.concept(root, part)) is not None]
            if any(self.parts.concepts.kinds[node] != LABEL for _, node in found):
                whole = self.parts.concepts.all_of(node for _, node in found)
                labels.append(Atom(f"{self.parts.part}{whole}", (root,)))
                gone = {id(literal) for part, _ in found for literal in part}
                rest = [literal for literal in rest if id(literal) not in gone]
        return (*labels, *(self.inside(literal) for literal in rest))

    def inside(self, literal: BodyLiteral) -> BodyLiteral:
        """The literal; a count with parts of its body cut out."""
        if not isinstance(literal, Count):
            return literal
        body = self.scope(literal.body, [*self.outer[literal], literal.variable])
        return Count(literal.variable, body, literal.at_least, literal.span)

    def variables(self, literal: BodyLiteral) -> Iterable[Variable]:
        """The variables of the scope in the literal."""
        return self.outer[literal] if isinstance(literal, Count) else free_variables(literal)

    def hanging(
        self, root: Variable, body: Iterable[BodyLiteral], wanted: Collection[Variable]
    ) -> list[list[BodyLiteral]]:
        """The parts of the body that share the root alone with each other, and nothing else with what is wanted."""
        parts: list[tuple[set[Variable], list[BodyLiteral]]] = []
        for literal in body:
            around, literals = {*self.variables(literal)} - {root}, [literal]
            for part in [part for part in parts if part[0] & around]:
                parts.remove(part)
                around |= part[0]
                literals = part[1] + literals
            parts.append((around, literals))
        others = {*wanted} - {root}
        on_root = [part for part in parts if any(root in self.variables(literal) for literal in part[1])]
        return [literals for around, literals in on_root if not around & others]

    def may_be_cut(self, literal: BodyLiteral) -> bool:
        """Whether all that the literal reads is settled."""
        return all(self.is_settled(atom.predicate) for atom, _ in body_atoms([literal]))

    def concept(self, root: Variable, literals: Sequence[BodyLiteral]) -> Node | None:
        """What the literals say of the root, if they form a tree that is not too large."""
        name = "root"
        rule = Rule(Atom(name, (root,)), self.outwards({root}, literals))
        try:
            found = concepts_of_program(self.parts.concepts, Program((rule,)), self.parts.features, self.parts.colours)
        except (UnsupportedError, LimitError):
            return None
        return found[name]

    def outwards(self, reached: set[Variable], literals: Sequence[BodyLiteral]) -> tuple[BodyLiteral, ...]:
        """The literals with edges that lead towards what is reached turned round."""
        seen, turned = {*reached}, [*literals]
        edges = [place for place, literal in enumerate(literals) if _is_edge(literal)]
        while edges:
            leaving = [place for place in edges if not seen.isdisjoint(free_variables(literals[place]))]
            if not leaving:
                break
            for place in leaving:
                turned[place] = self.turned(literals[place], seen)
                edges.remove(place)
            seen.update(v for place in leaving for v in free_variables(literals[place]))
        return tuple(self.count_outwards(each) if isinstance(each, Count) else each for each in turned)

    def turned(self, literal: BodyLiteral, reached: set[Variable]) -> BodyLiteral:
        """An edge, from what is reached to what is not if possible."""
        assert isinstance(literal, Atom), "edges are atoms"
        source, target = literal.arguments
        if source in reached or target not in reached:
            return literal
        return Atom(f"{self.parts.inverse}{literal.name}", (target, source), literal.span)

    def count_outwards(self, count: Count) -> Count:
        """The same within a count, whose outer variables are reached."""
        body = self.outwards({*self.outer[count]}, count.body)
        return Count(count.variable, body, count.at_least, count.span)


def _is_edge(literal: BodyLiteral) -> bool:
    return (
        isinstance(literal, Atom)
        and len(literal.arguments) == 2
        and all(isinstance(argument, Variable) for argument in literal.arguments)
    )
