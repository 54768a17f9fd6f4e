"""The checks that a program has to pass before it means anything; all findings come at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from isolog.datalog.rule_checks import joined_counts, rule_errors
from isolog.datalog.stratify import TERMS, Dependency, auxiliary_dependencies, body_atoms, cycles, dependencies
from isolog.datalog.syntax import Program
from isolog.errors import Finding, Findings
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate, is_ground

Rounds: TypeAlias = Literal[1, "fixpoint"]


def check(program: Program, rounds: Rounds = 1) -> tuple[Finding, ...]:
    """The warnings about a program that is to be applied for so many rounds; whatever is wrong is raised.

    >>> from isolog.datalog.parser import parse
    >>> [warning.code for warning in check(parse("p(a). q(X) :- p(X)."))]
    ['E230']
    >>> check(parse("p(a). q(X) :- p(X)."), "fixpoint")
    ()
    """
    found = Findings()
    for finding in _errors(program, rounds):
        found.add(finding.code, finding.message, finding.span, finding.hint)
    found.raise_any()
    warnings = [warning for rule in program.rules for warning in joined_counts(rule)]
    return (*warnings, *(_unread_facts(program) if rounds == 1 else ()))


def _errors(program: Program, rounds: Rounds) -> Iterator[Finding]:
    read = _first_uses(atom for rule in program.rules for atom, _ in body_atoms(rule.body))
    heads = _first_uses(rule.head for rule in program.rules)
    listed = program.signature.predicates if program.signature else ()
    unknown = _unknown(program, read, heads, rounds)
    yield from (_unknown_predicate(program, atom, heads) for atom in unknown.values())
    used = {predicate: atom for predicate, atom in (heads | read).items() if predicate not in unknown}
    yield from _arity_clashes(used, {*listed, *program.auxiliary})
    yield from _undefined_auxiliaries(program, heads)
    for rule in program.rules:
        yield from rule_errors(rule)
    for cycle in cycles(auxiliary_dependencies(program), negated=False):
        hint = "without `@auxiliary`, `--rounds fixpoint` computes what is recursive"
        yield Finding("E222", f"auxiliary predicates must not be recursive: {_chain(cycle)}", cycle[0].span, hint)
    if rounds == "fixpoint":
        yield from map(_unstratified, cycles(dependencies(program), negated=True))


def _first_uses(atoms: Iterable[Atom]) -> dict[Predicate, Atom]:
    """Each predicate with the first atom that has it."""
    first: dict[Predicate, Atom] = {}
    for atom in atoms:
        first.setdefault(atom.predicate, atom)
    return first


def _unknown(
    program: Program, read: dict[Predicate, Atom], heads: dict[Predicate, Atom], rounds: Rounds
) -> dict[Predicate, Atom]:
    """The predicates that rules read although no data within the signature and no other rule can have them."""
    if program.signature is None:
        return {}
    known = {*program.signature.predicates, *program.auxiliary, *(heads if rounds == "fixpoint" else ())}
    return {predicate: atom for predicate, atom in read.items() if predicate not in known}


def _unknown_predicate(program: Program, atom: Atom, heads: dict[Predicate, Atom]) -> Finding:
    predicate = atom.predicate
    if predicate in heads:
        hint = (
            f"one round reads the input alone; `@auxiliary {predicate}.` or more rounds let rules read what others say"
        )
    else:
        listed = program.signature.predicates if program.signature else ()
        hint = Signature((*listed, *sorted(program.auxiliary))).nearest(predicate) or "`@signature` has to list it"
    return Finding("E223", f"unknown predicate `{predicate}`", atom.span, hint)


def _arity_clashes(used: dict[Predicate, Atom], declared: set[Predicate]) -> Iterator[Finding]:
    """One finding for each undeclared predicate that shares its name with a declared one or an earlier one."""
    named = {predicate.name: predicate for predicate in sorted(declared)}
    for predicate, atom in used.items():
        other = named.setdefault(predicate.name, predicate)
        if predicate != other and predicate not in declared:
            message = f"`{predicate}` has the name of `{other}`, but is another predicate"
            hint = "if both are meant, declare both with `@signature` or `@auxiliary`"
            yield Finding("E220", message, atom.span, hint)


def _undefined_auxiliaries(program: Program, heads: dict[Predicate, Atom]) -> Iterator[Finding]:
    for predicate in sorted(program.auxiliary - heads.keys()):
        hint = Signature(tuple(heads)).nearest(predicate) or "auxiliary predicates are never read from the data"
        yield Finding("E224", f"the auxiliary predicate `{predicate}` has no rule", hint=hint)


def _unstratified(cycle: tuple[Dependency, ...]) -> Finding:
    head = _name(cycle[0].head)
    hint = "one round reads every `not` from the input, whatever the rules derive"
    if any(dependency.on == TERMS for dependency in cycle):
        hint = "a variable in no positive atom ranges over the terms of the data; bind it by an atom"
    return Finding("E221", f"{head} depends on its own absence: {_chain(cycle)}", cycle[0].span, hint)


def _chain(cycle: tuple[Dependency, ...]) -> str:
    steps = [("not " if dependency.negated else "") + _name(dependency.on) for dependency in cycle]
    return " ← ".join([_name(cycle[0].head), *steps])


def _name(predicate: Predicate) -> str:
    return TERMS.name if predicate == TERMS else f"`{predicate}`"


def _unread_facts(program: Program) -> Iterator[Finding]:
    """One warning for each predicate of which the program has facts, and rules that read it."""
    read = {atom.predicate for rule in program.rules for atom, _ in body_atoms(rule.body)} - program.auxiliary
    facts: dict[Predicate, list[Atom]] = {}
    for rule in program.rules:
        if not rule.body and rule.head.predicate in read and all(map(is_ground, rule.head.arguments)):
            facts.setdefault(rule.head.predicate, []).append(rule.head)
    for predicate, atoms in facts.items():
        count = "a fact" if len(atoms) == 1 else f"{len(atoms):,} facts"
        message = f"the program has {count} of `{predicate}`, but one round reads that predicate from the data alone"
        hint = f"move them to the data, or declare `@auxiliary {predicate}.`"
        yield Finding("E230", message, atoms[0].span, hint)
