"""SPARQL: one update request; what is derived goes to a graph of its own, so that no rule reads it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as integers

from isolog.datalog.checks import Rounds
from isolog.datalog.scope import ANONYMOUS
from isolog.datalog.syntax import Program
from isolog.errors import Findings, UnsupportedError
from isolog.export.clauses import Dialect, refuse, refuse_binary_type, shown
from isolog.export.flat import Conjunction, Definition, Enough, FlatProgram, Part, Relation, Role, parts_of
from isolog.export.flatten import flatten
from isolog.facts.dataset import Dataset
from isolog.facts.fields import RDF_TYPE, Constant
from isolog.facts.rdf import ntriples_lines, print_iri, print_node
from isolog.facts.terms import Literal, Term, Variable

DERIVED = "urn:isolog:derived"
_LOCAL = "urn:isolog:auxiliary:"
_TYPE = f"<{RDF_TYPE}>"


def export(program: Program, rounds: Rounds, data: Dataset | None) -> str:
    """The program as a SPARQL 1.1 update; with data, a first operation inserts them."""
    flat = flatten(program, rounds)
    refuse_binary_type(flat)
    _refuse_shapes(flat)
    refuse(flat, DIALECT, print_iri, data)
    lines = [
        "# A SPARQL 1.1 update. The data are the default graph, as `isolog convert DATA facts.nt` writes them: names",
        "# that are not IRIs are `<urn:isolog:…>`. What is derived goes to the graph below, which is cleared before.",
        "# RDF has no facts about a literal as first argument, so none are derived.",
    ]
    operations: list[str] = []
    if data is not None and len(data):
        operations.append("INSERT DATA {\n" + "\n".join(f"  {line}" for line in ntriples_lines(data)) + "\n}")
    operations.append(f"DROP SILENT GRAPH <{DERIVED}>")
    operations += [f"DROP SILENT GRAPH {_graph(relation)}" for relation in flat.locals]
    operations += [_Query(definition, flat).update() for definition in flat.definitions]
    operations += [f"DROP SILENT GRAPH {_graph(relation)}" for relation in flat.locals]
    return "\n".join(lines) + "\n" + " ;\n".join(operations) + "\n"


def print_constant(constant: Constant) -> str:
    """A name or literal in SPARQL.

    >>> print_constant("Ann Lee")
    '<urn:isolog:Ann%20Lee>'
    """
    word = print_node(constant)
    if word.startswith("_:"):
        raise ValueError("a blank node has no name in SPARQL")
    return word


DIALECT = Dialect("sparql", "#", print_constant, lambda name: f"?{name}", absent="", nothing="")


class _Query:
    """One definition; each `_` is a variable of its own."""

    def __init__(self, definition: Definition, flat: FlatProgram) -> None:
        self.definition, self.flat = definition, flat
        self._fresh = (f"?_{number}" for number in integers(1))

    def update(self) -> str:
        """The operation that inserts what the definition says."""
        head = self.definition.head
        if isinstance(self.definition, Enough):
            where = self.enough(self.definition)
        else:
            where = [*self.conjunction(self.definition)]
        if head.relation.role == Role.LOCAL:
            variables = " ".join(dict.fromkeys(self.word(t) for t in head.arguments if isinstance(t, Variable)))
            # A blank node stands for a fact, so each fact is to be found once.
            distinct = f"SELECT DISTINCT {variables or '?_all'} WHERE"
            where = [f"{{ {distinct} {{", *(f"  {line}" for line in where), "} }"] if variables else where
            target = f"GRAPH {_graph(head.relation)} {{ {self.reified('[]', head)} }}"
        else:
            target = f"GRAPH <{DERIVED}> {{ {self.triple(head)} }}"
        return "\n".join([f"INSERT {{ {target} }}", "WHERE {", *(f"  {line}" for line in where), "}"])

    def enough(self, definition: Enough) -> list[str]:
        """The groups with enough values."""
        *outer, value = map(self.word, definition.counted.arguments)
        group = f" GROUP BY {' '.join(outer)}" if outer else ""
        chosen = " ".join([*outer, f"(COUNT(DISTINCT {value}) AS ?number)"])
        inside = self.part(definition.counted)
        return [f"{{ SELECT {chosen} WHERE {{ {inside} }}{group} }}", f"FILTER(?number >= {definition.at_least})"]

    def conjunction(self, definition: Conjunction) -> Iterator[str]:
        """The patterns and filters of a body."""
        yield from map(self.part, definition.parts)
        for left, right in definition.different:
            yield f"FILTER(!sameTerm({self.word(left)}, {self.word(right)}))"
        for part in definition.absent:
            yield f"FILTER NOT EXISTS {{ {self.part(part)} }}"

    def part(self, part: Part) -> str:
        """The pattern for a part."""
        match part.relation.role:
            case Role.TERMS:
                return self.term(self.word(part.arguments[0]))
            case Role.LOCAL:
                return f"GRAPH {_graph(part.relation)} {{ {self.reified(next(self._fresh), part)} }}"
            case _:
                return self.triple(part)

    def triple(self, part: Part) -> str:
        """The triple of a fact of the data, or of a derived one."""
        assert part.relation.predicate is not None
        name = print_iri(part.relation.predicate.name)
        words = [self.word(term) for term in part.arguments]
        return f"{words[0]} {_TYPE} {name} ." if len(words) == 1 else f"{words[0]} {name} {words[1]} ."

    def reified(self, node: str, part: Part) -> str:
        """A fact of any arity as a node with its arguments: any of them may be a literal."""
        pairs = [f"<{_LOCAL}{place}> {self.word(term)}" for place, term in enumerate(part.arguments, 1)]
        return f"{node} {' ; '.join([f'<{_LOCAL}0> true', *pairs])} ."

    def term(self, variable: str) -> str:
        """What all terms of the data satisfy."""
        a, b, c, d = (next(self._fresh) for _ in range(4))
        no_class = f"FILTER({d} != {_TYPE} || isLiteral({variable}))"
        patterns = [f"{{ {variable} {a} {b} }}", f"{{ {c} {d} {variable} {no_class} }}"]
        signature = self.flat.program.signature
        if signature is not None:
            patterns = [f"{{ {variable} {_TYPE} {print_iri(name)} }}" for name in signature.unary]
            for name in map(print_iri, signature.binary):
                patterns += [f"{{ {variable} {name} {a} }}", f"{{ {b} {name} {variable} }}"]
        return f"{{ SELECT DISTINCT {variable} WHERE {{ {' UNION '.join(patterns) or 'FILTER(false)'} }} }}"

    def word(self, term: Term) -> str:
        """A variable or constant."""
        return next(self._fresh) if term == ANONYMOUS else DIALECT.term(term)


def _graph(relation: Relation) -> str:
    return f"<{_LOCAL}{relation.name}>"


def _refuse_shapes(flat: FlatProgram) -> None:
    """Facts of the data and derived ones are triples, whose subject is no literal."""
    findings = Findings()
    for definition in flat.definitions:
        rule = definition.origin
        parts = [p for p in (definition.head, *parts_of(definition)) if p.relation.role in (Role.DATA, Role.DERIVED)]
        for part in parts:
            assert rule is not None
            if part.relation.arity not in (1, 2):
                message = f"`{part.relation.predicate}` is neither unary nor binary"
                findings.add("E535", f"{shown(rule)}: {message}", rule.span, "triples say nothing else")
            elif isinstance(part.arguments[0], Literal):
                message = "a literal is the first argument"
                findings.add("E535", f"{shown(rule)}: {message}", rule.span, "a literal is no subject of a triple")
    findings.raise_any(UnsupportedError)
