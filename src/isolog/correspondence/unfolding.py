"""Unfolding P_dec ∘ P_N ∘ P_enc (paper §3.2, composition): formulas about vertices become rules about the user's facts.

A goal says something of a vertex whose terms are known up to variables. Solving it by the schemes of P_enc replaces it
by facts; what functional colours force to be equal is unified on the way. `g(x, y) ≠ g(x', y')` holds iff x ≠ x' or
y ≠ y', so an inequality of vertices is several alternatives; vertices of different sorts always differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from isolog.concepts.dag import AND, BOTTOM, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.correspondence.schemes import Scheme, Schemes, Vertex
from isolog.correspondence.unify import Bindings, bind_literal, resolved, unify
from isolog.datalog.substitution import rename_literal, substitute
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, literal_variables
from isolog.datalog.treelike import TreeFormula
from isolog.errors import Finding, LimitError
from isolog.facts.terms import Atom, Term, Variable

MOST_ALTERNATIVES = 2_000
LEAST_COUNT = 3


@dataclass(frozen=True, slots=True)
class Tree:
    """The formula holds of the vertex; colours and features are named."""

    formula: TreeFormula
    at: Vertex


@dataclass(frozen=True, slots=True)
class Holds:
    """The concept holds of the vertex; `is_defined` where it must not be read from its own auxiliary predicate."""

    node: Node
    at: Vertex
    is_defined: bool = False


@dataclass(frozen=True, slots=True)
class Differ:
    """The two are not the same vertex."""

    one: Vertex
    other: Vertex


Goal = Tree | Holds | Differ


@dataclass(frozen=True, slots=True)
class State:
    """What is known so far: the values of variables, and the literals that must hold."""

    bindings: Bindings
    literals: tuple[BodyLiteral, ...]

    def body(self) -> tuple[BodyLiteral, ...] | None:
        """The literals with the values in place; None where one of them cannot hold."""
        found: dict[BodyLiteral, None] = {}
        for literal in self.literals:
            bound = bind_literal(literal, self.bindings)
            if isinstance(bound, Inequality):
                if bound.left == bound.right:
                    return None
                if not isinstance(bound.left, Variable) and not isinstance(bound.right, Variable):
                    continue
            found[bound] = None
        return tuple(found)


EMPTY = State({}, ())


class Unfolding:
    """Solves goals by the schemes of an encoding.

    `named` says which concepts, at which sorts, are predicates; those in `empty` hold of no vertex of the sort.
    """

    def __init__(self, schemes: Schemes, concepts: Concepts | None = None) -> None:
        self.schemes = schemes
        self.concepts = concepts or Concepts()
        self.named: dict[tuple[Node, int], str] = {}
        self.empty: set[tuple[Node, int]] = set()
        self._features = {name: i for i, name in enumerate(schemes.encoding.features)}
        self._colours = {name: i for i, name in enumerate(schemes.encoding.colours)}
        self._fresh = 0

    def variable(self) -> Variable:
        """A variable that nothing else uses."""
        self._fresh += 1
        return Variable(f"V{self._fresh}")

    def generic(self, sort: int) -> Vertex:
        """A vertex of the sort, made of variables."""
        arity = self.schemes.encoding.shapes[sort].arity
        return Vertex(sort, tuple(self.variable() for _ in range(arity)))

    def alternatives(self, goals: Sequence[Goal], state: State) -> Iterator[State]:
        """The ways in which all goals can hold; a LimitError when there are too many of them."""
        for number, solved in enumerate(self.solve(goals, state)):
            if number == MOST_ALTERNATIVES:
                message = f"unfolding the encoding turns one rule into more than {MOST_ALTERNATIVES:,}"
                raise LimitError(Finding("E269", message, hint="ask for smaller rules, or for the canonical program"))
            yield solved

    def solve(self, goals: Sequence[Goal], state: State) -> Iterator[State]:
        """The ways in which all goals can hold."""
        if not goals:
            yield state
            return
        first, *rest = goals
        match first:
            case Tree():
                steps = self._tree(first, state)
            case Holds():
                steps = self._holds(first, state)
            case Differ():
                steps = self._differ(first, state)
        for more, following in steps:
            yield from self.solve([*more, *rest], following)

    def use(self, schemes: Sequence[Scheme], at: Vertex, state: State) -> Iterator[tuple[tuple[Vertex, ...], State]]:
        """The ways to have what these schemes are for at the vertex: all vertices of the scheme, and what follows."""
        for scheme in schemes:
            names: dict[Variable, Variable] = {}

            def renamed(variable: Variable, names: dict[Variable, Variable] = names) -> Variable:
                if variable not in names:
                    names[variable] = self.variable()
                return names[variable]

            vertices = tuple(Vertex(v.sort, _renamed(v.terms, renamed)) for v in scheme.vertices)
            bindings = unify(at.terms, vertices[0].terms, state.bindings)
            if bindings is not None:
                body = tuple(rename_literal(literal, renamed) for literal in scheme.body)
                yield vertices, State(bindings, (*state.literals, *body))

    def label(self, feature: int, at: Vertex, state: State) -> Iterator[tuple[list[Goal], State]]:
        """The ways for the vertex to have the feature."""
        for _, following in self.use(self.schemes.labels.get((feature, at.sort), ()), at, state):
            yield [], following

    def exists(self, at: Vertex, state: State) -> Iterator[tuple[list[Goal], State]]:
        """The ways for the vertex to be one."""
        for _, following in self.use(self.schemes.vertices.get(at.sort, ()), at, state):
            yield [], following

    def neighbours(
        self, colour: int, at: Vertex, number: int, state: State, alike: bool = False, start: int = 0
    ) -> Iterator[tuple[list[Vertex], State]]:
        """The ways for the vertex to have so many neighbours, not yet said to differ; if `alike`, whatever their order.

        The schemes before `start` are left out.
        """
        if number == 0:
            yield [], state
            return
        schemes = self.schemes.edges.get((colour, at.sort), [])
        for place in range(start, len(schemes)):
            for (_, target), following in self.use(schemes[place : place + 1], at, state):
                again = place if alike else 0
                for others, last in self.neighbours(colour, at, number - 1, following, alike, again):
                    yield [target, *others], last

    def _tree(self, goal: Tree, state: State) -> Iterator[tuple[list[Goal], State]]:
        formula, at = goal.formula, goal.at
        if formula == TreeFormula():
            yield from self.exists(at, state)
        elif formula.labels:
            rest = TreeFormula(formula.labels[1:], formula.groups)
            more: list[Goal] = [] if rest == TreeFormula() else [Tree(rest, at)]
            for _, following in self.label(self._features[formula.labels[0]], at, state):
                yield list(more), following
        else:
            group = formula.groups[0]
            rest = TreeFormula((), formula.groups[1:])
            after: list[Goal] = [] if rest == TreeFormula() else [Tree(rest, at)]
            colour = self._colours[group.colour]
            for found, following in self.neighbours(colour, at, len(group.children), state):
                apart = [Differ(one, other) for one, other in combinations(found, 2)]
                below = [Tree(c, v) for c, v in zip(group.children, found, strict=True) if c != TreeFormula()]
                yield [*apart, *below, *after], following

    def _holds(self, goal: Holds, state: State) -> Iterator[tuple[list[Goal], State]]:
        node, at, concepts = goal.node, goal.at, self.concepts
        kind = concepts.kinds[node]
        if (node, at.sort) in self.empty:
            return
        if (name := self.named.get((node, at.sort))) is not None and not goal.is_defined:
            yield [], State(state.bindings, (*state.literals, Atom(name, at.terms)))
        elif node == TOP:
            yield from self.exists(at, state)
        elif kind == LABEL:
            yield from self.label(concepts.left[node], at, state)
        elif kind == AND:
            yield [Holds(part, at) for part in concepts.parts(node)], state
        elif kind == OR:
            for part in concepts.parts(node):
                yield [Holds(part, at)], state
        elif kind == COUNT:
            yield from self._count(node, at, state)
        else:
            assert node == BOTTOM

    def _count(self, node: Node, at: Vertex, state: State) -> Iterator[tuple[list[Goal], State]]:
        (number, colour), part = self.concepts.quantity(node), self.concepts.left[node]
        counted = self._as_count(number, colour, part, at, state) if number >= LEAST_COUNT else None
        if counted is not None:
            yield [], State(state.bindings, (*state.literals, counted))
            return
        for found, following in self.neighbours(colour, at, number, state, alike=True):
            apart = [Differ(one, other) for one, other in combinations(found, 2)]
            yield [*apart, *(Holds(part, vertex) for vertex in found if part != TOP)], following

    def _as_count(self, number: int, colour: int, part: Node, at: Vertex, state: State) -> Count | None:
        """The `#count` for so many neighbours, where one variable tells them apart and nothing else is bound."""
        ways = list(self.neighbours(colour, at, 1, state))
        if len(ways) != 1:
            return None
        (target,), following = ways[0]
        known = {v for term in at.terms for v in _variables(resolved(term, state.bindings))}
        terms = [resolved(term, following.bindings) for term in target.terms]
        fresh = {v for term in terms for v in _variables(term)} - known
        inner = list(self.alternatives([Holds(part, target)] if part != TOP else [], State(following.bindings, ())))
        if len(fresh) != 1 or len(inner) != 1 or (self._binds(known, state, inner[0])):
            return None
        (variable,) = fresh
        own = State(inner[0].bindings, (*following.literals[len(state.literals) :], *inner[0].literals))
        body = own.body()
        if body is None or not isinstance(resolved(variable, own.bindings), Variable):
            return None
        return Count(variable, tuple(bind_literal(each, {}) for each in body), number)

    def _binds(self, known: set[Variable], before: State, after: State) -> bool:
        """Whether a variable of the surroundings has got a value."""
        return any(resolved(v, after.bindings) != resolved(v, before.bindings) for v in known)

    def _differ(self, goal: Differ, state: State) -> Iterator[tuple[list[Goal], State]]:
        if goal.one.sort != goal.other.sort:
            yield [], state
            return
        pairs = [
            (resolved(one, state.bindings), resolved(other, state.bindings))
            for one, other in zip(goal.one.terms, goal.other.terms, strict=True)
        ]
        for one, other in pairs:
            if one != other:
                yield [], State(state.bindings, (*state.literals, Inequality(one, other)))


def _renamed(terms: Sequence[Term], renaming: Callable[[Variable], Variable]) -> tuple[Term, ...]:
    return tuple(substitute(term, renaming) for term in terms)


def _variables(term: Term) -> Iterator[Variable]:
    return literal_variables(Atom("", (term,)))
