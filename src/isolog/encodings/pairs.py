"""`pairs` and `pairs-printed` (paper §3.2): a vertex f(a) per constant, g(a, b) per ordered pair of linked constants.

As printed, g(y, x) has no edge of colour c1 or c2 when only `R(x, y)` is in the data. The published encoder, in text
and in code, gives it both, and so does `pairs`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from isolog.datalog.parser import parse
from isolog.datalog.syntax import Rule
from isolog.encodings.blocks import Block, row_keys
from isolog.encodings.encoding import Encoding, Layout
from isolog.encodings.links import CONSTANT, PAIR, Pairs, adjacency, binary_rows, link_rules
from isolog.encodings.source import Frame, Source, assemble, canonical_names
from isolog.facts.dataset import Dataset
from isolog.graphs.sorts import Neighbourhood

COLOURS = ("c1", "c2", "c3", "c4")
SORTS = (("f", CONSTANT), ("g", PAIR))
ONE_CONSTANT, ONE_PAIR = Neighbourhood(0, 1, 1), Neighbourhood(1, 1, 1)
AROUND_CONSTANT = (Neighbourhood(1), Neighbourhood(1), None, Neighbourhood(0))
AROUND_PAIR = (ONE_CONSTANT, ONE_CONSTANT, ONE_PAIR, None)


def pair_edges(pair: str, linked: str) -> tuple[Rule, ...]:
    """The rules of c1 to c4, where `pair` says which pairs are vertices and `linked` which constants c4 joins."""
    text = f"""
        c1(f(X), g(X, Y)) :- {pair}(X, Y).    c1(g(X, Y), f(X)) :- {pair}(X, Y).
        c2(f(Y), g(X, Y)) :- {pair}(X, Y).    c2(g(X, Y), f(Y)) :- {pair}(X, Y).
        c3(g(X, Y), g(Y, X)) :- {pair}(X, Y).
        c4(f(X), f(Y)) :- {linked}(X, Y)."""
    return parse(text).rules


def pairs(source: Source) -> Encoding:
    """The symmetric encoding."""
    linked = source.free_name("linked")
    source = source.with_auxiliary(link_rules(source, linked))
    frame = Frame(COLOURS, SORTS, (AROUND_CONSTANT, AROUND_PAIR), pair_edges(linked, linked))
    meanings = source.meanings(unary=0, binary=1)
    return assemble(source, frame, meanings, canonical_names(meanings), _lay_out)


def pairs_printed(source: Source) -> Encoding:
    """The rules c1:1 to c4:2 of the paper, as printed; a predicate stands for `R_j` for any j."""
    related = source.free_name("related")
    source = source.with_auxiliary(link_rules(source, related, both_ways=False))
    at_most_one = Neighbourhood(0, 0, 1)
    around_pair = (at_most_one, at_most_one, ONE_PAIR, None)
    edges = f"""
        c1(f(X), g(X, Y)) :- {related}(X, Y).    c1(g(X, Y), f(X)) :- {related}(X, Y).
        c2(f(Y), g(X, Y)) :- {related}(X, Y).    c2(g(X, Y), f(Y)) :- {related}(X, Y).
        c3(g(X, Y), g(Y, X)) :- {related}(X, Y). c3(g(Y, X), g(X, Y)) :- {related}(X, Y).
        c4(f(X), f(Y)) :- {related}(X, Y).       c4(f(Y), f(X)) :- {related}(X, Y)."""
    frame = Frame(COLOURS, SORTS, (AROUND_CONSTANT, around_pair), parse(edges).rules)
    meanings = source.meanings(unary=0, binary=1)
    return assemble(source, frame, meanings, canonical_names(meanings), partial(_lay_out, as_printed=True))


def _lay_out(dataset: Dataset, as_printed: bool = False) -> Layout:
    linked = Pairs.linked(dataset)
    kept = None
    if as_printed:
        kept = np.isin(linked.block(0).keys, row_keys(binary_rows(dataset), linked.base))
    return pair_layout(linked, linked, kept)


def pair_layout(pairs: Pairs, linked: Pairs, ends: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None) -> Layout:
    """The vertices and the colours c1 to c4; only the pairs marked in `ends` have edges to their constants."""
    constants = np.arange(pairs.base)
    vertices = pairs.base + len(pairs)
    g = np.arange(len(pairs)) + pairs.base
    turned = pairs.turned()
    x, y, of_x, of_y = pairs.first, pairs.second, g, g[turned]
    if ends is not None:
        x, of_x = x[ends], of_x[ends]
        incoming = ends[turned]
        y_source, of_y = pairs.first[incoming], of_y[incoming]
        y, of_y2 = y[ends], g[ends]
    else:
        y_source, of_y2 = pairs.first, g
    colours = (
        adjacency(vertices, (x, of_x), (of_x, x)),
        adjacency(vertices, (y_source, of_y), (of_y2, y)),
        adjacency(vertices, (g, g[turned])),
        adjacency(vertices, (linked.first, linked.second)),
    )
    return Layout((Block(CONSTANT, pairs.base, constants), pairs.block(pairs.base)), colours)
