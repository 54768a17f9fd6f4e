"""Def. 9 as a check: the tree-like rule that a rule is up to variable renaming, or every reason why it is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from isolog.datalog.scope import free_variables, scoped
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Rule
from isolog.datalog.tree_shape import groups_of_siblings, leading_atoms, not_reached
from isolog.datalog.treelike import Group, TreeFormula, TreeRule, group, tree_formula
from isolog.errors import Finding, LimitError, UnsupportedError
from isolog.facts.terms import Atom, Function, Term, Variable
from isolog.facts.text import print_atom, print_term
from isolog.source import Span

MOST_VARIABLES = 100_000


def recognise(rule: Rule) -> TreeRule:
    """The tree-like rule that the rule is; an error with every reason if it is none.

    `#count{Y : c(X, Y), φ(Y)} >= n` stands for n pairwise distinct children.

    >>> X, Y = Variable("X"), Variable("Y")
    >>> recognise(Rule(Atom("U", (X,)), (Atom("r", (X, Y)), Atom("A", (Y,))))).body.atoms
    2
    """
    reading = _Reading(rule)
    if reading.found:
        raise UnsupportedError(reading.found)
    return reading.tree_rule


def why_not_tree_like(rule: Rule) -> tuple[Finding, ...]:
    """Every reason why the rule is not tree-like; none iff it is."""
    return tuple(_Reading(rule).found)


class _Reading:
    """One rule as it is read: `tree_rule` is what it says, provided that nothing was `found` to be wrong."""

    tree_rule: TreeRule

    def __init__(self, rule: Rule) -> None:
        self.found = [*_unspeakable(rule)]
        if not self.found:
            scopes = scoped(rule)
            self.outer = scopes.outer
            (root,) = free_variables(scopes.rule.head)
            self.tree_rule = TreeRule(rule.head.name, self.formula(root, scopes.rule.body))

    def formula(self, root: Variable, body: Sequence[BodyLiteral]) -> TreeFormula:
        """What the literals of one scope say about its root."""
        atoms = [literal for literal in body if isinstance(literal, Atom)]
        leading = leading_atoms(root, [atom for atom in atoms if len(atom.arguments) == 2], self.found)
        self.check_reached(root, {root, *leading}, body)
        labels: defaultdict[Term, list[str]] = defaultdict(list)
        for atom in atoms:
            if len(atom.arguments) == 1:
                labels[atom.arguments[0]].append(atom.name)
        members: defaultdict[Term, list[list[Term]]] = defaultdict(list)
        for siblings in groups_of_siblings(leading, _inequalities(body, {root, *leading}), self.found):
            members[leading[siblings[0]].arguments[0]].append(siblings)
        counted: defaultdict[Term, list[Group]] = defaultdict(list)
        for literal in body:
            if isinstance(literal, Count):
                for parent, children in self.counted(literal):
                    counted[parent].append(children)

        def below(variable: Term) -> TreeFormula:
            groups = [group(leading[siblings[0]].name, *map(below, siblings)) for siblings in members[variable]]
            return tree_formula(labels[variable], groups + counted[variable])

        return below(root)

    def check_reached(self, root: Variable, reached: set[Term], body: Sequence[BodyLiteral]) -> None:
        """Finds the variables of the scope that no path of its binary atoms reaches from the root."""
        inwards = {a.arguments[0]: a for a in body if isinstance(a, Atom) and a.arguments[-1] in reached}
        seen = set(reached)
        for literal in body:
            visible = self.outer[literal] if isinstance(literal, Count) else free_variables(literal)
            unseen = [variable for variable in visible if variable not in seen]
            self.found += [not_reached(variable, literal, root, inwards.get(variable)) for variable in unseen]
            seen.update(visible)

    def counted(self, count: Count) -> Iterator[tuple[Term, Group]]:
        """The parent and the group that the count stands for, if it has the form for it."""
        outer = self.outer[count]
        ways = {each for each in count.body if isinstance(each, Atom) and _leads(each, outer, count.variable)}
        inside = [literal for literal in count.body if literal not in ways]
        if len(ways) != 1 or len(outer) != 1 or any(outer[0] in free_variables(literal) for literal in inside):
            self.found.append(_not_a_group(count))
            return
        (way,) = ways
        child = self.formula(count.variable, inside)
        variables = count.at_least * child.variables
        if variables > MOST_VARIABLES:
            message = f"`#count` stands for {variables:,} variables; the limit is {MOST_VARIABLES:,}"
            hint = "`isolog run` evaluates counts as they are written"
            raise LimitError(Finding("E410", message, count.span, hint))
        yield outer[0], group(way.name, *[child] * count.at_least)


def _leads(atom: Atom, outer: Sequence[Variable], counted: Variable) -> bool:
    """Whether the atom is a binary one from one of the outer variables to the counted one."""
    return atom.arguments[1:] == (counted,) and atom.arguments[0] in outer


def _inequalities(body: Sequence[BodyLiteral], reached: set[Term]) -> list[Inequality]:
    return [each for each in body if isinstance(each, Inequality) and {each.left, each.right} <= reached]


def _unspeakable(rule: Rule) -> Iterator[Finding]:
    """What the rule has that tree-like rules have no words for, whatever their shape."""
    head = rule.head
    if len(head.arguments) != 1 or not isinstance(head.arguments[0], Variable):
        hint = "write the head as `U(X)`; under an encoding, pairs of terms become vertices of their own"
        yield Finding("E240", f"the head `{print_atom(head)}` is not a unary predicate of a variable", head.span, hint)
    for literal in rule.body:
        yield from _unspeakable_parts(literal)


def _unspeakable_parts(literal: BodyLiteral) -> Iterator[Finding]:
    match literal:
        case Atom():
            if len(literal.arguments) not in (1, 2):
                message = f"`{print_atom(literal)}` has arity {len(literal.arguments)}"
                hint = "tree-like rules speak of unary and binary predicates only"
                yield Finding("E241", message, literal.span, hint)
            yield from _not_variables(literal.arguments, literal.span)
        case Inequality():
            yield from _not_variables((literal.left, literal.right), literal.span)
        case Negation():
            hint = "monotonic networks derive no fewer facts from more, so they cannot express `not`"
            yield Finding("E243", f"`not {print_atom(literal.atom)}` is a negation", literal.span, hint)
        case Count():
            for inner in literal.body:
                yield from _unspeakable_parts(inner)


def _not_variables(terms: Sequence[Term], span: Span | None) -> Iterator[Finding]:
    for term in terms:
        if isinstance(term, Function):
            hint = "encodings may invent terms, the rules of a network may not"
            yield Finding("E242", f"`{print_term(term)}` is a function term", span, hint)
        elif not isinstance(term, Variable):
            hint = "use a variable and a unary predicate of its own, as the encoding `nominals` does"
            yield Finding("E242", f"`{print_term(term)}` is a constant", span, hint)


def _not_a_group(count: Count) -> Finding:
    variable = count.variable.name
    message = f"`#count` of `{variable}` is not over the neighbours of one variable by one predicate"
    hint = f"write `#count{{{variable} : c(X, {variable}), …}} >= {count.at_least}`, with X in this one atom of it only"
    return Finding("E249", message, count.span, hint)
