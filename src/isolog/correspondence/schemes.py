"""What P_enc and P_dec say of vertices (paper §3.2), sort by sort: which facts give a label, an edge, a vertex.

Auxiliary predicates that one rule defines, without variables of its own, are unfolded at once; `linked` and its like
stay, so that programs remain short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from isolog.concepts.dag import Quantity
from isolog.correspondence.unify import bind_atom, bind_literal, unify
from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule, rule_variables
from isolog.encodings.encoding import Encoding
from isolog.errors import Finding, UnsupportedError
from isolog.facts.terms import Atom, Function, Predicate, Term, Variable

Terms = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex of a sort, made of these terms."""

    sort: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class Scheme:
    """Where the body holds, these vertices have what the scheme is for: a label, or an edge between the two."""

    vertices: tuple[Vertex, ...]
    body: tuple[BodyLiteral, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A rule of P_dec: the head, and the labels that it reads."""

    head: Atom
    labels: tuple[tuple[int, Vertex], ...]
    rest: tuple[BodyLiteral, ...]


class Schemes:
    """The schemes of an encoding. `kept` are the rules of the auxiliary predicates that stay in programs."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._sorts = {(shape.symbol, shape.arity): sort for sort, shape in enumerate(encoding.shapes)}
        self._features = {name: i for i, name in enumerate(encoding.features)}
        self._colours = {name: i for i, name in enumerate(encoding.colours)}
        unfolded = _unfold(encoding.encoder)
        self.kept = Program(tuple(r for r in unfolded if r.head.predicate in unfolded.auxiliary), unfolded.auxiliary)
        self.labels: dict[tuple[int, int], list[Scheme]] = {}
        self.edges: dict[tuple[int, int], list[Scheme]] = {}
        for rule in unfolded:
            if rule.head.predicate not in unfolded.auxiliary:
                self._add(rule)
        self.readings = [self._reading(rule) for rule in encoding.decoder]

    @cached_property
    def vertices(self) -> dict[int, list[Scheme]]:
        """Per sort, where there is a vertex: wherever a label or an edge mentions it."""
        found: dict[int, dict[Scheme, None]] = {}
        for schemes in (*self.labels.values(), *self.edges.values()):
            for scheme in schemes:
                for vertex in scheme.vertices:
                    found.setdefault(vertex.sort, {})[Scheme((vertex,), scheme.body)] = None
        return {sort: list(schemes) for sort, schemes in found.items()}

    def targets(self, colour: int, sort: int) -> list[int]:
        """The sorts of the neighbours of a colour."""
        return sorted({scheme.vertices[1].sort for scheme in self.edges.get((colour, sort), ())})

    def branches(self, quantity: Quantity, sort: int) -> bool:
        """Whether several neighbours can be had in several ways."""
        return quantity.at_least > 1 and len(self.edges.get((quantity.colour, sort), ())) > 1

    def vertex(self, term: Term) -> Vertex:
        """The sort of a term of the graph, and what it is made of."""
        key = (term.symbol, len(term.arguments)) if isinstance(term, Function) else (None, 1)
        if key not in self._sorts:
            message = f"no sort of the encoding `{self.encoding.name}` has vertices like `{term}`"
            raise UnsupportedError(
                Finding("E268", message, hint="its sorts must say how each kind of vertex is written")
            )
        return Vertex(self._sorts[key], term.arguments if isinstance(term, Function) else (term,))

    def _add(self, rule: Rule) -> None:
        vertices = tuple(map(self.vertex, rule.head.arguments))
        scheme = Scheme(vertices, rule.body)
        place = (self._features if len(vertices) == 1 else self._colours)[rule.head.name]
        found = self.labels if len(vertices) == 1 else self.edges
        schemes = found.setdefault((place, vertices[0].sort), [])
        if scheme not in schemes:
            schemes.append(scheme)

    def _reading(self, rule: Rule) -> Reading:
        rule = rename_rule(rule, lambda variable: Variable(f"{variable.name}'"))
        labels = [atom for atom in rule.body_atoms if atom.name in self._features and len(atom.arguments) == 1]
        rest = tuple(literal for literal in rule.body if literal not in labels)
        if any(not isinstance(literal, Inequality) for literal in rest):
            message = f"a rule of the decoder of `{self.encoding.name}` reads more than features"
            raise UnsupportedError(
                Finding("E268", message, rule.span, "`run` the programs one after the other instead")
            )
        return Reading(rule.head, tuple((self._features[a.name], self.vertex(a.arguments[0])) for a in labels), rest)


def _unfold(program: Program) -> Program:
    """The program without the auxiliary predicates that one rule defines, without variables of its own."""
    while True:
        rules: dict[Predicate, list[Rule]] = {}
        for rule in program:
            rules.setdefault(rule.head.predicate, []).append(rule)
        simple = {p: rules[p][0] for p in sorted(program.auxiliary) if p in rules and _is_simple(rules[p])}
        if not simple:
            return program
        predicate, definition = next(iter(simple.items()))
        kept = (rule for rule in program if rule.head.predicate != predicate)
        program = Program(
            tuple(other for rule in kept for other in _replaced(rule, predicate, definition)),
            program.auxiliary - {predicate},
            program.signature,
        )


def _is_simple(rules: list[Rule]) -> bool:
    if len(rules) != 1 or not rules[0].body:
        return False
    (rule,) = rules
    heads = set(rule_variables(Rule(rule.head)))
    return set(rule_variables(rule)) == heads and all(isinstance(literal, Atom) for literal in rule.body)


def _replaced(rule: Rule, predicate: Predicate, definition: Rule) -> Iterator[Rule]:
    """The rule with every atom of the predicate replaced by what defines it; none where constants clash."""
    if any(isinstance(each, Negation | Count) and predicate in _read([each]) for each in rule.body):
        raise UnsupportedError(Finding("E268", f"`{predicate}` stands below a `not` or a count", rule.span))
    place = next(
        (i for i, each in enumerate(rule.body) if isinstance(each, Atom) and each.predicate == predicate), None
    )
    if place is None:
        yield rule
        return
    atom = rule.body[place]
    assert isinstance(atom, Atom)
    apart = rename_rule(definition, lambda variable: Variable(f"{variable.name}'"))
    bindings = unify(atom.arguments, apart.head.arguments, {})
    if bindings is not None:
        body = (*rule.body[:place], *apart.body, *rule.body[place + 1 :])
        bound = Rule(bind_atom(rule.head, bindings), tuple(bind_literal(each, bindings) for each in body))
        yield from _replaced(bound, predicate, definition)


def _read(literals: Iterable[BodyLiteral]) -> Iterator[Predicate]:
    for literal in literals:
        match literal:
            case Atom():
                yield literal.predicate
            case Negation():
                yield literal.atom.predicate
            case Count():
                yield from _read(literal.body)
            case Inequality():
                pass
