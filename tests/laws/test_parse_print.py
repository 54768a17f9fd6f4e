"""What is printed is read back exactly; any other text is read, or refused with findings that lie in it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from hypothesis import example, given
from hypothesis import strategies as st

from isolog.datalog.parser import parse, parse_fact, parse_rule
from isolog.datalog.printer import print_program, print_rule
from isolog.datalog.syntax import Program, Rule
from isolog.errors import Finding, InputError
from isolog.facts.dl import dl_line, read_dl
from isolog.facts.terms import Atom, Function, Term
from support.programs import facts, programs, rules


def nested(depth: int) -> Term:
    """The name `a` inside so many function symbols."""
    term: Term = "a"
    for _ in range(depth):
        term = Function("f", (term,))
    return term


@given(programs)
def test_a_printed_program_is_read_back(program: Program) -> None:
    text = print_program(program)
    assert parse(text) == program
    assert print_program(parse(text)) == text


@given(rules)
@example(Rule(Atom("p", (nested(199),))))
def test_a_printed_rule_is_read_back(rule: Rule) -> None:
    assert parse_rule(print_rule(rule)) == rule


@given(st.lists(facts))
def test_facts_read_the_same_from_a_file_in_a_program_and_alone(written: list[Atom]) -> None:
    text = "\n".join(map(dl_line, written))
    assert list(read_dl(StringIO(text), "facts.dl")) == written
    assert parse(text) == Program(tuple(map(Rule, written)))
    assert [parse_fact(dl_line(fact)) for fact in written] == written


_words = ["p", "X", "_", "not", "true", "3", "<a>", '"s"', "@en", "ex:", "ex:a", "_:b", "é", "?x", "#sum"]
_marks = ["(", ")", "{", "}", ",", ".", ":", ":-", "!=", ">=", "/", "^^", "<", '"', "\\", "=", "%", " ", "\n", "\r"]
_beginnings = ["@prefix", "@auxiliary", "@signature", "@foo", "#count{Y : ", "p(X) :- ", "q(a).\n"]
_pieces = st.lists(st.sampled_from(_words + _marks + _beginnings))
READERS: tuple[Callable[[str], object], ...] = (
    parse,
    parse_rule,
    parse_fact,
    lambda text: list(read_dl(StringIO(text), "text")),
)


@given(st.text(st.characters()) | _pieces.map("".join) | _pieces.map(" ".join))
@example("\ufeffp(")
@example("\n% nothing\n")
@example("p(\na)")
@example("p(" * 10_000)
@example("p(" * 10_000 + ")" * 10_000)
@example("p :- " + "#count{Y : " * 10_000)
@example("p(a)\n" * 30)
def test_any_text_is_read_or_refused_with_findings_in_it(text: str) -> None:
    lines = text.removeprefix("\ufeff").split("\n")
    for read in READERS:
        for finding in _findings(read, text):
            if finding.code != "E100":
                assert finding.span is not None
                line = lines[finding.span.line - 1]
                assert finding.span.text == line.rstrip("\r")
                assert 1 <= finding.span.column < finding.span.column + finding.span.length <= len(line) + 2


def _findings(read: Callable[[str], object], text: str) -> tuple[Finding, ...]:
    try:
        read(text)
    except InputError as error:
        return error.findings
    return ()
