"""Nemo: constants are the words of N-Triples, but for strings, which Nemo writes without escapes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program
from isolog.export.clauses import Dialect, legend, refuse, refuse_binary_type
from isolog.export.flat import TERMS, Conjunction, Definition, FlatProgram, Relation
from isolog.export.flatten import flatten
from isolog.facts.dataset import Dataset
from isolog.facts.fields import RDF_TYPE, Constant
from isolog.facts.rdf import print_iri, print_node
from isolog.facts.terms import Atom, Literal, Predicate

_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS = {
    _XSD + name
    for name in (
        *("boolean", "decimal", "double", "float", "integer", "long", "int", "short", "byte"),
        *("unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte", "nonNegativeInteger", "positiveInteger"),
        *("nonPositiveInteger", "negativeInteger"),
    )
}
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_HOLDS = "<urn:isolog:holds>"
_TYPE = f"<{RDF_TYPE}>"


def export(program: Program, rounds: Rounds, data: Dataset | None) -> str:
    """The program, and the data, as text for Nemo."""
    flat = flatten(program, rounds, project_negations=True)
    refuse_binary_type(flat)
    refuse(flat, DIALECT, print_iri, data)
    lines = DIALECT.remark(
        [
            "For Nemo. The data are `facts.nt` as `isolog convert DATA facts.nt` writes it: names that are not IRIs",
            "are `<urn:isolog:…>`. Facts of three and more arguments, or of none, have files of their own: `in_….csv`.",
            "Nemo compares numbers by value, and its `_:` terms have no names.",
            *legend(flat),
        ]
    )
    if data is None:
        lines.append('@import triple :- rdf{resource="facts.nt"} .')
    else:
        lines += chain.from_iterable(_fact(flat, fact) for fact in data)
    for predicate, relation in flat.reads.items():
        if predicate.arity in (1, 2):
            row = [f"?V{place}" for place in range(1, predicate.arity + 1)]
            lines.append(DIALECT.clause(DIALECT.atom(relation.name, row), [_triple(predicate, row)]))
        elif data is None:
            lines.append(f'@import {relation.name} :- csv{{resource="{relation.name}.csv"}} .')
    lines += _terms(flat)
    lines.append(DIALECT.clause(f"always({_HOLDS})"))
    lines += chain.from_iterable(map(_define, flat.definitions))
    lines += [_nothing(relation) for relation in flat.undefined]
    lines += [f'@export {r.name} :- csv{{resource="{r.name}.csv"}} .' for r in flat.derives.values()]
    return "\n".join(lines) + "\n"


def print_constant(constant: Constant) -> str:
    """A name or literal in Nemo.

    >>> print_constant("Ann Lee"), print_constant(Literal("no", "en"))
    ('<urn:isolog:Ann%20Lee>', '"no"@en')
    """
    if isinstance(constant, str):
        word = print_node(constant)
        if word.startswith("_:"):
            raise ValueError("a blank node has no name in Nemo")
        return word
    if constant.datatype in _NUMBERS and not (constant.datatype == f"{_XSD}integer" and _is_plain(constant)):
        raise ValueError("Nemo compares numbers by value")
    if constant.datatype is not None and not constant.lexical:
        raise ValueError("Nemo reads no empty literals with a datatype")
    text = _string(constant.lexical)
    if constant != Literal(constant.lexical) and '"' in constant.lexical:
        raise ValueError("Nemo has no escapes for quotes in a literal with a language or datatype")
    if constant.language is not None:
        if "-" in constant.language:
            raise ValueError("Nemo reads no language tags with `-` in its rules")
        return f"{text}@{constant.language}"
    return text if constant.datatype is None else f"{text}^^{print_iri(constant.datatype)}"


def _is_plain(number: Literal) -> bool:
    return _INTEGER.fullmatch(number.lexical) is not None


def _string(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL character")
    if '"' not in text:
        return f'"{text}"'
    if '"""' in text or text.startswith('"') or text.endswith('"'):
        raise ValueError("Nemo cannot write these quotes, since its strings have no escapes")
    return f'"""{text}"""'


DIALECT = Dialect("nemo", "%", print_constant, lambda name: f"?{name}", absent="~", nothing=f"({_HOLDS})", end=" .")


def _fact(flat: FlatProgram, fact: Atom) -> Iterator[str]:
    words = list(map(DIALECT.term, fact.arguments))
    if len(words) in (1, 2):
        yield DIALECT.clause(_triple(fact.predicate, words))
    elif fact.predicate in flat.reads:
        yield DIALECT.clause(DIALECT.atom(flat.reads[fact.predicate].name, words))
    elif flat.reads_terms:
        yield from (DIALECT.clause(DIALECT.atom(TERMS.name, [word])) for word in words)


def _triple(predicate: Predicate, row: list[str]) -> str:
    name = print_iri(predicate.name)
    return DIALECT.atom("triple", [row[0], _TYPE, name] if predicate.arity == 1 else [row[0], name, row[1]])


def _terms(flat: FlatProgram) -> list[str]:
    """The terms of the data; a class is none, a literal that stands where classes do is one."""
    if not flat.reads_terms:
        return []
    no_name = f'isIri(?T) = "false"^^<{_XSD}boolean>'
    bodies = ["triple(?T,_,_)", f"triple(_,?P,?T), ?P != {_TYPE}", f"triple(_,{_TYPE},?T), {no_name}"]
    if flat.program.signature is not None:
        known = [predicate for predicate in flat.program.signature.predicates if predicate.arity in (1, 2)]
        bodies = [_triple(p, row) for p in known for row in (["?T", "_"], ["_", "?T"])[: p.arity]]
    for predicate, relation in flat.reads.items():
        for place in range(predicate.arity if predicate.arity > 2 else 0):
            bodies.append(DIALECT.atom(relation.name, ["?T" if at == place else "_" for at in range(predicate.arity)]))
    return [DIALECT.clause("term(?T)", [body]) for body in bodies]


def _nothing(relation: Relation) -> str:
    """A rule that derives nothing, so that Nemo knows the relation."""
    head = DIALECT.atom(relation.name, ["?X"] * relation.arity)
    return DIALECT.clause(head, ["always(?X)", "~always(?X)"])


def _define(definition: Definition) -> Iterator[str]:
    head = DIALECT.part(definition.head)
    if isinstance(definition, Conjunction):
        body = DIALECT.conjunction(definition)
        # A body needs a part that is not absent.
        yield DIALECT.clause(head, body if definition.parts or not body else [f"always({_HOLDS})", *body])
        return
    *outer, value = map(DIALECT.term, definition.counted.arguments)
    number = f"number_of_{definition.counted.relation.name}"
    yield DIALECT.clause(DIALECT.atom(number, [*outer, f"#count({value})"]), [DIALECT.part(definition.counted)])
    yield DIALECT.clause(head, [DIALECT.atom(number, [*outer, "?N"]), f"?N >= {definition.at_least}"])
