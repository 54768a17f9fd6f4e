"""Programs over the user's predicates as networks under an encoding, such as `father(X, Y) :- parent(X, Y), male(X).`

Each rule is placed on the graphs of the encoding (`placement.py`), and a placement is taken if the network that it
makes captures the rule: then the vertices that it needs are there whenever the body holds. What a placement derives,
the rule derives, too, for a vertex means nothing else than its terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from isolog.correspondence.capture import captures
from isolog.correspondence.compile import ActivationChoice, Compiled, Construction, compiled, program_signature
from isolog.correspondence.placement import placements
from isolog.datalog.checks import check
from isolog.datalog.printer import print_rule
from isolog.datalog.syntax import Program, Rule
from isolog.datalog.tree_rules import to_program
from isolog.datalog.treelike import TreeRule
from isolog.encodings.encoding import Encoding
from isolog.encodings.registry import find_encoding
from isolog.errors import Finding, Findings, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.network import EncodingName, Network

AUTO = ("canonical", "pairs", "paths", "paths:3")
"""What `auto` tries, the smallest graphs first."""

_TRIED = 20


def compile_encoded(
    program: Program,
    encoding: str,
    *,
    options: Mapping[str, Any] | None = None,
    construction: Construction = "subformulas",
    activation: ActivationChoice = "auto",
    signature: Signature | None = None,
) -> Compiled:
    """The network under the encoding that is equivalent to the program; `auto` is the first of `AUTO` that can be.

    >>> from isolog.datalog.parser import parse
    >>> made = compile_encoded(parse("father(X, Y) :- parent(X, Y), male(X)."), "auto")
    >>> made.network.encoding.name, made.network.dimensions
    ('pairs', (3, 2, 1, 3))
    """
    if encoding == "canonical":
        return compiled(program, construction=construction, activation=activation, signature=signature)
    if construction == "letter":
        message = f"the construction `letter` makes no networks under the encoding `{encoding}`"
        raise UnsupportedError(Finding("E259", message, hint="the construction `subformulas` does"))
    if encoding != "auto":
        return _under(program, encoding, options or {}, activation, signature)
    findings: list[Finding] = []
    for name in AUTO:
        try:
            return compile_encoded(program, name, activation=activation, signature=signature)
        except UnsupportedError as error:
            findings = list(error.findings) if name != "canonical" or not findings else findings
    raise UnsupportedError(findings)


def _under(
    program: Program, name: str, options: Mapping[str, Any], activation: ActivationChoice, signature: Signature | None
) -> Compiled:
    check(program)
    if program.auxiliary:
        listed = ", ".join(f"`{predicate}`" for predicate in sorted(program.auxiliary))
        hint = "write the bodies of their rules where they are used"
        raise UnsupportedError(Finding("E256", f"networks under `{name}` have no place for {listed}", hint=hint))
    encoding = find_encoding(name, program_signature(program, signature), dict(options))
    trees: list[TreeRule] = []
    findings = Findings()
    for rule in program:
        try:
            trees.append(_placed(rule, name, options))
        except UnsupportedError as error:
            for finding in error.findings:
                findings.add(finding.code, finding.message, finding.span, finding.hint)
    findings.raise_any(UnsupportedError)
    made = compiled(to_program(trees, encoding.canonical), activation=activation)
    return replace(made, network=_encoded(made.network, encoding, options))


def _placed(rule: Rule, name: str, options: Mapping[str, Any]) -> TreeRule:
    """The first placement that the rule's own network captures; the rule's own predicates are enough to tell."""
    encoding = find_encoding(name, program_signature(Program((rule,))), dict(options))
    for tree in islice(placements(rule, encoding), _TRIED):
        if captures(_network([tree], encoding, options), rule).captured:
            return tree
    message = f"`{print_rule(rule)}` cannot be said with `{encoding.name}`: its body alone does not make the vertices"
    hint = "an atom that links the terms of the head makes them; so does an encoding with longer paths"
    raise UnsupportedError(Finding("E483", message, rule.span, hint))


def _network(trees: Sequence[TreeRule], encoding: Encoding, options: Mapping[str, Any]) -> Network:
    return _encoded(compiled(to_program(trees, encoding.canonical)).network, encoding, options)


def _encoded(network: Network, encoding: Encoding, options: Mapping[str, Any]) -> Network:
    name = EncodingName(encoding.name, tuple(sorted(options.items())))
    return replace(network, signature=encoding.signature, encoding=name)
