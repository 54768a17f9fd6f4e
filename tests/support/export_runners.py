"""Running exported programs where they belong, and reading what they derive."""

from __future__ import annotations

from collections.abc import Callable

import clingo
import duckdb
import nmo_python as nemo
import pyoxigraph

from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program
from isolog.export.flatten import flatten
from isolog.facts.fields import TYPE_NAMES, parse_field
from isolog.facts.ntriples import parse_word
from isolog.facts.terms import Atom, Function, Literal, Term
from support.souffle import derived


def run_asp(program: Program, text: str, rounds: Rounds) -> set[Atom]:
    """The facts of the one stable model."""
    names = {relation.name: predicate for predicate, relation in flatten(program, rounds).derives.items()}
    control = clingo.Control(["--warn=none", "0"])
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        (found,) = [list(model.symbols(shown=True)) for model in models]
    return {Atom(names[symbol.name].name, tuple(map(_asp_term, symbol.arguments))) for symbol in found}


def _asp_term(symbol: clingo.Symbol) -> Term:
    if symbol.type == clingo.SymbolType.String:
        return symbol.string
    if not symbol.arguments:
        return symbol.name
    if symbol.name == "literal":
        lexical, *mark = [argument.string for argument in symbol.arguments]
        language = mark[0][1:] if mark and mark[0][0] == "@" else None
        datatype = mark[0][2:] if mark and mark[0][0] == "^" else None
        return Literal(lexical, language, datatype)
    if symbol.name == "function":
        return Function(symbol.arguments[0].string, tuple(map(_asp_term, symbol.arguments[1:])))
    return Function(symbol.name, tuple(map(_asp_term, symbol.arguments)))


def run_nemo(program: Program, text: str, rounds: Rounds) -> set[Atom]:
    """The facts of the output relations."""
    derives = flatten(program, rounds, project_negations=True).derives
    engine = nemo.NemoEngine(nemo.load_string(text))
    engine.reason()
    found: set[Atom] = set()
    for predicate, relation in derives.items():
        for row in engine.result(relation.name):
            found.add(Atom(predicate.name, tuple(map(_nemo_term, row[: predicate.arity]))))
    return found


def _nemo_term(value: object) -> Term:
    if isinstance(value, int):
        return Literal(str(value), datatype="http://www.w3.org/2001/XMLSchema#integer")
    if isinstance(value, nemo.NemoLiteral):
        if value.language() is not None:
            return Literal(value.value(), value.language())
        return Literal(value.value(), datatype=str(parse_word(f"<{value.datatype()}>")))
    assert isinstance(value, str)
    return parse_field(value) if value[0] == '"' else parse_word(value)


def run_sparql(program: Program, text: str, rounds: Rounds) -> set[Atom]:
    """The facts in the graph of derived ones."""
    store = pyoxigraph.Store()
    store.update(text)
    derived = pyoxigraph.NamedNode("urn:isolog:derived")
    local = [quad for quad in store if str(quad.graph_name).startswith("<urn:isolog:auxiliary")]
    assert not local, "graphs of auxiliary relations are dropped"
    quads = store.quads_for_pattern(None, None, None, derived)
    return {_triple_fact(*(parse_word(str(word)) for word in (q.subject, q.predicate, q.object))) for q in quads}


def run_sql(program: Program, text: str, rounds: Rounds) -> set[Atom]:
    """The facts in the table of derived ones."""
    with duckdb.connect() as connection:
        connection.execute(text)
        rows = connection.execute("SELECT subject, predicate, object FROM derived").fetchall()
    assert len(rows) == len(set(rows))
    return {_triple_fact(*map(parse_field, row)) for row in rows}


def _triple_fact(subject: Term, predicate: Term, value: Term) -> Atom:
    assert isinstance(predicate, str)
    if predicate in TYPE_NAMES and isinstance(value, str):
        return Atom(value, (subject,))
    return Atom(predicate, (subject, value))


def run_souffle(program: Program, text: str, rounds: Rounds) -> set[Atom]:
    """What our own reading of the text derives, since Soufflé is no Python package."""
    found = derived(text)
    derives = flatten(program, rounds).derives
    assert {relation.name for relation in derives.values()} == found.keys()
    return {Atom(predicate.name, row) for predicate, relation in derives.items() for row in found[relation.name]}


RUN: dict[str, Callable[[Program, str, Rounds], set[Atom]]] = {
    "asp": run_asp,
    "nemo": run_nemo,
    "souffle": run_souffle,
    "sparql": run_sparql,
    "sql": run_sql,
}
