"""Rules over the user's predicates as tree-like rules over an encoding's features and colours, where it can say them.

From the vertex of the head, colours lead to other vertices: some to the only one there is, made of terms that are known
already, some to any of several, which brings in new terms. An atom is said by the label of a vertex made of its terms.
A variable that a colour brings in is known below that vertex alone; so all that is said about it must be found there,
and what is known above must be reached again from below. That is what keeps joins out of `pairs` and lets them into
`paths`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from isolog.correspondence.schemes import Scheme, Schemes, Vertex
from isolog.correspondence.unify import bind_literal, resolved, unify
from isolog.datalog.printer import print_rule
from isolog.datalog.substitution import rename_literal, substitute
from isolog.datalog.syntax import Inequality, Rule
from isolog.datalog.treelike import Group, TreeFormula, TreeRule, group, tree_formula
from isolog.encodings.encoding import Encoding
from isolog.errors import Finding, UnsupportedError
from isolog.facts.terms import Atom, Term, Variable, variables_of
from isolog.facts.text import print_atom

_MOST_STEPS = 4
_Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """An edge from a vertex: its colour, where it leads, the terms that it brings in, and atoms that it says."""

    colour: int
    target: Vertex
    new: tuple[Variable, ...]
    said: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class _Child:
    """What hangs below a vertex that is reached by a path: a colour, what it brings in, and the formula there."""

    path: _Path
    colour: int
    new: tuple[Variable, ...]
    said: _Said


@dataclass(frozen=True, slots=True)
class _Said:
    """A formula, and the inequalities that it says."""

    formula: TreeFormula
    apart: frozenset[Inequality]


def placements(rule: Rule, encoding: Encoding) -> Iterator[TreeRule]:
    """Tree-like rules that say the same on the graphs of the encoding, wherever their vertices are there.

    An error says why, if there is none.
    """
    return _Placing(rule, encoding).tree_rules()


class _Placing:
    def __init__(self, rule: Rule, encoding: Encoding) -> None:
        self.rule = rule
        self.encoding = encoding
        self.schemes = Schemes(encoding)
        self.apart = frozenset(each for each in rule.body if isinstance(each, Inequality))
        self.atoms = [each for each in rule.body if isinstance(each, Atom)]
        if len({*self.apart, *self.atoms}) < len(set(rule.body)):
            raise self.error("only atoms and inequalities can be placed", "write counts with variables")

    def tree_rules(self) -> Iterator[TreeRule]:
        """The rules with the vertex of the head as root."""
        head = self.encoding.output(self.rule.head.predicate)
        if head is None:
            hint = "`pairs` derives binary predicates, too"
            raise self.error(f"it derives no `{self.rule.head.predicate}`", hint)
        root = self._vertex_of(self.rule.head, head)
        found = exact = False
        for said in self.said(root, self.atoms, frozenset(variables_of_all(root.terms))):
            found = True
            if said.apart == self.apart:
                exact = True
                yield TreeRule(self.encoding.features[head], said.formula)
        if not found:
            hint = "`paths` has vertices for two facts that share a term, `paths:3` for three in a row"
            raise self.error(f"no tree below `{print_atom(self.rule.head)}` says the body", hint)
        if not exact:
            hint = "a network tells the neighbours of one vertex in one colour apart, and nothing else"
            raise self.error("its inequalities are not between such siblings", hint)

    def said(self, vertex: Vertex, atoms: Sequence[Atom], known: frozenset[Variable]) -> Iterator[_Said]:
        """The formulas that say the atoms at the vertex, `known` being what must not be brought in anew."""
        near = self._closure(vertex)
        visible = frozenset(variables_of_all(term for each in near for term in each.terms))
        labels: list[tuple[_Path, str]] = []
        rest: list[Atom] = []
        for atom in atoms:
            place = next(((feature, v) for feature, v in self._places(atom) if v in near), None)
            if place is None:
                rest.append(atom)
            else:
                labels.append((near[place[1]], self.encoding.features[place[0]]))
        parts = [list(self._below(near, part, known | visible, visible)) for part in _components(rest, visible)]
        for children in product(*parts):
            yield self._formula((), labels, children)

    def _below(
        self, near: Mapping[Vertex, _Path], atoms: list[Atom], known: frozenset[Variable], visible: frozenset[Variable]
    ) -> Iterator[_Child]:
        """The children that say the atoms, each behind an edge that brings in a variable of them."""
        wanted = frozenset(variables_of_all(term for atom in atoms for term in atom.arguments))
        if wanted & known - visible:
            return
        for vertex, path in near.items():
            for way in self._ways(vertex):
                for bound in _bindings(way, sorted(wanted - known, key=lambda variable: variable.name)):
                    heard = {bind_literal(atom, bound) for atom in way.said}
                    terms = tuple(resolved(term, bound) for term in way.target.terms)
                    left = [atom for atom in atoms if atom not in heard]
                    new = tuple(variable for variable in variables_of_all(terms) if variable not in known)
                    for inner in self.said(Vertex(way.target.sort, terms), left, known.union(new)):
                        yield _Child(path, way.colour, new, inner)

    def _formula(self, path: _Path, labels: Sequence[tuple[_Path, str]], children: Sequence[_Child]) -> _Said:
        """What is said at the end of a path of colours that bring in nothing."""
        deeper = {each[: len(path) + 1] for each in [*(p for p, _ in labels), *(c.path for c in children)]}
        apart: frozenset[Inequality] = frozenset()
        groups: list[Group] = []
        for longer in sorted(each for each in deeper if len(each) > len(path) and each[: len(path)] == path):
            below = self._formula(longer, labels, children)
            groups.append(group(self.encoding.colours[longer[-1]], below.formula))
            apart |= below.apart
        here = [child for child in children if child.path == path]
        for colour in sorted({child.colour for child in here}):
            found, used = self._groups([child for child in here if child.colour == colour])
            groups += found
            apart |= used
        own = [label for each, label in labels if each == path]
        return _Said(tree_formula(own, groups), apart)

    def _groups(self, siblings: Sequence[_Child]) -> tuple[list[Group], frozenset[Inequality]]:
        """The siblings in groups that the inequalities keep apart, and all inequalities said by then."""
        left, groups = list(siblings), list[Group]()
        used = frozenset(one for child in siblings for one in child.said.apart)
        while left:
            members = [left.pop(0)]
            for other in list(left):
                pairs = [self._inequality(member.new, other.new) for member in members]
                found = [pair for pair in pairs if pair is not None]
                if len(found) == len(pairs):
                    used |= set(found)
                    members.append(other)
                    left.remove(other)
            colour = self.encoding.colours[members[0].colour]
            groups.append(group(colour, *(member.said.formula for member in members)))
        return groups, used

    def _places(self, atom: Atom) -> Iterator[tuple[int, Vertex]]:
        """The features that say the atom, and the vertices at which they do."""
        for feature, meaning in enumerate(self.encoding.meanings):
            if meaning.predicate == atom.predicate:
                yield feature, self._vertex_of(atom, feature)

    def _vertex_of(self, atom: Atom, feature: int) -> Vertex:
        meaning = self.encoding.meanings[feature]
        return Vertex(meaning.sort, tuple(atom.arguments[column] for column in meaning.columns))

    def _closure(self, vertex: Vertex) -> dict[Vertex, _Path]:
        """The vertices that are reached without bringing in a term, each by a shortest path of colours."""
        found: dict[Vertex, _Path] = {vertex: ()}
        for each in list(found):
            waiting = [each]
            for at in waiting:
                for way in self._ways(at):
                    if not way.new and not way.said and way.target not in found and len(found[at]) < _MOST_STEPS:
                        found[way.target] = (*found[at], way.colour)
                        waiting.append(way.target)
        return found

    def _ways(self, vertex: Vertex) -> Iterator[_Way]:
        for colour in range(len(self.encoding.colours)):
            schemes = self.schemes.edges.get((colour, vertex.sort), [])
            if len(schemes) != 1:
                continue
            scheme = _apart(schemes[0])
            bound = unify(vertex.terms, scheme.vertices[0].terms, {})
            if bound is None:
                continue
            terms = tuple(resolved(term, bound) for term in scheme.vertices[1].terms)
            own = set(variables_of_all(vertex.terms))
            new = tuple(dict.fromkeys(v for v in variables_of_all(terms) if v not in own))
            literals = [bind_literal(each, bound) for each in scheme.body]
            users = self.encoding.signature
            said = tuple(each for each in literals if isinstance(each, Atom) and each.predicate in users)
            yield _Way(colour, Vertex(scheme.vertices[1].sort, terms), new, said)

    def _inequality(self, one: tuple[Variable, ...], other: tuple[Variable, ...]) -> Inequality | None:
        if len(one) != 1 or len(other) != 1:
            return None
        wanted = {one[0], other[0]}
        return next((each for each in self.apart if {each.left, each.right} == wanted), None)

    def error(self, message: str, hint: str) -> UnsupportedError:
        """What keeps the rule out of the encoding."""
        text = f"`{print_rule(self.rule)}` cannot be said with `{self.encoding.name}`: {message}"
        return UnsupportedError(Finding("E482", text, self.rule.span, hint))


def _apart(scheme: Scheme) -> Scheme:
    """The scheme with variables that no rule has."""

    def renamed(term: Term) -> Term:
        return substitute(term, lambda variable: Variable(f" {variable.name}"))

    vertices = tuple(Vertex(each.sort, tuple(map(renamed, each.terms))) for each in scheme.vertices)
    return Scheme(vertices, tuple(rename_literal(each, lambda v: Variable(f" {v.name}")) for each in scheme.body))


def variables_of_all(terms: Iterable[Term]) -> tuple[Variable, ...]:
    """The variables of the terms, once each."""
    return tuple(dict.fromkeys(variable for term in terms for variable in variables_of(term)))


def _bindings(way: _Way, wanted: Sequence[Variable]) -> Iterator[dict[Variable, Term]]:
    """The ways to take the terms that an edge brings in for variables that are still to be brought in."""
    if way.new:
        for chosen in permutations(wanted, len(way.new)):
            yield dict(zip(way.new, chosen, strict=True))


def _components(atoms: Sequence[Atom], visible: frozenset[Variable]) -> list[list[Atom]]:
    """The atoms in parts that share no variable but visible ones."""
    parts: list[tuple[set[Variable], list[Atom]]] = []
    for atom in atoms:
        own = set(variables_of_all(atom.arguments)) - visible
        touching = [part for part in parts if part[0] & own]
        parts = [part for part in parts if not part[0] & own]
        joined = {v for part in touching for v in part[0]} | own
        parts.append((joined, [a for part in touching for a in part[1]] + [atom]))
    return [atoms for _, atoms in parts]
