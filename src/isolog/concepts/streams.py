"""The minimal bodies of concepts, the smallest first and no more of them than somebody asks for.

This is the lazy enumeration of the best derivations of an AND/OR graph (Huang and Chiang 2005), in levels: a level
holds the bodies with the same least number of atoms (`Bodies.least_atoms`). That number never falls when a body
becomes part of a larger one, so a level needs none above it; and a body that implies another of its concept is dropped
at once, because what is built with the other is more general.

Per concept, sort and level there is a stream, fed by a generator that yields what it has to wait for. Whoever asks
keeps the waiting ones on a stack, so that deep graphs need no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from isolog.concepts.antichain import Antichain
from isolog.concepts.bodies import TRUE, Bodies, Body
from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.concepts.extents import Extents
from isolog.concepts.imprints import Imprint

_ALL = 1 << 60


class Stream:
    """The bodies of one level as far as they are known; `done` when there are no more."""

    __slots__ = ("done", "found", "work")

    def __init__(self) -> None:
        self.found: list[Body] = []
        self.done = False
        self.work: Iterator[Wait | None] = iter(())


class Wait(NamedTuple):
    """A stream must have more bodies than `place`, or be done, before work can go on."""

    stream: Stream
    place: int


_Found: TypeAlias = Iterator[Body | Wait]


class Streams:
    """The streams of a graph of concepts, of bodies that are `of_use` at vertices of a sort, as all that are built
    with them must be. `tick` is called now and then, and may raise to end a long search."""

    def __init__(
        self,
        concepts: Concepts,
        bodies: Bodies,
        tick: Callable[[], None] = lambda: None,
        of_use: Callable[[Body, int], bool] = lambda body, sort: True,
    ) -> None:
        self.concepts = concepts
        self.bodies = bodies
        self.extents = extents = Extents(concepts, bodies.making)
        self.least, self.most = extents.least, extents.most
        self._tick = tick
        self._of_use = of_use
        self._streams: dict[tuple[Node, int, int], Stream] = {}
        self._kept: dict[tuple[Node, int], Antichain] = {}
        self._larger: dict[tuple[Node, int, int], list[Body]] = {}

    def level(self, node: Node, sort: int, size: int) -> Iterator[Body]:
        """The minimal bodies of the concept, at vertices of the sort, whose least number of atoms is `size`.

        None implies one of this or of a lower level that came before it.
        """
        stream = self._stream(node, sort, size)
        index = 0
        while self._reach(stream, index):
            yield stream.found[index]
            index += 1

    def _reach(self, stream: Stream, index: int) -> bool:
        waiting = [Wait(stream, index)]
        while waiting:
            wanted, place = waiting[-1]
            if wanted.done or len(wanted.found) > place:
                waiting.pop()
                continue
            self._tick()
            try:
                missing = next(wanted.work)
            except StopIteration:
                wanted.done = True
            else:
                if missing is not None:
                    waiting.append(missing)
        return len(stream.found) > index

    def _stream(self, node: Node, sort: int, size: int) -> Stream:
        """The stream of a level; a disjunction of which one part needs more atoms has the other part's."""
        least = self.least
        while self.concepts.kinds[node] == OR:
            left, right = self.concepts.left[node], self.concepts.right[node]
            if least[left] > size:
                node = right
            elif least[right] > size:
                node = left
            else:
                break
        key = node, sort, size
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = Stream()
            if least[node] <= size <= self.most[node]:
                stream.work = self._work(stream, node, sort, size)
            else:
                stream.done = True
        return stream

    def _work(self, stream: Stream, node: Node, sort: int, size: int) -> Iterator[Wait | None]:
        """Feeds the stream, after the lower levels of the same concept."""
        for lower in range(self.least[node], size):
            yield Wait(self._stream(node, sort, lower), _ALL)
        kept = self._kept.get((node, sort))
        if kept is None:
            kept = self._kept[node, sort] = Antichain(self.bodies)
            for lower in range(self.least[node], size):
                for body in self._stream(node, sort, lower).found:
                    kept.add(body)
        for item in self._candidates(node, sort, size):
            if isinstance(item, Wait):
                yield item
            elif self._of_use(item, sort) and kept.add(item):
                stream.found.append(item)
                yield None

    def _candidates(self, node: Node, sort: int, size: int) -> _Found:
        kind = self.concepts.kinds[node]
        if kind == OR:
            for part in self._disjuncts(node, sort, size):
                yield from self._read(part, sort, size)
        elif kind == AND:
            yield from self._conjunctions(node, sort, size)
        elif kind == COUNT:
            yield from self._counted(node, sort, size)
        elif kind == LABEL:
            yield self.bodies.label(self.concepts.left[node])
        elif node == TOP:
            yield TRUE

    def _disjuncts(self, node: Node, sort: int, size: int) -> Iterator[Node]:
        """The disjuncts that may have bodies of the size; a disjunction that others use, too, is one of them."""
        waiting, seen = [*reversed(self.concepts.parts(node))], set[Node]()
        while waiting:
            part = waiting.pop()
            if self.least[part] <= size <= self.most[part] and part not in seen:
                seen.add(part)
                if self.concepts.kinds[part] == OR and (part, sort) not in self._kept:
                    waiting += reversed(self.concepts.parts(part))
                else:
                    yield part

    def _read(self, node: Node, sort: int, size: int) -> _Found:
        stream = self._stream(node, sort, size)
        index = 0
        while True:
            if len(stream.found) > index:
                yield stream.found[index]
                index += 1
            elif stream.done:
                return
            else:
                yield Wait(stream, index)

    def _conjunctions(self, node: Node, sort: int, size: int) -> _Found:
        """A conjunction that turns out larger than its imprint says waits for its level."""
        left, right = self.concepts.parts(node)
        yield from self._larger.pop((node, sort, size), ())
        imprints, bodies = self.bodies.imprints, self.bodies
        beside = self.extents.least_beside(right, left)
        for own in range(max(self.least[left], size - self.most[right]), min(size - beside, self.most[left]) + 1):
            for one in self._read(left, sort, own):
                if isinstance(one, Wait):
                    yield one
                    continue
                for theirs in self._sizes_beside(imprints[one], right, size):
                    for other in self._read(right, sort, theirs):
                        if isinstance(other, Wait):
                            yield other
                        elif (imprints[one] | imprints[other]).bit_count() == size:
                            both = bodies.both(one, other, sort)
                            if bodies.least_atoms(both) == size:
                                yield both
                            else:
                                self._larger.setdefault((node, sort, bodies.least_atoms(both)), []).append(both)

    def _sizes_beside(self, imprint: Imprint, node: Node, size: int) -> range:
        """The sizes that a body of the node may have if its imprint and the given one have so many atoms together."""
        least, most, extents = self.least[node], self.most[node], self.extents
        if (imprint | extents.common[node]).bit_count() > size:
            return range(0)
        alone = (imprint & ~extents.possible[node]).bit_count()
        return range(max(least, size - imprint.bit_count()), min(most, size - alone) + 1)

    def _counted(self, node: Node, sort: int, size: int) -> _Found:
        number, colour = self.concepts.quantity(node)
        around = self.bodies.sorts[sort].neighbours[colour]
        assert around is not None, "concepts of a sort count its own neighbours only"
        part = self.concepts.left[node]
        for chosen in self._multisets(part, around.sort, number, size - number, (self.least[part], 0)):
            yield chosen if isinstance(chosen, Wait) else self.bodies.some(colour, chosen)

    def _multisets(
        self, part: Node, sort: int, number: int, size: int, start: tuple[int, int]
    ) -> Iterator[tuple[Body, ...] | Wait]:
        """The multisets of so many bodies with this total size, all at or behind a level and a place in it."""
        if number == 0:
            if size == 0:
                yield ()
            return
        level, index = start
        while number * level <= size and level <= self.most[part]:
            stream = self._stream(part, sort, level)
            if len(stream.found) <= index:
                if stream.done:
                    level, index = level + 1, 0
                else:
                    yield Wait(stream, index)
                continue
            body, index = stream.found[index], index + 1
            for times in range(number, 0, -1):
                if times * level <= size:
                    for rest in self._multisets(part, sort, number - times, size - times * level, (level, index)):
                        yield rest if isinstance(rest, Wait) else (body,) * times + rest
