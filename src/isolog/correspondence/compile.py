"""From Datalog to networks: programs of tree-like rules without inequalities are monotonic max GNNs (Thm. 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from isolog.correspondence.formula_network import reject_counting
from isolog.correspondence.network_of_program import network_of_program
from isolog.correspondence.subformulas import subformula_network
from isolog.datalog.checks import check
from isolog.datalog.syntax import BodyLiteral, Count, Program
from isolog.datalog.tree_rules import tree_rules
from isolog.errors import Finding, Findings, InputError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.network import Network

Construction: TypeAlias = Literal["subformulas", "letter"]
CONSTRUCTIONS: tuple[Construction, ...] = ("subformulas", "letter")


def compile_program(
    program: Program, *, construction: Construction = "subformulas", signature: Signature | None = None
) -> Network:
    """A monotonic max network with ReLU and threshold 1 that is equivalent to the program.

    Its signature is the program's, with heads that are missing there; without @signature the predicates in order
    of first occurrence, rule by rule, the head first. Those of `signature` are added behind.

    >>> from isolog.datalog.parser import parse
    >>> compile_program(parse("happy(X) :- knows(X, Y), happy(Y), rich(Y).")).dimensions
    (2, 2, 1, 2)
    """
    check(program)
    _reject_auxiliary(program)
    rules = tree_rules(program)
    reject_counting(rules, [rule.span for rule in program])
    known = program_signature(program, signature)
    _require_canonical(known)
    match construction:
        case "subformulas":
            return subformula_network(rules, known)
        case "letter":
            return network_of_program(rules, known).network
        case _:
            hint = f"choose one of {', '.join(f'`{name}`' for name in CONSTRUCTIONS)}"
            raise InputError(Finding("E258", f"unknown construction `{construction}`", hint=hint))


def program_signature(program: Program, further: Signature | None = None) -> Signature:
    """The predicates that the network of the program knows, in order."""
    listed = program.signature.predicates if program.signature else ()
    occurring = [atom.predicate for rule in program for atom in (rule.head, *_atoms(rule.body))]
    return Signature(tuple(dict.fromkeys([*listed, *occurring, *(further.predicates if further else ())])))


def _reject_auxiliary(program: Program) -> None:
    findings = Findings()
    for predicate in sorted(program.auxiliary):
        hint = "write the bodies of its rules where it is used"
        findings.add("E256", f"a network has no place for the auxiliary predicate `{predicate}`", hint=hint)
    findings.raise_any(UnsupportedError)


def _require_canonical(signature: Signature) -> None:
    findings = Findings()
    for predicate in signature.predicates:
        if predicate.arity not in (1, 2):
            hint = "its facts can be written with a node for each fact and a binary predicate for each argument"
            findings.add("E257", f"`{predicate}` is neither a feature nor a colour of a network", hint=hint)
    findings.raise_any(UnsupportedError)


def _atoms(body: tuple[BodyLiteral, ...]) -> Iterator[Atom]:
    for literal in body:
        if isinstance(literal, Atom):
            yield literal
        elif isinstance(literal, Count):
            yield from _atoms(literal.body)
