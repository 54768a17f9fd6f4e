"""`.dl` fact files: all facts of a file, in order, and all that is wrong with it."""

from io import StringIO

import pytest

from isolog.errors import Findings, InputError
from isolog.facts.dl import dl_line, read_dl
from isolog.facts.terms import Atom, Function, Literal


def read(text: str) -> list[Atom]:
    """The facts of a file with this text."""
    return list(read_dl(StringIO(text), "facts.dl"))


def codes(text: str) -> list[str]:
    """The code and place of everything wrong with this text."""
    with pytest.raises(InputError) as raised:
        read(text)
    return [f"{finding.code} {finding.span.place()}" for finding in raised.value.findings if finding.span]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("A(a).", Atom("A", ("a",))),
        ("r(a, b).", Atom("r", ("a", "b"))),
        (" r( <Ann> ,b ) . ", Atom("r", ("Ann", "b"))),
        ("<>(<>).", Atom("", ("",))),
        ("<not>(<true>, not).", Atom("not", ("true", "not"))),
        ("nothing(truely).", Atom("nothing", ("truely",))),
        ("go.", Atom("go")),
        ("Go().", Atom("Go")),
        ("t(a, b, c).", Atom("t", ("a", "b", "c"))),
        ("t(f(a, g()), _:b1).", Atom("t", (Function("f", ("a", Function("g", ()))), "_:b1"))),
        ('r(a, "x").  % why', Atom("r", ("a", Literal("x")))),
        (r'r(<\u0041\U0001F600>, "\t\"\'\\\u00e9").', Atom("r", ("A😀", Literal("\t\"'\\é")))),
        ('r(a, "x"@en-GB).', Atom("r", ("a", Literal("x", language="en-GB")))),
        ('r(a, "x"^^<d>).', Atom("r", ("a", Literal("x", datatype="d")))),
    ],
)
def test_one_fact(text: str, fact: Atom) -> None:
    assert read(text) == [fact]
    assert read(dl_line(fact)) == [fact]


def test_facts_may_share_lines_and_span_them() -> None:
    assert read("a(b). c(d).\n% e(f).\ng(\n h, % i\n j\n).k.") == [
        Atom("a", ("b",)),
        Atom("c", ("d",)),
        Atom("g", ("h", "j")),
        Atom("k"),
    ]


def test_prefixes_hold_from_their_line_on() -> None:
    text = '@prefix ex: <http://ex.org/> .\n@prefix : <n#>.\nex:p(:a, "1"^^ex:d).\np(a).\nex:p(<ex:a>).'
    assert read(text) == [
        Atom("http://ex.org/p", ("n#a", Literal("1", datatype="http://ex.org/d"))),
        Atom("p", ("a",)),
        Atom("http://ex.org/p", ("ex:a",)),
    ]


def test_the_readings_of_simple_and_other_lines_agree_on_keywords() -> None:
    assert codes("not(a).\ntrue(a).\nnot(a). \n true(a, b, c).") == [
        "E200 facts.dl:1:1",
        "E200 facts.dl:2:1",
        "E200 facts.dl:3:1",
        "E200 facts.dl:4:2",
    ]


def test_no_facts() -> None:
    assert read("") == read("% nothing\n\n") == read("\ufeff") == []


def test_all_findings_come_at_once_with_their_lines() -> None:
    text = "p(a).\np(X).\nq(a) :- p(a).\np(a b).\np(a)\np(b).\nex:p(a).\n@auxiliary p/1.\n"
    assert codes(text) == [
        "E101 facts.dl:2:3",
        "E212 facts.dl:3:6",
        "E200 facts.dl:4:5",
        "E201 facts.dl:5:5",
        "E205 facts.dl:7:1",
        "E207 facts.dl:8:1",
    ]


def test_facts_come_before_the_error_is_raised() -> None:
    facts = read_dl(StringIO("p(a).\np(X).\np(b)."), "facts.dl")
    assert [next(facts), next(facts)] == [Atom("p", ("a",)), Atom("p", ("b",))]
    with pytest.raises(InputError, match="E101"):
        next(facts)


def test_findings_of_the_caller_are_the_callers_to_raise() -> None:
    findings = Findings()
    assert list(read_dl(StringIO("p(X).\nex:p(a).\np(b)."), "facts.dl", findings)) == [Atom("p", ("b",))]
    assert len(findings) == 2


def test_a_table_is_one_finding() -> None:
    assert codes("ann\tparent\tbob\n" * 1000) == ["E200 facts.dl:1:5"]


def test_lines_are_read_as_they_are_needed() -> None:
    def lines() -> list[str]:
        yield "p(a).\n"
        yield 'p("b").\n'
        yield "p(\n"
        yield "c).\n"
        raise AssertionError("one line too far")

    facts = read_dl(lines(), "facts.dl")
    assert [next(facts).arguments[0] for _ in range(3)] == ["a", Literal("b"), "c"]
