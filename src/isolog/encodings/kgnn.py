"""`kgnn` (paper §3.2, rules kGNN:1 to kGNN:4): k-GNNs for k = 2 and local neighbourhoods, after Morris et al. 2019.

A vertex g(x, y) per ordered pair of distinct labelled constants; its features say how the two are labelled and whether
the binary predicate joins them. That it does not is a `not`, so more facts can give fewer features.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isolog.datalog.syntax import BodyLiteral, Inequality, Negation, Program, Rule
from isolog.encodings.blocks import Block
from isolog.encodings.encoding import Encoding, Layout, Meaning, Size
from isolog.encodings.links import PAIR, X, Y, Z, adjacency
from isolog.encodings.source import Source
from isolog.errors import Finding, UnsupportedError
from isolog.facts.dataset import Dataset, Table
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function, Predicate, Variable
from isolog.graphs.graph import Adjacency
from isolog.graphs.sorts import Neighbourhood, Sort

_Places: TypeAlias = NDArray[np.int64]


def kgnn(source: Source) -> Encoding:
    """Features are `U_i_j_b`: labelled by the i-th and the j-th unary predicate, joined iff b is 1. They decode to
    `out_i_j_b(x, y)`."""
    unary, binary = source.signature.unary, source.signature.binary
    if len(binary) != 1 or not unary:
        message = (
            f"`kgnn` needs unary predicates and one binary predicate, and there are {len(unary)} and {len(binary)}"
        )
        raise UnsupportedError(Finding("E267", message, hint="`pairs` takes any number of both"))
    triples = [(i, j, b) for i, j in product(range(len(unary)), repeat=2) for b in (0, 1)]
    names = [f"{i + 1}_{j + 1}_{b}" for i, j, b in triples]
    meanings = tuple(Meaning(Predicate(f"out_{name}", 2), 0, (0, 1)) for name in names)
    features = tuple(f"U_{name}" for name in names)
    labelled = source.free_name("labelled")
    labels = [Rule(Atom(labelled, (X,)), (Atom(name, (X,)),)) for name in unary]
    source = source.with_auxiliary(labels)
    typed = [Rule(Atom(f, (_g(X, Y),)), _type(unary, binary[0], t)) for f, t in zip(features, triples, strict=True)]
    encoder = (*source.rules, *_edges(labelled, binary[0]), *typed)
    decoder = [Rule(Atom(f"out_{name}", (X, Y)), (Atom(f"U_{name}", (_g(X, Y),)),)) for name in names]
    return Encoding(
        source.name,
        source.given,
        features,
        ("c",),
        (Sort("g", frozenset(range(len(features))), (Neighbourhood(0),)),),
        (PAIR,),
        Program(encoder, source.auxiliary, source.given),
        Program(tuple(decoder), signature=Signature.of(features, ["c"])),
        meanings,
        partial(_types, source, triples),
        partial(_lay_out, source.signature),
        partial(_size, source.signature),
        is_monotone=False,
    )


def _g(one: Variable, other: Variable) -> Function:
    return Function("g", (one, other))


def _edges(labelled: str, binary: str) -> list[Rule]:
    """Rules kGNN:1 and kGNN:2, with one predicate for `A_i` for any i."""
    distinct = (Inequality(X, Y), Inequality(X, Z), Inequality(Y, Z))
    body = (*(Atom(labelled, (variable,)) for variable in (X, Y, Z)), Atom(binary, (Y, Z)), *distinct)
    return [Rule(Atom("c", (_g(X, Y), _g(X, Z))), body), Rule(Atom("c", (_g(Y, X), _g(Z, X))), body)]


def _type(unary: tuple[str, ...], binary: str, triple: tuple[int, int, int]) -> tuple[BodyLiteral, ...]:
    """The bodies of rules kGNN:3 and kGNN:4."""
    i, j, joined = triple
    edge = Atom(binary, (X, Y))
    return Atom(unary[i], (X,)), Atom(unary[j], (Y,)), Inequality(X, Y), edge if joined else Negation(edge)


def _types(source: Source, triples: list[tuple[int, int, int]], dataset: Dataset) -> Dataset:
    """What modifiers add, and what the features say, as facts that decode to the same."""
    richer = dataset if source.add is None else source.add(dataset)
    unary, (binary,) = source.signature.unary, source.signature.binary
    base = len(dataset.vocabulary)
    joined = _keys(richer.tables.get(Predicate(binary, 2), np.empty((0, 2), np.int32)), base)
    tables: dict[Predicate, Table] = {}
    for i, j, b in triples:
        one, other = (richer.tables.get(Predicate(unary[k], 1), np.empty((0, 1), np.int32))[:, 0] for k in (i, j))
        rows = np.column_stack([np.repeat(one, len(other)), np.tile(other, len(one))])
        rows = rows[rows[:, 0] != rows[:, 1]]
        rows = rows[np.isin(_keys(rows, base), joined) == bool(b)]
        tables[Predicate(f"out_{i + 1}_{j + 1}_{b}", 2)] = rows
    kept = {p: t for p, t in richer.tables.items() if p in source.signature}
    return Dataset.from_tables(dataset.vocabulary, kept | tables)


def _keys(rows: Table, base: int) -> _Places:
    return rows[:, 0].astype(np.int64) * base + rows[:, 1]


def _labelled(signature: Signature, dataset: Dataset) -> tuple[_Places, _Places]:
    """The places of the labelled terms, and the edges between different ones of them, as places among these."""
    tables = [dataset.tables.get(Predicate(name, 1), np.empty((0, 1), np.int32)) for name in signature.unary]
    labelled = np.unique(np.concatenate(tables))
    edges = dataset.tables.get(Predicate(signature.binary[0], 2), np.empty((0, 2), np.int32))
    edges = edges[np.isin(edges, labelled).all(axis=1) & (edges[:, 0] != edges[:, 1])]
    places = np.searchsorted(dataset.term_numbers, labelled).astype(np.int64)
    return places, np.searchsorted(labelled, edges).astype(np.int64)


def _size(signature: Signature, dataset: Dataset) -> Size:
    labelled, edges = _labelled(signature, dataset)
    return Size(len(labelled) ** 2, 2 * len(edges) * len(labelled))


def _lay_out(signature: Signature, dataset: Dataset) -> Layout:
    labelled, edges = _labelled(signature, dataset)
    count, base = len(labelled), len(dataset.term_numbers)
    one, other = (axis.ravel() for axis in np.meshgrid(np.arange(count), np.arange(count), indexing="ij"))
    apart = one != other
    rows = np.column_stack([labelled[one[apart]], labelled[other[apart]]])
    block = Block.of_rows(PAIR, base, rows.astype(np.int64))
    x = np.repeat(np.arange(count), len(edges))
    y, z = np.tile(edges, (count, 1)).T
    kept = (x != y) & (x != z)
    x, y, z = labelled[x[kept]], labelled[y[kept]], labelled[z[kept]]

    def at(first: _Places, second: _Places) -> _Places:
        return block.find(np.column_stack([first, second]).astype(np.int64))

    colour: Adjacency = adjacency(len(block), (at(x, y), at(x, z)), (at(y, x), at(z, x)))
    return Layout((block,), (colour,))
