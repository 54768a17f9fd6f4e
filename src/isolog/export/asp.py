"""ASP: programs for clingo, which has function terms and counts."""

from __future__ import annotations

import re

from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program
from isolog.errors import Findings, UnsupportedError
from isolog.export.clauses import Dialect, legend, refuse, shown
from isolog.export.flat import TERMS, Conjunction, Definition, FlatProgram, Role
from isolog.export.flatten import flatten
from isolog.facts.dataset import Dataset
from isolog.facts.fields import Constant
from isolog.facts.terms import Function, Predicate

_PLAIN = re.compile(r"(?!not$)[a-z][A-Za-z0-9_]*")
_OWN_SYMBOLS = frozenset({"literal", "function"})
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}


def export(program: Program, rounds: Rounds, data: Dataset | None) -> str:
    """The program, and the data, as text for clingo; the one stable model has the derived facts."""
    flat = flatten(program, rounds, native_counts=True)
    refuse(flat, DIALECT, print_constant, data)
    if rounds != 1:
        _refuse_new_terms(flat)
    lines = DIALECT.remark(
        [
            "For clingo. Facts of the data are written `fact(predicate, arguments…)`: names as constants or strings,",
            'RDF literals as `literal("42")`, `literal("no","@en")` or `literal("1","^^datatype")`.',
            *legend(flat),
        ]
    )
    arities = {predicate.arity for predicate in (*flat.reads, *(data.predicates if data is not None else ()))}
    arities = sorted(arities | ({1, 2} if flat.reads_terms else set()))
    lines += [f"#defined fact/{arity + 1}." for arity in arities]
    if data is not None:
        lines += [DIALECT.clause(_fact(fact.predicate, list(map(DIALECT.term, fact.arguments)))) for fact in data]
    for predicate, relation in flat.reads.items():
        row = [f"V{place}" for place in range(1, predicate.arity + 1)]
        lines.append(DIALECT.clause(DIALECT.atom(relation.name, row), [_fact(predicate, row)]))
    lines += _terms(flat, arities)
    lines += [f"#defined {relation.name}/{relation.arity}." for relation in flat.locals]
    lines += [_define(definition) for definition in flat.definitions]
    lines.append("#show.")
    lines += [f"#show {relation.name}/{relation.arity}." for relation in flat.derives.values()]
    return "\n".join(lines) + "\n"


def print_constant(constant: Constant) -> str:
    """A name or literal in ASP.

    >>> from isolog.facts.terms import Literal
    >>> print_constant("ann"), print_constant("Ann"), print_constant(Literal("no", "en"))
    ('ann', '"Ann"', 'literal("no","@en")')
    """
    if isinstance(constant, str):
        return constant if _PLAIN.fullmatch(constant) else _string(constant)
    words = [_string(constant.lexical)]
    if constant.language is not None:
        words.append(_string(f"@{constant.language}"))
    if constant.datatype is not None:
        words.append(_string(f"^^{constant.datatype}"))
    return f"literal({','.join(words)})"


def _string(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL character")
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'


def _function(symbol: str, arguments: list[str]) -> str:
    """A function term; a symbol that is no plain word is the first argument of `function`."""
    if arguments and _PLAIN.fullmatch(symbol) and symbol not in _OWN_SYMBOLS:
        return f"{symbol}({','.join(arguments)})"
    return f"function({','.join([_string(symbol), *arguments])})"


DIALECT = Dialect("asp", "%", print_constant, lambda name: name, absent="not ", nothing="", function=_function)


def _fact(predicate: Predicate, words: list[str]) -> str:
    return DIALECT.atom("fact", [print_constant(predicate.name), *words])


def _terms(flat: FlatProgram, arities: list[int]) -> list[str]:
    if not flat.reads_terms:
        return []
    lines = [f"#defined {TERMS.name}/1."]
    signature = flat.program.signature
    if signature is not None:
        given = [(print_constant(predicate.name), predicate.arity) for predicate in signature.predicates]
        lines += [f"#defined fact/{arity + 1}." for arity in sorted({a for _, a in given} - {*arities})]
    else:
        given = [("_", arity) for arity in arities]
    for name, arity in given:
        for place in range(arity):
            row = ["T" if other == place else "_" for other in range(arity)]
            lines.append(DIALECT.clause(f"{TERMS.name}(T)", [DIALECT.atom("fact", [name, *row])]))
    return lines


def _define(definition: Definition) -> str:
    head = DIALECT.part(definition.head)
    if isinstance(definition, Conjunction):
        return DIALECT.clause(head, DIALECT.conjunction(definition))
    counted = definition.counted
    *outer, value = map(DIALECT.term, counted.arguments)
    some = DIALECT.atom(counted.relation.name, [*outer, "_"])
    count = f"{definition.at_least} <= #count{{ {value} : {DIALECT.part(counted)} }}"
    return DIALECT.clause(head, [some, count])


def _refuse_new_terms(flat: FlatProgram) -> None:
    """Heads with function terms may go on for ever, which clingo would not notice."""
    findings = Findings()
    for definition in flat.definitions:
        rule, head = definition.origin, definition.head
        output = head.relation.role == Role.DERIVED
        if rule is not None and output and any(isinstance(term, Function) for term in head.arguments):
            hint = "export one round, or run it with isolog, which stops at a depth"
            findings.add("E532", f"{shown(rule)}: may derive new terms without end", rule.span, hint)
    findings.raise_any(UnsupportedError)
