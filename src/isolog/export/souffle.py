"""Soufflé: constants are symbols, spelled as the fields of a TSV file, which the program reads."""

from __future__ import annotations

from collections.abc import Iterator

from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program
from isolog.export.clauses import Dialect, legend, refuse, refuse_binary_type
from isolog.export.flat import TERMS, Conjunction, Definition, FlatProgram, Relation
from isolog.export.flatten import flatten
from isolog.facts.dataset import Dataset
from isolog.facts.fields import Constant
from isolog.facts.tabular import print_tsv_field, tsv_lines
from isolog.facts.terms import Atom, Predicate

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})
_TYPE = '"rdf:type"'


def export(program: Program, rounds: Rounds, data: Dataset | None) -> str:
    """The program, and the data, as text for Soufflé."""
    flat = flatten(program, rounds)
    refuse_binary_type(flat)
    refuse(flat, DIALECT, print_constant, data)
    lines = DIALECT.remark(
        [
            "For Soufflé. The data are `facts.tsv` as `isolog convert DATA facts.tsv` writes it, in the folder that",
            "`-F` names; facts of three and more arguments, or of none, have files of their own: `in_….facts`.",
            *legend(flat),
        ]
    )
    relations = [*flat.reads.values(), *([TERMS] if flat.reads_terms else []), *flat.locals, *flat.derives.values()]
    lines += [".decl triple(subject:symbol, predicate:symbol, object:symbol)", *map(_declaration, relations)]
    if data is None:
        lines.append('.input triple(IO=file, filename="facts.tsv", delimiter="\\t")')
    else:
        lines += _facts(flat, data)
    for predicate, relation in flat.reads.items():
        if predicate.arity in (1, 2):
            row = [f"V{place}" for place in range(1, predicate.arity + 1)]
            lines.append(DIALECT.clause(DIALECT.atom(relation.name, row), [_triple(predicate, row)]))
        elif data is None:
            lines.append(f'.input {relation.name}(IO=file, filename="{relation.name}.facts", delimiter="\\t")')
    lines += _terms(flat)
    lines += [_define(definition) for definition in flat.definitions]
    lines += [f".output {relation.name}" for relation in flat.derives.values()]
    return "\n".join(lines) + "\n"


def print_constant(constant: Constant) -> str:
    r"""A name or literal as a symbol: the field of a TSV file, between quotes.

    >>> print(print_constant("ann"), print_constant('say "hi"'))
    "ann" "say \"hi\""
    """
    field = print_tsv_field(constant)
    if "\0" in field:
        raise ValueError("a NUL character")
    return f'"{field.translate(_ESCAPES)}"'


DIALECT = Dialect("souffle", "//", print_constant, lambda name: name, absent="!", nothing="()")


def _facts(flat: FlatProgram, data: Dataset) -> Iterator[str]:
    """Triples, and what is none: facts of other arities that are read, and the terms of those that are not."""
    triples = data.only(predicate for predicate in data.predicates if predicate.arity in (1, 2))
    for line in tsv_lines(triples):
        yield DIALECT.clause(DIALECT.atom("triple", [f'"{field.translate(_ESCAPES)}"' for field in line.split("\t")]))
    for fact in data - triples:
        yield from _other_fact(flat, fact)


def _other_fact(flat: FlatProgram, fact: Atom) -> Iterator[str]:
    words = list(map(DIALECT.term, fact.arguments))
    if fact.predicate in flat.reads:
        yield DIALECT.clause(DIALECT.atom(flat.reads[fact.predicate].name, words))
    elif flat.reads_terms:
        yield from (DIALECT.clause(DIALECT.atom(TERMS.name, [word])) for word in words)


def _triple(predicate: Predicate, row: list[str]) -> str:
    name = print_constant(predicate.name)
    return DIALECT.atom("triple", [row[0], _TYPE, name] if predicate.arity == 1 else [row[0], name, row[1]])


def _declaration(relation: Relation) -> str:
    return f".decl {relation.name}({', '.join(f'V{place}:symbol' for place in range(1, relation.arity + 1))})"


def _terms(flat: FlatProgram) -> list[str]:
    """The terms of the data; a class is none, a literal that stands where classes do is one."""
    if not flat.reads_terms:
        return []
    lines: list[str] = []
    bodies = ["triple(T,_,_)", f"triple(_,P,T), P != {_TYPE}", f'triple(_,{_TYPE},T), substr(T,0,1) = "\\""']
    if flat.program.signature is not None:
        known = [predicate for predicate in flat.program.signature.predicates if predicate.arity in (1, 2)]
        bodies = [_triple(predicate, row) for predicate in known for row in (["T", "_"], ["_", "T"])[: predicate.arity]]
    lines += [DIALECT.clause("term(T)", [body]) for body in bodies]
    for predicate, relation in flat.reads.items():
        for place in range(predicate.arity if predicate.arity > 2 else 0):
            row = ["T" if other == place else "_" for other in range(predicate.arity)]
            lines.append(DIALECT.clause("term(T)", [DIALECT.atom(relation.name, row)]))
    return lines


def _define(definition: Definition) -> str:
    head = DIALECT.part(definition.head)
    if isinstance(definition, Conjunction):
        return DIALECT.clause(head, DIALECT.conjunction(definition))
    counted = definition.counted
    *outer, value = map(DIALECT.term, counted.arguments)
    some = DIALECT.atom(counted.relation.name, [*outer, "_"])
    inside = DIALECT.atom(counted.relation.name, [*outer, value])
    return DIALECT.clause(head, [some, f"count : {{ {inside} }} >= {definition.at_least}"])
