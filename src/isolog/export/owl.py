"""OWL 2, functional-style syntax: tree-like bodies as class expressions (concepts), heads as their superclasses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP, Concepts, Node
from isolog.concepts.from_rules import concepts_of_program, read_signature
from isolog.datalog.checks import Rounds, check
from isolog.datalog.syntax import Program
from isolog.errors import Findings, UnsupportedError
from isolog.export.clauses import why_not
from isolog.facts.dataset import Dataset
from isolog.facts.rdf import print_iri
from isolog.facts.signature import Signature
from isolog.facts.terms import Term
from isolog.facts.text import print_atom

DERIVED = "urn:isolog:derived:"
_PART = "urn:isolog:part:"
_THING, _NOTHING = "owl:Thing", "owl:Nothing"


def export(program: Program, rounds: Rounds, data: Dataset | None) -> str:
    """The program as an ontology; with data, its assertions, and that its individuals differ."""
    check(program, rounds)
    signature = read_signature(program)
    concepts = Concepts()
    features = {name: number for number, name in enumerate(signature.unary)}
    colours = {name: number for number, name in enumerate(signature.binary)}
    heads = concepts_of_program(concepts, program, features, colours)
    _refuse_names((*signature.unary, *signature.binary, *heads))
    writer = _Writer(concepts, signature, heads)
    lines = [
        "# OWL 2, functional-style syntax. Names that are not IRIs are `<urn:isolog:…>`. A reasoner needs to be told",
        "# that individuals differ before it counts them. It has no rounds: a class that rules both read and derive is",
        f"# derived as `<{DERIVED}…>`.",
        "Prefix(owl:=<http://www.w3.org/2002/07/owl#>)",
        "Ontology(",
        *(f"  {line}" for line in writer.axioms()),
        *(f"  {line}" for line in _assertions(data)),
        ")",
    ]
    return "\n".join(lines) + "\n"


class _Writer:
    """Concepts as class expressions; what several wholes share is a class of its own."""

    def __init__(self, concepts: Concepts, signature: Signature, heads: Mapping[str, Node]) -> None:
        self.concepts, self.signature, self.heads = concepts, signature, heads
        self.order = concepts.reachable(heads.values())
        uses = Counter(part for node in self.order for part in concepts.parts(node))
        uses.update(heads.values())
        shared = [node for node in self.order if uses[node] > 1 and concepts.kinds[node] in (AND, OR, COUNT)]
        self.named = {node: f"<{_PART}{number}>" for number, node in enumerate(shared, 1)}

    def axioms(self) -> Iterator[str]:
        """Declarations, definitions of shared parts, then an axiom for each head."""
        derived = {name: self.head(name) for name in self.heads}
        classes = dict.fromkeys([*map(print_iri, self.signature.unary), *derived.values(), *self.named.values()])
        yield from (f"Declaration(Class({name}))" for name in classes)
        yield from (f"Declaration(ObjectProperty({print_iri(name)}))" for name in self.signature.binary)
        for node, name in self.named.items():
            yield f"EquivalentClasses({name} {self.expression(node, defining=True)})"
        for name, node in self.heads.items():
            yield f"SubClassOf({self.expression(node)} {derived[name]})"

    def head(self, name: str) -> str:
        """The class of a head: another one than that of the data if rules read it."""
        if name not in self.signature.unary:
            return print_iri(name)
        return f"<{DERIVED}{quote(name, safe='')}>"

    def expression(self, node: Node, defining: bool = False) -> str:
        """The class expression of a node."""
        if node in self.named and not defining:
            return self.named[node]
        kind = self.concepts.kinds[node]
        if kind == LABEL:
            return print_iri(self.signature.unary[self.concepts.left[node]])
        if kind == COUNT:
            number, colour = self.concepts.quantity(node)
            role = print_iri(self.signature.binary[colour])
            inner = self.expression(self.concepts.left[node])
            if number == 1:
                return f"ObjectSomeValuesFrom({role} {inner})"
            return f"ObjectMinCardinality({number} {role} {inner})"
        if kind in (AND, OR):
            name = "ObjectIntersectionOf" if kind == AND else "ObjectUnionOf"
            return f"{name}({' '.join(self.expression(part) for part in self.members(node, kind))})"
        return _THING if node == TOP else _NOTHING

    def members(self, node: Node, kind: int) -> list[Node]:
        """The parts of nested conjunctions, or of nested disjunctions, as one list."""
        waiting, found = [node], list[Node]()
        while waiting:
            part = waiting.pop()
            if self.concepts.kinds[part] == kind and (part == node or part not in self.named):
                waiting += reversed(self.concepts.parts(part))
            else:
                found.append(part)
        return found


def _assertions(data: Dataset | None) -> Iterator[str]:
    """The facts, which must be unary or binary ones about names."""
    if data is None:
        return
    _refuse_facts(data)
    for fact in data:
        name, individuals = print_iri(fact.name), " ".join(map(print_iri, _names(fact.arguments)))
        kind = "ClassAssertion" if len(fact.arguments) == 1 else "ObjectPropertyAssertion"
        yield f"{kind}({name} {individuals})"
    individuals = sorted(map(print_iri, _names(data.terms)))
    if len(individuals) > 1:
        yield f"DifferentIndividuals({' '.join(individuals)})"


def _refuse_names(names: Iterable[str]) -> None:
    findings = Findings()
    for name in dict.fromkeys(names):
        if reason := why_not(print_iri, name):
            findings.add("E533", f"the predicate {name!r}: {reason}", hint="`owl` cannot say that")
    findings.raise_any(UnsupportedError)


def _names(terms: Iterable[Term]) -> list[str]:
    return [term for term in terms if isinstance(term, str)]


def _refuse_facts(data: Dataset) -> None:
    findings = Findings()
    for fact in data:
        if len(fact.arguments) not in (1, 2) or not all(isinstance(term, str) for term in fact.arguments):
            message = f"OWL cannot say `{print_atom(fact)}`"
            findings.add("E138", message, hint="classes and object properties are about one or two names")
    findings.raise_any(UnsupportedError)
