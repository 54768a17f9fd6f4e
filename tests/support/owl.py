"""Reading an ontology in functional-style syntax back as concepts: enough of OWL 2 for class expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from isolog.concepts.dag import BOTTOM, TOP, Concepts, Node
from isolog.concepts.evaluate import evaluate
from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program
from isolog.encodings.canonical import encode
from isolog.facts.dataset import Dataset
from isolog.facts.ntriples import parse_word
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Term

Expression: TypeAlias = "str | tuple[str, list[Expression]]"
_TOKEN = re.compile(r"\s*(?:#[^\n]*\n\s*)*(<[^<>\s]*>|[()]|[^\s()<>]+)")
_DERIVED = "derived:"


@dataclass
class Ontology:
    """What the axioms say: classes defined, classes with the concepts below them, and assertions."""

    classes: list[str] = field(default_factory=list)
    properties: list[str] = field(default_factory=list)
    defined: dict[str, Expression] = field(default_factory=dict)
    subclasses: list[tuple[Expression, str]] = field(default_factory=list)
    facts: list[Atom] = field(default_factory=list)
    different: set[Term] = field(default_factory=set)


def read_ontology(text: str) -> Ontology:
    """The ontology; an axiom of another kind fails."""
    tokens, position = list[str](), 0
    while (match := _TOKEN.match(text, position)) is not None:
        tokens.append(match[1])
        position = match.end()
    assert not text[position:].strip()
    prefix = tokens.index(")") + 1
    expression, rest = _parse(tokens[prefix:])
    assert not rest and isinstance(expression, tuple) and expression[0] == "Ontology"
    found = Ontology()
    for axiom in expression[1]:
        assert isinstance(axiom, tuple)
        _axiom(found, *axiom)
    return found


def _parse(tokens: list[str]) -> tuple[Expression, list[str]]:
    head, rest = tokens[0], tokens[1:]
    if not rest or rest[0] != "(":
        return head, rest
    rest, parts = rest[1:], list[Expression]()
    while rest[0] != ")":
        part, rest = _parse(rest)
        parts.append(part)
    return (head, parts), rest[1:]


def _axiom(found: Ontology, kind: str, parts: list[Expression]) -> None:
    match kind, parts:
        case "Declaration", [("Class", [str(name)])]:
            found.classes.append(name)
        case "Declaration", [("ObjectProperty", [str(name)])]:
            found.properties.append(name)
        case "EquivalentClasses", [str(name), expression]:
            found.defined[name] = expression
        case "SubClassOf", [expression, str(name)]:
            found.subclasses.append((expression, name))
        case "ClassAssertion", [str(name), str(one)]:
            found.facts.append(Atom(_name(name), (_name(one),)))
        case "ObjectPropertyAssertion", [str(name), str(one), str(other)]:
            found.facts.append(Atom(_name(name), (_name(one), _name(other))))
        case "DifferentIndividuals", names:
            found.different |= {_name(str(name)) for name in names}
        case _:
            raise AssertionError(f"{kind} {parts}")


def _name(iri: str) -> str:
    name = parse_word(iri)
    assert isinstance(name, str)
    return name


def entailed(ontology: Ontology, data: Dataset) -> set[Atom]:
    """The class memberships that the axioms entail for data whose individuals all differ, in one step."""
    signature = Signature.of([_name(c) for c in ontology.classes], [_name(p) for p in ontology.properties])
    reader = _Reader(ontology)
    heads = [(reader.node(expression), name) for expression, name in ontology.subclasses]
    known = [p for p in data.predicates if p in signature.predicates]
    terms = Dataset.from_facts(Atom("every term", (term,)) for term in data.terms)
    graph = encode(data.only(known) | terms, signature)
    vertices = evaluate(reader.concepts, [node for node, _ in heads], graph)
    order = (data.only(known) | terms).terms
    found = [(_name(name).removeprefix(_DERIVED), vertices[node].nonzero()[0]) for node, name in heads]
    return {Atom(name, (order[place],)) for name, places in found for place in places}


def run_owl(program: Program, text: str, rounds: Rounds) -> set[Atom]:
    """What the ontology entails for the data that it asserts."""
    assert rounds == 1 and program is not None
    ontology = read_ontology(text)
    return entailed(ontology, Dataset.from_facts(ontology.facts))


class _Reader:
    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.concepts = Concepts()

    def node(self, expression: Expression) -> Node:
        """The concept of a class expression."""
        if isinstance(expression, str):
            return self.named(expression)
        kind, parts = expression
        match kind:
            case "ObjectIntersectionOf":
                return self.concepts.all_of(map(self.node, parts))
            case "ObjectUnionOf":
                return self.concepts.any_of(map(self.node, parts))
            case "ObjectSomeValuesFrom":
                return self.concepts.at_least(1, self.colour(parts[0]), self.node(parts[1]))
            case "ObjectMinCardinality":
                return self.concepts.at_least(int(str(parts[0])), self.colour(parts[1]), self.node(parts[2]))
            case _:
                raise AssertionError(kind)

    def named(self, name: str) -> Node:
        if name in ("owl:Thing", "owl:Nothing"):
            return TOP if name == "owl:Thing" else BOTTOM
        if name in self.ontology.defined:
            return self.node(self.ontology.defined[name])
        return self.concepts.label(self.ontology.classes.index(name))

    def colour(self, name: Expression) -> int:
        return self.ontology.properties.index(str(name))
