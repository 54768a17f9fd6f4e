"""From Datalog to networks: tree-like programs are monotonic max-sum GNNs (Thm. 6, and beyond it inequalities).

Where all groups of distinct children are chains, ReLU is enough (`subformulas.py`). Otherwise Hall's theorem asks for
disjunctions within counts, which no convex activation has (`convexity.py`), so the activation is clipped (`gates.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from isolog.concepts.dag import Concepts
from isolog.concepts.from_rules import concepts_of_program
from isolog.correspondence.chains import chained
from isolog.correspondence.convexity import inseparable
from isolog.correspondence.gates import gate_network
from isolog.correspondence.network_of_program import network_of_program, reject_counting
from isolog.correspondence.subformulas import subformula_network
from isolog.datalog.checks import check
from isolog.datalog.printer import print_rule
from isolog.datalog.syntax import BodyLiteral, Count, Program, Rule
from isolog.datalog.tree_implication import maps_into
from isolog.datalog.tree_rules import tree_rules
from isolog.datalog.treelike import TreeRule
from isolog.errors import Finding, Findings, InputError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.facts.text import print_atom
from isolog.networks.network import Network, Provenance

Construction: TypeAlias = Literal["subformulas", "letter"]
CONSTRUCTIONS: tuple[Construction, ...] = ("subformulas", "letter")
ActivationChoice: TypeAlias = Literal["auto", "relu", "clipped"]
ACTIVATIONS: tuple[ActivationChoice, ...] = ("auto", "relu", "clipped")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A network that is equivalent to a program, its activation, and why it is that one."""

    network: Network
    activation: Literal["relu", "clipped"]
    reason: str


def compile_program(
    program: Program,
    *,
    construction: Construction = "subformulas",
    activation: ActivationChoice = "auto",
    encoding: str = "canonical",
    signature: Signature | None = None,
) -> Network:
    """A monotonic max-sum network with threshold 1 that is equivalent to the program; max alone if it counts nothing.

    Its signature is the program's, with heads that are missing there; without @signature the predicates in order
    of first occurrence, rule by rule, the head first. Those of `signature` are added behind. Under another encoding
    than `canonical`, which has the construction `subformulas` alone, `auto` is the smallest one that can say the rules.

    >>> from isolog.datalog.parser import parse
    >>> compile_program(parse("happy(X) :- knows(X, Y), happy(Y), rich(Y).")).dimensions
    (2, 2, 1, 2)
    """
    if encoding == "canonical":
        return compiled(program, construction=construction, activation=activation, signature=signature).network
    from isolog.correspondence.compile_encoded import compile_encoded  # it builds on this file

    made = compile_encoded(program, encoding, construction=construction, activation=activation, signature=signature)
    return made.network


def compiled(
    program: Program,
    *,
    construction: Construction = "subformulas",
    activation: ActivationChoice = "auto",
    signature: Signature | None = None,
) -> Compiled:
    """The same with the activation that was chosen."""
    _require_known("construction", construction, CONSTRUCTIONS)
    _require_known("activation", activation, ACTIVATIONS)
    check(program)
    rules = () if program.auxiliary else tree_rules(program)
    known = program_signature(program, signature)
    _require_canonical(known)
    if construction == "letter":
        _reject_auxiliary(program, "write the bodies of its rules where it is used")
        reject_counting(rules, [rule.span for rule in program])
        return Compiled(network_of_program(rules, known).network, "relu", "the program counts nothing")
    clip = activation == "clipped"
    made = _clipped(program, known, "as asked for") if clip else _smallest(program, rules, known, activation)
    note = f"compiled from a program, activation {made.activation}: {made.reason}"
    return replace(made, network=replace(made.network, provenance=Provenance(notes=(note,))))


def program_signature(program: Program, further: Signature | None = None) -> Signature:
    """The predicates that the network of the program knows, in order."""
    listed = program.signature.predicates if program.signature else ()
    occurring = [atom.predicate for rule in program for atom in (rule.head, *_atoms(rule.body))]
    data = [predicate for predicate in occurring if predicate not in program.auxiliary]
    return Signature(tuple(dict.fromkeys([*listed, *data, *(further.predicates if further else ())])))


def _smallest(
    program: Program, rules: Sequence[TreeRule], signature: Signature, activation: ActivationChoice
) -> Compiled:
    """The network with ReLU if there is one among those built here, else the clipped one unless ReLU is asked for."""
    if program.auxiliary:
        if activation == "relu":
            _reject_auxiliary(program, "write the bodies of its rules where it is used, or ask for `clipped`")
        return _clipped(program, signature, "auxiliary predicates are disjunctions within rules")
    found = list(zip(rules, map(_chained, rules), program, strict=True))
    even = [rule for _, rule, _ in found if rule is not None]
    broken = [(tree, rule) for tree, chain, rule in found if chain is None and not _is_implied(tree, even)]
    if not broken:
        counts = any(rule.body.inequalities for rule in even)
        reason = "all groups of distinct siblings are chains" if counts else "the program counts nothing"
        return Compiled(subformula_network(even, signature), "relu", reason)
    if activation == "relu":
        raise UnsupportedError([_no_chain(tree, rule, rules) for tree, rule in broken])
    return _clipped(program, signature, f"distinct siblings of `{print_rule(broken[0][1])}` do not imply each other")


def _clipped(program: Program, signature: Signature, reason: str) -> Compiled:
    features = {name: number for number, name in enumerate(signature.unary)}
    colours = {name: number for number, name in enumerate(signature.binary)}
    concepts = Concepts()
    heads = concepts_of_program(concepts, program, features, colours)
    return Compiled(gate_network(concepts, heads, signature), "clipped", reason)


def _chained(rule: TreeRule) -> TreeRule | None:
    body = chained(rule.body)
    return None if body is None else TreeRule(rule.head, body)


def _is_implied(rule: TreeRule, others: Sequence[TreeRule]) -> bool:
    return any(other.head == rule.head and maps_into(other.body, rule.body) for other in others)


def _no_chain(tree: TreeRule, rule: Rule, rules: Sequence[TreeRule]) -> Finding:
    """What a ReLU network cannot do for the rule, with the datasets that show it where there are such."""
    shown = inseparable(tree, rules)
    text = print_rule(rule)
    if shown is None:
        message = f"`{text}` counts distinct siblings that do not imply each other, and no network is built for that"
        return Finding("E481", message, rule.span, "`--activation clipped` has such a network")
    before, after = (_facts(dataset) for dataset in (shown.derived, shown.not_derived))
    message = f"no network with ReLU is equivalent to `{text}`"
    hint = (
        f"one that derives {print_atom(shown.fact)} from {before} derives it from {after}, too, and the program does "
        "not; `--activation clipped` has an equivalent network"
    )
    return Finding("E480", message, rule.span, hint)


def _facts(dataset: Dataset) -> str:
    return "{" + ", ".join(sorted(map(print_atom, dataset))) + "}"


def _require_known(what: str, given: str, known: Sequence[str]) -> None:
    if given not in known:
        hint = f"choose one of {', '.join(f'`{name}`' for name in known)}"
        raise InputError(Finding("E258", f"unknown {what} `{given}`", hint=hint))


def _reject_auxiliary(program: Program, hint: str) -> None:
    findings = Findings()
    for predicate in sorted(program.auxiliary):
        findings.add("E256", f"this network has no place for the auxiliary predicate `{predicate}`", hint=hint)
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
