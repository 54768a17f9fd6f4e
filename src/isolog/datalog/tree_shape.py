"""The shape that Def. 9 asks for: binary atoms form a tree that leads away from its root, and the inequalities
divide the children that a variable has by one colour into cliques."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from isolog.datalog.syntax import BodyLiteral, Inequality
from isolog.errors import Finding, LimitError
from isolog.facts.terms import Atom, Term, Variable
from isolog.facts.text import print_atom, print_term

MOST_LEVELS = 100


def leading_atoms(root: Variable, edges: Iterable[Atom], found: list[Finding]) -> dict[Term, Atom]:
    """Per variable that the binary atoms reach from the root: the atom by which it is reached first.

    Atoms that reach a variable once more or close a cycle are added to `found`.
    """
    leaving: dict[Term, list[Atom]] = {}
    for edge in dict.fromkeys(edges):
        leaving.setdefault(edge.arguments[0], []).append(edge)
    leading: dict[Term, Atom] = {}
    path: list[Term] = [root]
    pending = [iter(leaving.get(root, ()))]
    while pending:
        edge = next(pending[-1], None)
        if edge is None:
            path.pop()
            pending.pop()
            continue
        target = edge.arguments[1]
        if target in path:
            found.append(_cycle(edge, root))
        elif target in leading:
            found.append(_second_way(edge, leading[target]))
        else:
            leading[target] = edge
            path.append(target)
            pending.append(iter(leaving.get(target, ())))
            if len(path) > MOST_LEVELS + 1:
                message = f"the rule leads more than {MOST_LEVELS} steps away from `{root.name}`"
                raise LimitError(Finding("E411", message, edge.span, "a network would need a layer for each step"))
    return leading


def groups_of_siblings(
    leading: Mapping[Term, Atom], inequalities: Sequence[Inequality], found: list[Finding]
) -> list[list[Term]]:
    """The groups into which the inequalities divide the reached variables; a variable in none is a group alone.

    Inequalities that join others than same-colour siblings, or that do not form cliques, are added to `found`.
    """
    apart: dict[Term, dict[Term, Inequality]] = {variable: {} for variable in leading}
    for inequality in inequalities:
        left, right = inequality.left, inequality.right
        if left == right or _origin(leading, left) != _origin(leading, right):
            found.append(_not_siblings(inequality))
        else:
            apart[left][right] = apart[right][left] = inequality
    groups: dict[frozenset[Term], list[Term]] = {}
    for variable, others in apart.items():
        groups.setdefault(frozenset((variable, *others)), []).append(variable)
    if any(len(group) != len(members) for group, members in groups.items()):
        found.append(_open_triangle(apart))
    return list(groups.values())


def not_reached(variable: Variable, literal: BodyLiteral, root: Variable, backwards: Atom | None) -> Finding:
    """What is wrong with a variable, first seen in the literal, that no path from the root reaches.

    `backwards` is a binary atom that leads from it to a variable that is reached.
    """
    hint = f"every variable must be reached from `{root.name}` along binary atoms, from first argument to second"
    if backwards is not None:
        hint = f"`{print_atom(backwards)}` is followed the other way; the encoding `inverses` adds inverse predicates"
    return Finding("E246", f"`{variable.name}` is not reached from `{root.name}`", literal.span, hint)


def _origin(leading: Mapping[Term, Atom], variable: Term) -> tuple[object, ...]:
    """What same-colour siblings share; the root has no siblings."""
    atom = leading.get(variable)
    return (variable,) if atom is None else (atom.name, atom.arguments[0])


def _cycle(edge: Atom, root: Variable) -> Finding:
    message = f"`{print_atom(edge)}` closes a cycle, so the body is no tree below `{root.name}`"
    hint = "networks cannot tell a cycle from a path that goes on; use a new variable if it may end elsewhere"
    return Finding("E245", message, edge.span, hint)


def _second_way(edge: Atom, first: Atom) -> Finding:
    message = f"`{print_term(edge.arguments[1])}` is reached by `{print_atom(first)}` and again by `{print_atom(edge)}`"
    hint = "networks cannot join two paths; use two variables if they may stand for different terms"
    return Finding("E244", message, edge.span, hint)


def _not_siblings(inequality: Inequality) -> Finding:
    left, right = print_term(inequality.left), print_term(inequality.right)
    if left == right:
        return Finding("E247", f"`{left} != {right}` is never true", inequality.span, "leave the rule out")
    message = f"`{left} != {right}` compares others than two variables reached from one by the same predicate"
    hint = "networks count the neighbours of a vertex colour by colour and compare nothing else"
    return Finding("E247", message, inequality.span, hint)


def _open_triangle(apart: Mapping[Term, Mapping[Term, Inequality]]) -> Finding:
    middle, one, other = next(
        (middle, one, other)
        for middle, others in apart.items()
        for one in others
        for other in others
        if other != one and other not in apart[one]
    )
    x, y, z = map(print_term, (one, middle, other))
    message = f"`{x} != {y}` and `{y} != {z}` stand without `{x} != {z}`, but groups must be pairwise distinct"
    return Finding("E248", message, apart[middle][other].span, f"add `{x} != {z}`, or leave one of the two out")
