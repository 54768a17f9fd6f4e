"""SQL: one statement over a table of triples, each relation a common table expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from isolog.datalog.checks import Rounds
from isolog.datalog.scope import ANONYMOUS
from isolog.datalog.syntax import Program
from isolog.errors import Findings, UnsupportedError
from isolog.export.clauses import Dialect, refuse, refuse_binary_type, shown
from isolog.export.flat import TERMS, Definition, Enough, FlatProgram, Part, Relation, Role, parts_of
from isolog.export.flatten import flatten
from isolog.facts.dataset import Dataset
from isolog.facts.fields import RDF_TYPE, Constant, parse_field, print_field
from isolog.facts.terms import Predicate, Term, Variable
from isolog.facts.triples import Spelling, triples

_TYPES = f"('rdf:type', '{RDF_TYPE}')"


def export(program: Program, rounds: Rounds, data: Dataset | None) -> str:
    """The program as a statement that makes the table `derived`; with data, the table `facts` is made and filled."""
    flat = flatten(program, rounds)
    refuse_binary_type(flat)
    _refuse_arities(flat)
    refuse(flat, DIALECT, print_constant, data)
    lines = [
        "-- The data are the table facts(subject, predicate, object), spelled as in Parquet files of isolog; a unary",
        "-- fact has the predicate rdf:type. What is derived goes to the table derived, of the same form, which no",
        "-- rule reads.",
        *_inserts(data),
        "CREATE TABLE derived AS",
    ]
    tables = [_given(predicate, relation) for predicate, relation in flat.reads.items()]
    if flat.reads_terms:
        tables.append(_cte(TERMS, [_terms(flat)]))
    defined: dict[Relation, list[str]] = {}
    for definition in flat.definitions:
        relation = definition.head.relation
        # A relation stands after all that its rules read, so where its last rule is.
        defined[relation] = [*defined.pop(relation, []), _select(definition)]
    tables += [_cte(relation, [_nothing(relation)]) for relation in flat.undefined]
    tables += [_cte(relation, selects) for relation, selects in defined.items()]
    results = [_result(predicate, relation) for predicate, relation in flat.derives.items()]
    empty = "SELECT '' AS subject, '' AS predicate, '' AS object WHERE 1 = 0"
    if tables:
        lines.append("WITH\n" + ",\n".join(tables))
    return "\n".join([*lines, "\nUNION\n".join(results) or empty]) + ";\n"


def print_constant(constant: Constant) -> str:
    """A name or literal as a string of SQL: the field of a Parquet file.

    >>> print_constant("o'hara")
    "'o''hara'"
    """
    field = print_field(constant)
    if "\0" in field:
        raise ValueError("a NUL character")
    return "'" + field.replace("'", "''") + "'"


DIALECT = Dialect("sql", "--", print_constant, lambda name: name, absent="", nothing="")
_SPELLING = Spelling("SQL", print_field, print_field, parse_field, "rdf:type")


def _inserts(data: Dataset | None) -> Iterator[str]:
    if data is None:
        return
    yield "CREATE TABLE facts (subject VARCHAR NOT NULL, predicate VARCHAR NOT NULL, object VARCHAR NOT NULL);"
    for words in triples(data, _SPELLING):
        row = ", ".join("'" + word.replace("'", "''") + "'" for word in words)
        yield f"INSERT INTO facts VALUES ({row});"


def _given(predicate: Predicate, relation: Relation) -> str:
    name = print_constant(predicate.name)
    if predicate.arity == 1:
        return _cte(relation, [f"SELECT subject FROM facts WHERE predicate IN {_TYPES} AND object = {name}"])
    return _cte(relation, [f"SELECT subject, object FROM facts WHERE predicate = {name}"])


def _terms(flat: FlatProgram) -> str:
    """The terms of the data; a class is none, a literal that stands where classes do is one."""
    signature = flat.program.signature
    if signature is None:
        literal = "substr(object, 1, 1) = '\"'"
        return f"SELECT subject FROM facts UNION SELECT object FROM facts WHERE predicate NOT IN {_TYPES} OR {literal}"
    selects = [
        f"SELECT subject FROM facts WHERE predicate IN {_TYPES} AND object = {print_constant(name)}"
        for name in signature.unary
    ]
    for name in map(print_constant, signature.binary):
        selects += [f"SELECT {column} FROM facts WHERE predicate = {name}" for column in ("subject", "object")]
    return " UNION ".join(selects) or _nothing(TERMS)


def _cte(relation: Relation, selects: list[str]) -> str:
    inner = "\n  UNION ".join(selects)
    return f"{relation.name}({', '.join(_columns(relation))}) AS (\n  {inner}\n)"


def _columns(relation: Relation) -> list[str]:
    return [f"a{place}" for place in range(1, relation.arity + 1)] or ["a0"]


def _nothing(relation: Relation) -> str:
    return f"SELECT {', '.join(f'NULL AS {column}' for column in _columns(relation))} WHERE 1 = 0"


def _select(definition: Definition) -> str:
    if isinstance(definition, Enough):
        return _enough(definition)
    places: dict[Variable, str] = {}
    conditions: list[str] = []
    sources: list[str] = []
    for number, part in enumerate(definition.parts, 1):
        sources.append(f"{part.relation.name} AS t{number}")
        conditions += _conditions(part, f"t{number}", places)
    conditions += [f"{_value(left, places)} <> {_value(right, places)}" for left, right in definition.different]
    for part in definition.absent:
        inside = _conditions(part, "n", places)
        where = f" WHERE {' AND '.join(inside)}" if inside else ""
        conditions.append(f"NOT EXISTS (SELECT 1 FROM {part.relation.name} AS n{where})")
    head = definition.head
    values = [_value(term, places) for term in head.arguments] or ["1"]
    chosen = ", ".join(f"{value} AS {column}" for value, column in zip(values, _columns(head.relation), strict=True))
    text = f"SELECT DISTINCT {chosen}"
    text += f" FROM {', '.join(sources)}" if sources else ""
    return text + (f" WHERE {' AND '.join(conditions)}" if conditions else "")


def _conditions(part: Part, alias: str, places: dict[Variable, str]) -> list[str]:
    """What joins the part to those before it; `places` learns where its new variables are."""
    found: list[str] = []
    for column, term in zip(_columns(part.relation), part.arguments):
        place = f"{alias}.{column}"
        if isinstance(term, Variable):
            if term == ANONYMOUS:
                continue
            if places.setdefault(term, place) == place:
                continue
        found.append(f"{place} = {_value(term, places)}")
    return found


def _enough(definition: Enough) -> str:
    counted = definition.counted
    *outer, value = _columns(counted.relation)
    chosen = ", ".join(outer) or "1 AS a0"
    group = f" GROUP BY {', '.join(outer)}" if outer else ""
    having = f" HAVING COUNT(DISTINCT {value}) >= {definition.at_least}"
    return f"SELECT {chosen} FROM {counted.relation.name}{group}{having}"


def _value(term: Term, places: Mapping[Variable, str]) -> str:
    return places[term] if isinstance(term, Variable) else DIALECT.term(term)


def _result(predicate: Predicate, relation: Relation) -> str:
    name = print_constant(predicate.name)
    if predicate.arity == 1:
        return f"SELECT a1 AS subject, 'rdf:type' AS predicate, {name} AS object FROM {relation.name}"
    return f"SELECT a1 AS subject, {name} AS predicate, a2 AS object FROM {relation.name}"


def _refuse_arities(flat: FlatProgram) -> None:
    findings = Findings()
    for definition in flat.definitions:
        rule = definition.origin
        for part in (definition.head, *parts_of(definition)):
            if rule is not None and part.relation.role != Role.LOCAL and part.relation.arity not in (1, 2):
                message = f"{shown(rule)}: `{part.relation.predicate}` is neither unary nor binary"
                findings.add("E535", message, rule.span, "a table of triples says nothing else")
    findings.raise_any(UnsupportedError)
