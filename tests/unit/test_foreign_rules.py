"""Rule files of LogInfer and AnyBURL become programs; all that is wrong with one is said at once, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolog.cli.app import main
from isolog.datalog.anyburl import parse_anyburl
from isolog.datalog.checks import check
from isolog.datalog.foreign_rules import RuleFormat, read_rules
from isolog.datalog.loginfer import parse_loginfer
from isolog.datalog.parser import parse_rule, read_program
from isolog.datalog.syntax import Rule
from isolog.errors import InputError
from isolog.facts.terms import Atom, Variable
from isolog.source import Span

X, Y, A = map(Variable, "XYA")


def loginfer(text: str) -> Rule:
    """The rule on the line."""
    return parse_loginfer(Span("rules.txt", 1, 1, len(text), text))[0]


def anyburl(rule: str) -> Rule:
    """The rule, with numbers before it."""
    return parse_anyburl(Span("rules", 1, text=f"9\t3\t0.3333333333333333\t{rule}"))[0]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("p(x,y) implies q(y,x)", "q(Y, X) :- p(X, Y)"),
        ("p(x,y) and not s(y,z) implies q(x,y)", "q(X, Y) :- p(X, Y), not s(Y, _)"),
        ("not s(y,z) and p(x,y) implies q(x,y)", "q(X, Y) :- not s(Y, _), p(X, Y)"),
        ("p(x,y) and s(y,z) and not t(z,y) implies q(x,y)", "q(X, Y) :- p(X, Y), s(Y, Z), not t(Z, Y)"),
        ("p(x,y) and r(y,z) and r(w,x) implies q(x,y)", "q(X, Y) :- p(X, Y), r(Y, Z), r(W, X)"),
        ("p\tr\tq", "q(X, Y) :- p(X, Y), not r(Y, _)"),
        ("a(x1) implies b(x1)", "b(X1) :- a(X1)"),
        ("/a (b)./c(x,y) implies _d(x,y)", "<_d>(X, Y) :- </a\\u0020(b)./c>(X, Y)"),
    ],
)
def test_loginfer(line: str, rule: str) -> None:
    assert loginfer(line) == parse_rule(rule)


@pytest.mark.parametrize(
    ("rule", "head", "body"),
    [
        ("r(X,Y) <= s(Y,X)", Atom("r", (X, Y)), [Atom("s", (Y, X))]),
        ("r(X,paris) <= s(X,A), t(A,B)", Atom("r", (X, "paris")), [Atom("s", (X, A)), Atom("t", (A, Variable("B")))]),
        ("r(paris,Y) <= ", Atom("r", ("paris", Y)), []),
        (
            "r(X,Paris, France) <= s(X,St. Denis (93))",
            Atom("r", (X, "Paris, France")),
            [Atom("s", (X, "St. Denis (93)"))],
        ),
        ("r(Doe, J. (a), b,Y) <= s(Y,A)", Atom("r", ("Doe, J. (a), b", Y)), [Atom("s", (Y, A))]),
        (
            "/m/a./b/c(X,/m/0_1) <= /x.y(X,A), s(A,a<=b)",
            Atom("/m/a./b/c", (X, "/m/0_1")),
            [Atom("/x.y", (X, A)), Atom("s", (A, "a<=b"))],
        ),
        ("r(X,x) <= s(a,b), t(X,Ab)", Atom("r", (X, "x")), [Atom("s", ("a", "b")), Atom("t", (X, "Ab"))]),
        ("r (s)(X,Y) <= t(X,A), u(A,Y)", Atom("r (s)", (X, Y)), [Atom("t", (X, A)), Atom("u", (A, Y))]),
    ],
)
def test_anyburl(rule: str, head: Atom, body: list[Atom]) -> None:
    assert anyburl(rule) == Rule(head, tuple(body))


@pytest.mark.parametrize(
    ("format", "lines", "found"),
    [
        (
            "loginfer",
            ["p(x,y) implies q(y,x)", "nonsense", "", "p(x, implies q(x)", "p(x) implies not q(x)"],
            ["E540 2:1", "E541 4:1", "E540 5:1"],
        ),
        ("loginfer", ["p(x) and r(x y) and q(x) implies s(x)"], ["E541 1:10"]),
        ("loginfer", ["p(x,X) implies s(x)"], ["E541 1:1"]),
        (
            "loginfer",
            ["p(x) and not q(z,z) implies s(x)", "p(x) and not q(x,z) and not r(z) implies s(x)"],
            ["E542 1:1", "E542 2:1"],
        ),
        (
            "anyburl",
            ["1\t2\t0.5", "1\tx\t0.5\tr(X,Y) <= s(X,Y)", "1\t1\t.\tr(X,Y) <= s(X,Y)"],
            ["E543 1:1", "E544 2:3", "E544 3:5"],
        ),
        (
            "anyburl",
            ["1\t1\t1e-3\tr(X,Y)", "1\t1\t0.5\tr(X,Y) <= s(X), t(X,Y)", "2\t1\t0.5\tr(a,b,c) <= t(X,Y)"],
            ["E540 1:10", "E541 2:19", "E541 3:9"],
        ),
    ],
)
def test_mistakes_are_found_at_once(format: RuleFormat, lines: list[str], found: list[str], tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    file.write_text("\n".join(lines))
    with pytest.raises(InputError) as raised:
        read_rules(file, format)
    places = [(each.code, each.span) for each in raised.value.findings]
    assert [f"{code} {span.line}:{span.column}" for code, span in places if span is not None] == found


def test_convert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "rules.txt", tmp_path / "rules.dl"
    source.write_text("20\t15\t0.75\tborn_in(X,Rome) <= lives_in(X,Rome)\n5\t5\t1.0\tr(X,Y) <= r(Y,X)\n")
    assert main(["convert", "--format", "anyburl", str(source), str(target)]) == 0
    assert capsys.readouterr().err == f"2 rules: {target}\n"
    assert target.read_text().splitlines() == [
        "born_in(X, <Rome>) :- lives_in(X, <Rome>).  % predicted 20, correct 15, confidence 0.75",
        "r(X, Y) :- r(Y, X).  % predicted 5, correct 5, confidence 1.0",
    ]
    assert read_program(target) == read_rules(source, "anyburl").program
    assert main(["convert", "--format", "loginfer", str(source), str(tmp_path / "x.dl")]) == 1
    assert not (tmp_path / "x.dl").exists()


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "rules", "with_not"),
    [
        ("WN-hier", 5, 0),
        ("WN-sym", 5, 0),
        ("WN-superhier", 5, 0),
        ("WN-nmhier", 20, 20),
        ("WN-hier_nmhier", 25, 20),
        ("WN-cup_nmhier", 25, 20),
        ("FB-hier", 200, 0),
        ("FB-superhier", 200, 0),
        ("FB-sym", 50, 0),
        ("FB-cup_nmhier", 250, 200),
    ],
)
def test_all_rules_of_the_benchmark_are_read(name: str, rules: int, with_not: int, data: Path) -> None:
    file = data / "loginfer" / f"LogInfer-{name}" / f"final-rules-LogInfer-{name}.txt"
    program = read_rules(file, "loginfer").program
    assert len(program) == rules
    assert sum(len(rule.body_atoms) < len(rule.body) for rule in program) == with_not
    assert check(program) == ()
