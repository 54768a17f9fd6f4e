"""`pairs:H` and `paths`: vertices g(x, y) for near pairs, and h(x, y, z) for paths, with which networks can join.

Seen from g(x, z), nothing ties the y of one neighbour to the y of another, so with pairs alone no network can say
`grandparent(X, Z) :- parent(X, Y), parent(Y, Z)`. The vertex h(x, y, z) sees both g(x, y) and g(y, z).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.parser import parse
from isolog.encodings.blocks import Block, Shape
from isolog.encodings.encoding import Encoding, Layout, Size
from isolog.encodings.links import Pairs, adjacency, link_rules, near_rules
from isolog.encodings.pairs import AROUND_CONSTANT, AROUND_PAIR, COLOURS, ONE_PAIR, SORTS, pair_edges, pair_layout
from isolog.encodings.source import Frame, Options, Source, assemble, canonical_names
from isolog.facts.dataset import Dataset
from isolog.facts.fields import Constant, parse_field
from isolog.graphs.sorts import Neighbourhood

PATH = Shape("h", 3)
PATH_COLOURS = (*COLOURS, "c5", "c6", "c7")
_AROUND_PATH = (None, None, None, None, None, ONE_PAIR, ONE_PAIR)


def near_pairs(source: Source, steps: int) -> Encoding:
    """`pairs:H`: as `pairs`, with a vertex g(x, y) for every x and y that at most H links join, in any direction.

    c4 joins linked constants, as in `pairs`; g(x, x) is there for every x with a link.
    """
    source, linked, near = _near(source, steps, ())
    frame = Frame(COLOURS, SORTS, (AROUND_CONSTANT, AROUND_PAIR), pair_edges(near[-1], linked))
    meanings = source.meanings(unary=0, binary=1)

    def lay_out(dataset: Dataset) -> Layout:
        links = Pairs.linked(dataset)
        return pair_layout(links.near(steps, np.ones(links.base, np.bool_)), links)

    def size(dataset: Dataset) -> Size:
        pairs = _most_pairs(Pairs.linked(dataset), steps)
        return Size(len(dataset.term_numbers) + pairs, 6 * pairs)

    return replace(assemble(source, frame, meanings, canonical_names(meanings), lay_out), size=size)


def paths(source: Source, steps: int, options: Options) -> Encoding:
    """`paths:N`: the vertices of `pairs:N`, and h(x, y, z) for every y that at most N - 1 links join to x and one to z.

    The constants of the option `hubs` are not used as the middle of a path.
    """
    hubs = tuple(map(parse_field, cast(Sequence[str], options.get("hubs", ()))))
    source, linked, near = _near(source, steps, hubs)
    before = near[-2] if len(near) > 1 else linked
    path = f"{before}(X, Y), {linked}(Y, Z)"
    middle = near_rules(linked, ["path"], hubs)[1].body[2:]
    edges = parse(f"""
        c5(g(X, Z), h(X, Y, Z)) :- {path}.
        c6(h(X, Y, Z), g(X, Y)) :- {path}.
        c7(h(X, Y, Z), g(Y, Z)) :- {path}.""").rules
    edges = tuple(replace(rule, body=(*rule.body, *middle)) for rule in edges)
    around = ((*AROUND_CONSTANT, None, None, None), (*AROUND_PAIR, Neighbourhood(2), None, None), _AROUND_PATH)
    frame = Frame(PATH_COLOURS, (*SORTS, ("h", PATH)), around, (*pair_edges(near[-1], linked), *edges))
    meanings = source.meanings(unary=0, binary=1)

    def lay_out(dataset: Dataset) -> Layout:
        links = Pairs.linked(dataset)
        return _path_layout(links, steps, _middles(dataset, hubs))

    def size(dataset: Dataset) -> Size:
        links = Pairs.linked(dataset)
        ends = links.near(steps - 1, _middles(dataset, hubs))
        found = int(np.where(_middles(dataset, hubs), links.degrees(), 0)[ends.second].sum())
        pairs = min(found + len(ends), links.base**2)
        return Size(links.base + pairs + found, 6 * pairs + 3 * found)

    return replace(assemble(source, frame, meanings, canonical_names(meanings), lay_out), size=size)


def _near(source: Source, steps: int, hubs: Sequence[Constant]) -> tuple[Source, str, list[str]]:
    """The source with the rules of `linked`, `near_2`, … `near_H`, and their names; the last one is the vertices'."""
    linked = source.free_name("linked")
    names = [source.free_name(f"near_{number}") for number in range(2, steps + 1)]
    source = source.with_auxiliary([*link_rules(source, linked), *near_rules(linked, names, hubs)])
    return source, linked, names or [linked]


def _middles(dataset: Dataset, hubs: Sequence[Constant]) -> NDArray[np.bool_]:
    """The terms that may be in the middle of a path."""
    numbers = [number for hub in hubs if (number := dataset.vocabulary.find(hub)) is not None]
    return ~np.isin(dataset.term_numbers, numbers)


def _most_pairs(links: Pairs, steps: int) -> int:
    """No more pairs than this are at most so many links apart."""
    ways = np.ones(links.base)
    total = 0.0
    for _ in range(steps):
        ways = np.bincount(links.first, weights=ways[links.second], minlength=links.base)
        total += ways.sum()
    return int(min(total, links.base**2))


def _path_layout(links: Pairs, steps: int, through: NDArray[np.bool_]) -> Layout:
    near = links.near(steps, through)
    below = pair_layout(near, links)
    pairs = below.blocks[1]
    x, y, z = links.near(steps - 1, through).steps(links, through)
    block = Block.of_rows(PATH, links.base, np.column_stack([x, y, z]), pairs.first + len(pairs))
    x, y, z = block.rows.T
    h = np.arange(len(block)) + block.first
    vertices = block.first + len(block)
    own = [np.column_stack(ends) for ends in ((x, z), (x, y), (y, z))]
    at, left, right = (pairs.find(rows) for rows in own)
    colours = [*(colour.padded(vertices) for colour in below.colours)]
    colours += [adjacency(vertices, (at, h)), adjacency(vertices, (h, left)), adjacency(vertices, (h, right))]
    return Layout((*below.blocks, block), tuple(colours))
