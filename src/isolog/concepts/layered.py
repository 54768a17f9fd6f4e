"""Layered programs: one auxiliary predicate for every concept that is shared or is a disjunction within a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from isolog.concepts.dag import AND, BOTTOM, LABEL, OR, TOP, Concepts, Node
from isolog.datalog.syntax import BodyLiteral, Count, Program, Rule
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate, Variable

ROOT = Variable("X")


@dataclass(frozen=True, slots=True)
class Layered:
    """A non-recursive program in evaluation order, and what each of its auxiliary predicates stands for."""

    program: Program
    meaning: Mapping[str, Node]


def layered_program(
    concepts: Concepts, heads: Sequence[tuple[str, Node]], signature: Signature, names: Mapping[Node, str]
) -> Layered:
    """The program that derives each head where its concept holds; `names` suggests auxiliary predicates for nodes.

    >>> store = Concepts()
    >>> layered = layered_program(store, [("A", store.at_least(2, 0, TOP))], Signature.of(["A"], ["r"]), {})
    >>> from isolog.datalog.printer import print_rule
    >>> [print_rule(rule) for rule in layered.program]
    ['A(X) :- #count{Y1 : r(X, Y1)} >= 2.']
    """
    return _Writer(concepts, signature, names).write(heads)


class _Writer:
    def __init__(self, concepts: Concepts, signature: Signature, names: Mapping[Node, str]) -> None:
        self.concepts = concepts
        self.signature = signature
        self.names = names
        self.auxiliaries: dict[Node, str] = {}

    def write(self, heads: Sequence[tuple[str, Node]]) -> Layered:
        """The program of these heads."""
        order = self.concepts.reachable(node for _, node in heads)
        self._name(order, [node for _, node in heads])
        rules = [rule for node, name in self.auxiliaries.items() for rule in self._rules(name, node)]
        for name, node in heads:
            rules += self._rules(name, node) if node not in self.auxiliaries else [self._copy(name, node)]
        local = frozenset(Predicate(name, 1) for name in self.auxiliaries.values())
        program = Program(tuple(rules), local, self.signature)
        return Layered(program, {name: node for node, name in self.auxiliaries.items()})

    def _name(self, order: Iterable[Node], heads: Iterable[Node]) -> None:
        """A name for every node that earns it: conjunctions and counts that are shared, and disjunctions.

        A disjunction that only other disjunctions or one head use is spread over their rules instead.
        """
        uses, within = Counter(heads), Counter[Node]()
        order = list(order)
        for node in order:
            for part in self.concepts.parts(node):
                uses[part] += 1
                if self.concepts.kinds[node] != OR:
                    within[part] += 1
        taken = {predicate.name for predicate in self.signature.predicates}
        times: dict[str, Iterator[int]] = {}
        for node in order:
            kind = self.concepts.kinds[node]
            if node in (TOP, BOTTOM) or kind == LABEL or (uses[node] < 2 and not (kind == OR and within[node])):
                continue
            suggestion = self.names.get(node, f"part_{len(self.auxiliaries) + 1}")
            others = (f"{suggestion}_{number}" for number in times.setdefault(suggestion, count(2)))
            name = next(free for free in chain([suggestion], others) if free not in taken)
            taken.add(name)
            self.auxiliaries[node] = name

    def _copy(self, name: str, node: Node) -> Rule:
        return Rule(Atom(name, (ROOT,)), (Atom(self.auxiliaries[node], (ROOT,)),))

    def _rules(self, name: str, node: Node) -> list[Rule]:
        """One rule for each disjunct of the node."""
        head = Atom(name, (ROOT,))
        waiting, rules = [node], list[Rule]()
        while waiting:
            disjunct = waiting.pop()
            if self.concepts.kinds[disjunct] == OR and (disjunct == node or disjunct not in self.auxiliaries):
                waiting += reversed(self.concepts.parts(disjunct))
            elif disjunct != BOTTOM:
                fresh = (Variable(f"Y{number}") for number in count(1))
                rules.append(Rule(head, tuple(self._literals(disjunct, ROOT, fresh, disjunct == node))))
        return rules

    def _literals(self, node: Node, at: Variable, fresh: Iterator[Variable], is_defined: bool) -> Iterator[BodyLiteral]:
        """The body that says the node of a variable; its own auxiliary does not stand in its own definition."""
        waiting = [node]
        while waiting:
            part = waiting.pop()
            kind = self.concepts.kinds[part]
            if part in self.auxiliaries and not (is_defined and part == node):
                yield Atom(self.auxiliaries[part], (at,))
            elif kind == AND:
                waiting += reversed(self.concepts.parts(part))
            elif kind == LABEL:
                yield Atom(self.signature.unary[self.concepts.left[part]], (at,))
            elif part != TOP:
                yield from self._counted(part, at, fresh)

    def _counted(self, node: Node, at: Variable, fresh: Iterator[Variable]) -> Iterator[BodyLiteral]:
        at_least, colour = self.concepts.quantity(node)
        other = next(fresh)
        inner = self._literals(self.concepts.left[node], other, fresh, is_defined=False)
        body = (Atom(self.signature.binary[colour], (at, other)), *inner)
        if at_least == 1:
            yield from body
        else:
            yield Count(other, body, at_least)
