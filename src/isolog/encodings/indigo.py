"""`indigo`, after Liu et al. 2021: a vertex g(a, b) per ordered pair of linked constants, which says what holds of
the pair and of the pair turned round, and one colour between pairs that share a constant.

A unary fact A(a) is kept at g(a, a). A pair is not its own neighbour.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from isolog.datalog.parser import parse
from isolog.datalog.syntax import Rule
from isolog.encodings.blocks import Block
from isolog.encodings.encoding import Encoding, Layout, Meaning, Size
from isolog.encodings.links import PAIR, Pairs, X, link_rules
from isolog.encodings.modifiers import modify
from isolog.encodings.source import Frame, Source, assemble, canonical_names
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from isolog.graphs.graph import Adjacency
from isolog.graphs.sorts import Neighbourhood


def indigo(source: Source) -> Encoding:
    """The features `inv:r/2` say at g(a, b) that r(b, a) holds; they are not decoded."""
    source = modify(source, "inverses", {})
    pair = source.free_name("linked")
    alone = [Rule(Atom(pair, (X, X)), (Atom(name, (X,)),)) for name in source.signature.unary]
    source = source.with_auxiliary([*link_rules(source, pair), *alone])
    edges = parse(f"""
        c(g(X, Y), g(X, Z)) :- {pair}(X, Y), {pair}(X, Z), Y != Z.
        c(g(X, Y), g(Z, Y)) :- {pair}(X, Y), {pair}(Z, Y), X != Z.
        c(g(X, Y), g(Z, X)) :- {pair}(X, Y), {pair}(Z, X), X != Y.
        c(g(X, Y), g(Y, Z)) :- {pair}(X, Y), {pair}(Y, Z), X != Y.""").rules
    frame = Frame(("c",), (("g", PAIR),), ((Neighbourhood(0),),), edges)
    meanings = tuple(
        Meaning(meaning.predicate, 0, (0, 0) if meaning.predicate.arity == 1 else (0, 1), meaning.emitted)
        for meaning in source.meanings(unary=0, binary=0)
    )
    encoding = assemble(source, frame, meanings, canonical_names(meanings), _lay_out)
    return replace(encoding, size=_size)


def _block(dataset: Dataset) -> Block:
    linked = Pairs.linked(dataset).block(0)
    unary = [table for predicate, table in dataset.tables.items() if predicate.arity == 1]
    alone = np.concatenate(unary)[:, 0] if unary else np.empty(0, np.int32)
    places = np.searchsorted(dataset.term_numbers, alone)
    return Block(PAIR, linked.base, np.union1d(linked.keys, places * linked.base + places))


def _size(dataset: Dataset) -> Size:
    rows = _block(dataset).rows
    degrees = np.bincount(rows.ravel(), minlength=1).astype(float)
    return Size(len(rows), int((degrees**2).sum()))


def _lay_out(dataset: Dataset) -> Layout:
    from scipy import sparse

    block = _block(dataset)
    rows = block.rows
    ends, at = rows.T.ravel(), np.tile(np.arange(len(rows)), 2)
    holds = sparse.csr_array((np.ones(len(ends), np.int8), (at, ends)), shape=(len(rows), max(block.base, 1)))
    holds.sum_duplicates()
    holds.data[:] = 1
    shared = sparse.coo_array(holds @ holds.T)
    sources, targets = (np.asarray(axis, np.int64) for axis in shared.coords)
    apart = sources != targets
    order = np.lexsort((targets[apart], sources[apart]))
    colour = Adjacency.from_edges(sources[apart][order], targets[apart][order], len(rows))
    return Layout((block,), (colour,))
