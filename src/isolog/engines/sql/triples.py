"""Facts as triples of words, in place: which predicates there are, and what of them a program needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from isolog.datalog.scope import scoped
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import Program
from isolog.engines.engine import Options
from isolog.errors import Findings, InputError, UnsupportedError
from isolog.facts.fields import RDF_TYPE, TYPE_NAMES, parse_field, print_field
from isolog.facts.signature import known_predicates
from isolog.facts.terms import Literal, Predicate

TYPED = f"CASE WHEN predicate IN ('rdf:type', '<rdf:type>', '{RDF_TYPE}', '<{RDF_TYPE}>') THEN object END"
"""The class that a fact gives its subject, missing for all other facts."""

TALLY = f"SELECT predicate, {TYPED} AS class, COUNT(*) AS facts FROM triples GROUP BY predicate, {TYPED}"
"""How many facts there are per predicate and class."""


@dataclass(frozen=True, slots=True)
class Written:
    """How the facts of a predicate are written in triples: the word of the predicate, and that of a class."""

    predicate: str
    kind: str | None
    facts: int


Directory = Mapping[Predicate, list[Written]]


def directory(tally: Iterable[tuple[str | None, str | None, int]], source: str) -> Directory:
    """The predicates of the data, from the rows of `TALLY`."""
    found: dict[Predicate, list[Written]] = {}
    findings = Findings()
    for predicate, kind, facts in tally:
        try:
            name = parse_field(predicate or "")
            value = parse_field(kind) if kind is not None else None
        except InputError as error:
            for finding in error.findings:
                findings.add(finding.code, f"`{source}`: {finding.message}", hint=finding.hint)
            continue
        if isinstance(name, Literal):
            findings.add("E126", f"`{source}`: the literal `{predicate}` as predicate", hint="predicates are names")
        elif name not in TYPE_NAMES:
            found.setdefault(Predicate(name, 2), []).append(Written(str(predicate), None, facts))
        elif isinstance(value, Literal):
            found.setdefault(Predicate(RDF_TYPE, 2), []).append(Written(str(predicate), kind, facts))
        elif value is not None:
            found.setdefault(Predicate(value, 1), []).append(Written(str(predicate), kind, facts))
    findings.raise_any()
    return dict(sorted(found.items()))


def needed(program: Program, data: Directory, options: Options, everything: bool) -> list[Predicate]:
    """The predicates of the data that matter: all, or what the program reads or derives.

    All matter when a variable may be any term, and when the input is to be written, too.
    """
    known = list(data)
    if program.signature is not None:
        counts = {predicate: sum(each.facts for each in written) for predicate, written in data.items()}
        known = known_predicates(counts, program.signature, options.ignore_unknown)
    if everything or any(scoped(rule).unsafe for rule in program):
        return known
    read = {atom.predicate for rule in program for atom, _ in body_atoms((rule.head, *rule.body))}
    return [predicate for predicate in known if predicate in read]


def refuse_unwritable(predicates: Iterable[Predicate], format: str) -> None:
    """An error if triples cannot say facts of some of these predicates."""
    findings = Findings()
    for predicate in predicates:
        if predicate.arity not in (1, 2) or (predicate.arity == 2 and predicate.name in TYPE_NAMES):
            message = f"{format} cannot say facts of `{predicate}`"
            findings.add("E138", message, hint="a `.dl` file can")
    findings.raise_any(UnsupportedError)


def written_as(predicate: Predicate) -> tuple[str, str | None]:
    """The word for a predicate in triples, and for the class of a unary one."""
    word = print_field(predicate.name)
    return ("rdf:type", word) if predicate.arity == 1 else (word, None)
