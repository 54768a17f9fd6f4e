"""Γ ⊢ Δ for concepts: a tree that satisfies all of Γ and nothing of Δ, or the part of Γ and Δ that no tree can.

The rules are those of a sequent calculus: conjunctions of Γ and disjunctions of Δ are taken apart, disjunctions of Γ
and conjunctions of Δ are split into cases, and what is left asks for neighbours, colour by colour. All of them are
exact in both directions and the concepts get smaller, so the search ends with the right answer if it is given time.

What makes it fast: trees that were found once answer other questions; what was refuted is remembered as the part that
mattered, for everything that contains it; and before any split a single concept of Γ is tried against a single one
of Δ where no tree speaks against it, because in two versions of one program most concepts have a counterpart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from isolog.concepts.dag import AND, BOTTOM, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.correspondence.entailment import Entailment
from isolog.correspondence.forest import Forest, Vertex
from isolog.correspondence.neighbours import Answer, Asking, Core, Goals, Neighbours

_Origins: TypeAlias = Mapping[Node, Node]


@dataclass(frozen=True, slots=True)
class _Split:
    """A disjunction of Γ or a conjunction of Δ: the cases that are open, and why the others are not."""

    node: Node
    is_wanted: bool
    cases: tuple[Node, ...]
    closed: tuple[Core, ...]


class Sequents:
    """Answers questions about the concepts of a store. `tick` is called at every step, and may raise to end it all."""

    def __init__(self, concepts: Concepts, forest: Forest, tick: Callable[[], None] = lambda: None) -> None:
        self.concepts = concepts
        self.forest = forest
        self.tick = tick
        self._entailment = Entailment(concepts, forest, tick)
        self._cores: dict[Node, dict[Core, None]] = {}

    def solve(self, wanted: Goals, unwanted: Goals) -> Answer:
        """A tree that satisfies all that is wanted and nothing unwanted, or why there is none.

        >>> store = Concepts()
        >>> a, b = store.at_least(1, 0, store.label(0)), store.at_least(1, 0, TOP)
        >>> sequents = Sequents(store, Forest(store))
        >>> sequents.solve(frozenset([a]), frozenset([b])) == Core(frozenset([a]), frozenset([b]))
        True
        >>> tree = sequents.solve(frozenset([b]), frozenset([a]))
        >>> sequents.forest.holds(b, tree), sequents.forest.holds(a, tree)
        (True, False)
        """
        answer = self._known(wanted, unwanted)
        if answer is not None:
            return answer
        waiting = [self._work(wanted, unwanted)]
        while True:
            self.tick()
            try:
                question = waiting[-1].send(answer)  # pyright: ignore[reportArgumentType]  None starts a generator
            except StopIteration as end:
                waiting.pop()
                answer = end.value
                self._learn(answer)
                if not waiting:
                    return answer
                continue
            answer = self._known(*question)
            if answer is None:
                waiting.append(self._work(*question))

    def _known(self, wanted: Goals, unwanted: Goals) -> Answer | None:
        core = self._refuted(wanted, unwanted)
        if core is not None:
            return core
        tree = self.forest.find(wanted, unwanted)
        if tree is None and len(wanted) == len(unwanted) == 1:
            (one,), (other,) = wanted, unwanted
            if self._entailment.implies(one, other):
                return Core(wanted, unwanted)
        return tree

    def _refuted(self, wanted: Goals, unwanted: Goals) -> Core | None:
        """A core that was met before, or that is obvious."""
        common = wanted & unwanted
        if common:
            return Core(common, common)
        if BOTTOM in wanted:
            return Core(frozenset([BOTTOM]), frozenset())
        if TOP in unwanted:
            return Core(frozenset(), frozenset([TOP]))
        for node in (*wanted, *unwanted):
            for core in self._cores.get(node, ()):
                if core.wanted <= wanted and core.unwanted <= unwanted:
                    return core
        return None

    def _learn(self, answer: Answer) -> None:
        if isinstance(answer, Core):
            self._cores.setdefault(max((*answer.wanted, *answer.unwanted)), {})[answer] = None

    def _work(self, wanted: Goals, unwanted: Goals) -> Asking:
        """The answer for these sets, by way of questions about smaller ones."""
        of_wanted, of_unwanted = self._apart(wanted, AND), self._apart(unwanted, OR)
        given, refused = frozenset(of_wanted), frozenset(of_unwanted)
        answer = self._known(given, refused)
        if answer is None:
            answer = yield from self._solve_apart(given, refused)
        if not isinstance(answer, Core):
            return answer
        return Core(_origins(answer.wanted, of_wanted), _origins(answer.unwanted, of_unwanted))

    def _apart(self, nodes: Goals, kind: int) -> _Origins:
        """The nodes with those of the kind taken apart, each part with the node that it comes from."""
        found: dict[Node, Node] = {}
        for origin in sorted(nodes):
            waiting = [origin]
            while waiting:
                node = waiting.pop()
                if self.concepts.kinds[node] == kind:
                    waiting += self.concepts.parts(node)
                else:
                    found.setdefault(node, origin)
        return found

    def _solve_apart(self, wanted: Goals, unwanted: Goals) -> Asking:
        pairs = list(self._pairs(wanted, unwanted))
        for one, other in pairs:
            if self._entailment.implies(one, other):
                return Core(frozenset([one]), frozenset([other]))
        splits = list(self._splits(wanted, unwanted))
        narrow = min(splits, key=lambda split: len(split.cases), default=None)
        if len(wanted) + len(unwanted) > 2 and (narrow is None or len(narrow.cases) > 1):
            for one, other in pairs:
                if self.forest.find([one], [other]) is None:
                    answer = yield frozenset([one]), frozenset([other])
                    if isinstance(answer, Core):
                        return answer
        if narrow is not None:
            return (yield from self._by_cases(wanted, unwanted, narrow))
        return (yield from self._by_neighbours(wanted, unwanted))

    def _pairs(self, wanted: Goals, unwanted: Goals) -> Iterator[tuple[Node, Node]]:
        """Pairs that no tree so far tells apart, and that are not labels, which imply nothing but themselves."""
        for one in sorted(wanted):
            for other in sorted(unwanted):
                if self.concepts.kinds[one] != LABEL and self.forest.find([one], [other]) is None:
                    yield one, other

    def _splits(self, wanted: Goals, unwanted: Goals) -> Iterator[_Split]:
        """What can be split into cases; not what holds, or fails, because one of its cases does already."""
        for node in sorted(wanted):
            if self.concepts.kinds[node] == OR:
                yield from self._split(node, True, wanted, unwanted)
        for node in sorted(unwanted):
            if self.concepts.kinds[node] == AND:
                yield from self._split(node, False, wanted, unwanted)

    def _split(self, node: Node, is_wanted: bool, wanted: Goals, unwanted: Goals) -> Iterator[_Split]:
        kind, inner, present = (OR, AND, wanted) if is_wanted else (AND, OR, unwanted)
        cases: list[Node] = []
        closed: list[Core] = []
        rest = present - {node}
        for case in self._apart(frozenset([node]), kind):
            parts = frozenset(self._apart(frozenset([case]), inner))
            if parts <= present:
                return
            core = self._refuted(rest | parts, unwanted) if is_wanted else self._refuted(wanted, rest | parts)
            if core is None:
                cases.append(case)
            else:
                closed.append(_with_whole(core, parts - rest, case, is_wanted))
        yield _Split(node, is_wanted, tuple(cases), tuple(closed))

    def _by_cases(self, wanted: Goals, unwanted: Goals, split: _Split) -> Asking:
        cores = list(split.closed)
        for case in split.cases:
            one = frozenset([case])
            if split.is_wanted:
                answer = yield wanted - {split.node} | one, unwanted
            else:
                answer = yield wanted, unwanted - {split.node} | one
            if not isinstance(answer, Core):
                return answer
            if case not in (answer.wanted if split.is_wanted else answer.unwanted):
                return answer
            cores.append(answer)
        cases = frozenset(self._apart(frozenset([split.node]), OR if split.is_wanted else AND))
        whole = frozenset([split.node])
        of_wanted = frozenset[Node]().union(*(core.wanted for core in cores))
        of_unwanted = frozenset[Node]().union(*(core.unwanted for core in cores))
        if split.is_wanted:
            return Core(of_wanted - (cases - wanted) | whole, of_unwanted)
        return Core(of_wanted, of_unwanted - (cases - unwanted) | whole)

    def _by_neighbours(self, wanted: Goals, unwanted: Goals) -> Asking:
        """Only labels and counts are left to be met; colours have nothing to do with one another."""
        store = self.concepts
        demands: dict[int, dict[Node, Node]] = {}
        for node in sorted(wanted):
            if store.kinds[node] == COUNT:
                _keep(store, demands.setdefault(store.quantity(node).colour, {}), node, most=True)
        children: list[tuple[int, Vertex, int]] = []
        for colour, needed in sorted(demands.items()):
            limits: dict[Node, Node] = {}
            for node in sorted(unwanted):
                if store.kinds[node] == COUNT and store.quantity(node).colour == colour:
                    _keep(store, limits, node, most=False)
            numbers = {part: store.quantity(node).at_least for part, node in needed.items()}
            room = {part: store.quantity(node).at_least - 1 for part, node in limits.items()}
            found = yield from Neighbours(self.forest, numbers, room).solve()
            if isinstance(found, Core):
                return Core(_origins(found.wanted, needed), _origins(found.unwanted, limits))
            copies: dict[Vertex, int] = {}
            for tree, number in found:
                copies[tree] = copies.get(tree, 0) + number
            children += ((colour, tree, number) for tree, number in copies.items())
        labels = (store.left[node] for node in wanted if store.kinds[node] == LABEL)
        return self.forest.plant(labels, children)


def _origins(nodes: Goals, origins: _Origins) -> Goals:
    return frozenset(origins[node] for node in nodes)


def _with_whole(core: Core, parts: Goals, whole: Node, is_wanted: bool) -> Core:
    """The core in which a whole stands for those of its parts that are used."""
    used = core.wanted if is_wanted else core.unwanted
    if used.isdisjoint(parts):
        return core
    used = used - parts | {whole}
    return Core(used, core.unwanted) if is_wanted else Core(core.wanted, used)


def _keep(store: Concepts, kept: dict[Node, Node], node: Node, most: bool) -> None:
    """Of several counts of one part, the one that says most: the largest demand, the smallest limit."""
    part = store.left[node]
    known = kept.get(part)
    if known is None or (store.quantity(node).at_least > store.quantity(known).at_least) == most:
        kept[part] = node
