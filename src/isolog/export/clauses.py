"""What the languages with rules have in common: how clauses are put together, and what some of them cannot say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from isolog.datalog.printer import print_rule
from isolog.datalog.scope import ANONYMOUS
from isolog.datalog.syntax import Rule
from isolog.errors import Findings, UnsupportedError
from isolog.export.flat import Conjunction, Definition, FlatProgram, Part, parts_of
from isolog.facts.dataset import Dataset
from isolog.facts.fields import RDF_TYPE, TYPE_NAMES, Constant
from isolog.facts.terms import Function, Predicate, Term, Variable
from isolog.facts.text import print_term

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language writes constants, variables and function terms, `not`, and a head or part without arguments.

    `constant` raises a `ValueError` with the reason if the language cannot say the constant.
    """

    name: str
    comment: str
    constant: Callable[[Constant], str]
    variable: Callable[[str], str]
    absent: str
    nothing: str
    end: str = "."
    function: Callable[[str, list[str]], str] | None = None

    def term(self, term: Term) -> str:
        """The term."""
        match term:
            case Variable():
                return "_" if term == ANONYMOUS else self.variable(term.name)
            case Function():
                assert self.function is not None, "function terms were refused before"
                return self.function(term.symbol, [self.term(argument) for argument in term.arguments])
            case _:
                return self.constant(term)

    def part(self, part: Part) -> str:
        """A relation with its arguments."""
        return self.atom(part.relation.name, map(self.term, part.arguments))

    def atom(self, name: str, words: Iterable[str]) -> str:
        """A name with arguments that are written already."""
        arguments = ",".join(words)
        return f"{name}({arguments})" if arguments else f"{name}{self.nothing}"

    def clause(self, head: str, body: Iterable[str] = ()) -> str:
        """A rule, or a fact."""
        conditions = ", ".join(body)
        return f"{head} :- {conditions}{self.end}" if conditions else f"{head}{self.end}"

    def conjunction(self, definition: Conjunction) -> list[str]:
        """The body of a definition."""
        body = [self.part(part) for part in definition.parts]
        body += [f"{self.absent}{self.part(part)}" for part in definition.absent]
        return body + [f"{self.term(left)} != {self.term(right)}" for left, right in definition.different]

    def remark(self, lines: Iterable[str]) -> list[str]:
        """Comment lines; a text that ends a line within one is not possible."""
        return [f"{self.comment} {' '.join(line.splitlines())}".rstrip() for line in lines]


def legend(flat: FlatProgram) -> Iterator[str]:
    """Which relation holds which predicate."""
    for predicate, relation in flat.reads.items():
        yield f"  {relation.name}: `{_named(predicate)}` in the data"
    for relation in flat.locals:
        if relation.predicate is not None:
            kind = "in the data or derived" if relation.predicate in flat.reads else "auxiliary"
            yield f"  {relation.name}: `{_named(relation.predicate)}`, {kind}"
    for predicate, relation in flat.derives.items():
        yield f"  {relation.name}: `{_named(predicate)}`, derived"


def refuse(flat: FlatProgram, dialect: Dialect, predicate: Callable[[str], str], data: Dataset | None) -> None:
    """An error with everything in program and data that the language cannot say."""
    findings = Findings()
    for definition in flat.definitions:
        rule = definition.origin
        if rule is not None:
            for reason, code in dict.fromkeys(_objections(definition, dialect)):
                findings.add(code, f"{shown(rule)}: {reason}", rule.span, f"`{dialect.name}` cannot say that")
    for name in dict.fromkeys(known.name for known in (*flat.reads, *flat.derives)):
        if reason := why_not(predicate, name):
            findings.add("E533", f"the predicate `{name}`: {reason}", hint=f"`{dialect.name}` cannot say that")
    findings.raise_any(UnsupportedError)
    for term in data.terms if data is not None else ():
        for constant in constants_of([term]):
            if reason := why_not(dialect.constant, constant):
                findings.add("E533", f"`{print_term(constant)}` in the data: {reason}")
        if dialect.function is None and isinstance(term, Function):
            findings.add("E532", f"`{print_term(term)}` in the data is a function term")
    findings.raise_any(UnsupportedError)


def shown(rule: Rule) -> str:
    """The rule as an error message quotes it."""
    text = print_rule(rule)
    return f"`{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}`"


def refuse_binary_type(flat: FlatProgram) -> None:
    """In triples `rdf:type` makes unary facts, so no rule can read or derive binary ones."""
    findings = Findings()
    for predicate in dict.fromkeys((*flat.reads, *flat.derives)):
        if predicate.arity == 2 and predicate.name in TYPE_NAMES:
            rule = next(r for r in flat.program if predicate in (r.head.predicate, *_read_by(flat, r)))
            message = f"{shown(rule)}: in triples `rdf:type` makes unary facts, not binary ones"
            findings.add("E534", message, rule.span, f"write `C(X)` for a triple of `<{RDF_TYPE}>` and a class `C`")
    findings.raise_any(UnsupportedError)


def why_not(write: Callable[[str], str] | Callable[[Constant], str], constant: Constant) -> str | None:
    """Why the constant cannot be written, if it cannot."""
    try:
        write(constant).encode()  # pyright: ignore[reportArgumentType]  names are constants
    except UnicodeEncodeError:
        return "half a surrogate pair is no character"
    except ValueError as reason:
        return str(reason)
    return None


def constants_of(terms: Iterable[Term]) -> Iterator[Constant]:
    """The constants in the terms, those inside function terms included."""
    for term in terms:
        match term:
            case Function():
                yield from constants_of(term.arguments)
            case Variable():
                pass
            case _:
                yield term


def terms_of(definition: Definition) -> Iterator[Term]:
    """The terms of a definition, once per occurrence."""
    yield from (term for part in (definition.head, *parts_of(definition)) for term in part.arguments)
    if isinstance(definition, Conjunction):
        yield from (term for pair in definition.different for term in pair)


def _objections(definition: Definition, dialect: Dialect) -> Iterator[tuple[str, str]]:
    for term in terms_of(definition):
        if isinstance(term, Function) and dialect.function is None:
            yield f"`{print_term(term)}` is a function term", "E532"
    for constant in constants_of(terms_of(definition)):
        if reason := why_not(dialect.constant, constant):
            yield f"`{print_term(constant)}`: {reason}", "E533"


def _read_by(flat: FlatProgram, rule: Rule) -> list[Predicate]:
    return [
        part.relation.predicate
        for definition in flat.definitions
        if definition.origin == rule
        for part in parts_of(definition)
        if part.relation.predicate is not None
    ]


def _named(predicate: Predicate) -> str:
    """The predicate on one line."""
    return ascii(predicate.name)[1:-1] + f"/{predicate.arity}"
