"""The parser: what the syntax means, and what is said about text that means nothing."""

import gzip
from pathlib import Path

import pytest

from isolog.datalog.parser import parse, parse_fact, parse_rule, read_program
from isolog.datalog.syntax import Count, Inequality, Negation, Program, Rule
from isolog.errors import Finding, InputError
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function, Literal, Predicate, Variable
from isolog.source import Span

X, Y, Z, ANY = map(Variable, ["X", "Y", "Z", "_"])


def atom(name: str, *arguments: str | Literal | Variable | Function) -> Atom:
    """The atom with these arguments."""
    return Atom(name, arguments)


def findings(text: str) -> tuple[Finding, ...]:
    """Everything wrong with the program."""
    with pytest.raises(InputError) as raised:
        parse(text, "rules.dl")
    return raised.value.findings


def marked(finding: Finding) -> str:
    """The text above the carets."""
    assert finding.span is not None
    return finding.span.text[finding.span.column - 1 :][: finding.span.length]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("p(X) :- q(X, ann).", Rule(atom("p", X), (atom("q", X, "ann"),))),
        ("p(X):-q(X),X!=ann.", Rule(atom("p", X), (atom("q", X), Inequality(X, "ann")))),
        ('p(X) :- "a" != f(X), q.', Rule(atom("p", X), (Inequality(Literal("a"), Function("f", (X,))), atom("q")))),
        ("p(X) :- X(Y), X.", Rule(atom("p", X), (atom("X", Y), atom("X")))),
        ("p :- go, not stop.", Rule(atom("p"), (atom("go"), Negation(atom("stop"))))),
        ("p(X) :- not q(X, _), not Stop.", Rule(atom("p", X), (Negation(atom("q", X, ANY)), Negation(atom("Stop"))))),
        ("thing(X) :- true.", Rule(atom("thing", X))),
        ("thing(X) :- <true>.", Rule(atom("thing", X), (atom("true"),))),
        ("p(true, not).", Rule(atom("p", "true", "not"))),
        ("node(f(X)) :- q(X).", Rule(atom("node", Function("f", (X,))), (atom("q", X),))),
        ("p(F(a)) :- G() != X.", Rule(atom("p", Function("F", ("a",))), (Inequality(Function("G", ()), X),))),
        ("_:b(_:c).", Rule(atom("_:b", "_:c"))),
        ("p(01, 1).", Rule(atom("p", "01", "1"))),
    ],
)
def test_rules(text: str, rule: Rule) -> None:
    assert parse(text) == Program((rule,))
    assert parse_rule(text) == parse_rule(text.removesuffix(".")) == rule


def test_counts() -> None:
    text = "p(X) :- #count{Y:r(X, Y), not q(Y), #count { Z : true } >= 0, X != Y} >= 12, q(X)."
    inner = (atom("r", X, Y), Negation(atom("q", Y)), Count(Z, (), 0), Inequality(X, Y))
    assert parse_rule(text).body == (Count(Y, inner, 12), atom("q", X))


def test_directives() -> None:
    program = parse(
        "@signature A/1, r/2.@auxiliary h/1,<a b>/0. @auxiliary ex/3.@signature A/1, s/2.".replace(" b", "b")
    )
    assert program.signature == Signature((Predicate("A", 1), Predicate("r", 2), Predicate("s", 2)))
    assert program.auxiliary == {Predicate("h", 1), Predicate("ab", 0), Predicate("ex", 3)}
    assert parse("@signature.").signature == Signature() and parse("").signature is None


def test_prefixes_are_resolved_and_kept_in_order() -> None:
    program = parse('@prefix z: <n#>. @prefix : <m#> . @prefix z: <n#>. z:p(:a-b, "1"^^z:d) :- #count{Y: :q(Y)} >= 1.')
    assert program.prefixes == (("z", "n#"), ("", "m#"))
    head = atom("n#p", "m#a-b", Literal("1", datatype="n#d"))
    assert program.rules == (Rule(head, (Count(Y, (atom("m#q", Y),), 1),)),)


def test_everything_knows_where_it_was_written() -> None:
    text = "\n  p(X) :- q(X), X != a,\n    not r(X), #count{Y : s(Y)} >= 2 ."
    rule = parse(text, "rules.dl").rules[0]
    second, third = text.split("\n")[1:]
    assert rule.span == Span("rules.dl", 2, 3, 21, second)
    assert rule.head.span == Span("rules.dl", 2, 3, 4, second)
    spans = [literal.span for literal in rule.body]
    assert spans == [
        Span("rules.dl", 2, 11, 4, second),
        Span("rules.dl", 2, 17, 6, second),
        Span("rules.dl", 3, 5, 8, third),
        Span("rules.dl", 3, 15, 21, third),
    ]
    negation, count = rule.body[2:]
    assert isinstance(negation, Negation) and negation.atom.span == Span("rules.dl", 3, 9, 4, third)
    assert isinstance(count, Count) and count.body[0].span == Span("rules.dl", 3, 26, 4, third)


@pytest.mark.parametrize(
    ("text", "code", "at", "says"),
    [
        ("p(X) <- q(X).", "E200", "<-", "`head :- body.`"),
        ("p(X) := q(X).", "E200", ":=", "`head :- body.`"),
        ("p(X) <= q(X).", "E200", "<=", "`head :- body.`"),
        ("p(X) : q(X).", "E200", ":", "`head :- body.`"),
        ("p :- X \\= Y.", "E200", "\\=", "`s != t`"),
        ("p :- X <> Y.", "E200", "<>", "`s != t`"),
        ("p :- X = Y.", "E200", "=", "one variable or name"),
        ("p :- X >= 3.", "E200", ">=", "no order"),
        ("p :- X < Y.", "E200", "<", "no order"),
        ("p :- X > Y.", "E200", ">", "no order"),
        ("p :- q & r.", "E200", "&", "separated by `,`"),
        ("p :- q; r.", "E200", ";", "several rules"),
        ("p :- !q.", "E200", "!", "`not p(X)`"),
        ("p :- not X != Y.", "E200", "!=", "cannot be negated"),
        ("p :- not(q).", "E200", "(", "after a name only"),
        ("p :- q(?who).", "E200", "?who", "`Who`"),
        ("p('Ann').", "E200", "'Ann'", "between `<` and `>`"),
        ("p(été).", "E200", "été", "between `<` and `>`"),
        ("p(3.14).", "E200", ".", "between `<` and `>`"),
        ("p(-1).", "E200", "-", "between `<` and `>`"),
        ("# p(a).", "E200", "#", "`%`"),
        ("// p(a).", "E200", "//", "`%`"),
        ("p :- q, .", "E200", ".", "expected a literal"),
        ("p(a b).", "E200", "b", "expected `,` or `)`"),
        ("p(a,).", "E200", ")", "expected a term"),
        ("p(\x07).", "E200", "\x07", "U+0007"),
        ('p :- "a".', "E200", '"a"', "expected an atom"),
        ("p :- _x.", "E200", "_x", "expected an atom"),
        ("_x(a).", "E200", "_x", "`<_x>`"),
        ("not(a).", "E200", "not", "`<not>`"),
        ("p :- true(X).", "E200", "(", "expected `,` or `.`"),
        (":- q(X).", "E200", ":-", "expected a rule"),
        ('p("a"@ en).', "E200", "@", "expected `,` or `)`"),
        ('p("a"#en).', "E207", "#en", "unknown aggregate"),
        ('p("a"^^date).', "E200", "date", "a datatype"),
        ("@auxiliary p.", "E200", ".", "the arity"),
        ("@auxiliary p/1,.", "E200", ".", "a predicate"),
        ("@auxiliary p/x.", "E200", "x", "a whole number"),
        ("@auxiliary p/٣.", "E200", "٣", "a whole number"),
        ("@signature _p/1.", "E200", "_p", "a predicate"),
        ("@prefix ex <n>.", "E200", "<n>", "`:`"),
        ("@prefix é: <n>.", "E200", "é", "a prefix"),
        ("@prefix _: <n>.", "E200", "_", "a prefix"),
        ("@prefix ex: n.", "E200", "n", "a namespace"),
        ("p :- #count{Y : q(Y)} >= 1234567890123456789.", "E200", "1234567890123456789", "a whole number"),
        ("p :- #count{y : q(y)} >= 1.", "E200", "y", "the variable that is counted"),
        ("p(X) :- q(X)", "E201", "", "`,` or `.` is missing"),
        ("p(a)", "E201", "", "`:-` or `.` is missing"),
        ("@prefix ex: <n>", "E201", "", "`.` is missing"),
        ('p("a).', "E203", '"a).', "closing quote"),
        ("p(<a).", "E203", "<a).", "without its `>`"),
        ("p(<Ann Lee>).", "E204", "<Ann Lee>", "`\\u0020`"),
        ("p(<a\\nb>).", "E204", "\\n", "unknown escape `\\n`"),
        ('p("a\\xb").', "E204", "\\x", "unknown escape `\\x`"),
        ('p("a\\u12").', "E204", "\\u", "unknown escape `\\u`"),
        ('p("\\uD800").', "E204", "\\uD800", "no surrogates"),
        ('p("\\U00110000").', "E204", "\\U00110000", "unknown escape"),
        ("ex:p(a).", "E205", "ex:p", "`@prefix ex: <"),
        (":p(a).", "E205", ":p", "`@prefix : <"),
        ("@prefix ex: <n>. @prefix ex: <m>.", "E206", "ex", "`<n>` already"),
        ("@prefx ex: <n>.", "E207", "@prefx", "did you mean `@prefix`?"),
        ("@base <n>.", "E207", "@base", "@auxiliary"),
        ("p :- #sum{Y : q(Y)} >= 1.", "E207", "#sum", "the only one is `#count"),
        ("p(X, _) :- q(X).", "E208", "_", "in the head"),
        ("p :- #count{_ : q(_)} >= 1.", "E208", "_", "that is counted"),
        ("p :- q, true.", "E209", "true", "left out"),
        ("p :- true, true.", "E209", "true", "left out"),
        ("p(" * 201, "E210", "(", "200 levels"),
        ("p :- #count{Y : q(Y)} > 3.", "E211", ">", "n + 1"),
        ("p :- #count{Y : q(Y)} = 3.", "E211", "=", "a lower bound only"),
        ("p :- #count{Y : q(Y)}.", "E211", ".", "not followed by `>=`"),
        ("parent(Ann, bob).", "E101", "Ann", "`<Ann>`; a rule about all terms"),
        ("parent(ann, _).", "E101", "_", "in a fact"),
    ],
)
def test_one_mistake(text: str, code: str, at: str, says: str) -> None:
    (finding,) = findings(text)
    assert (finding.code, marked(finding)) == (code, at)
    assert says in f"{finding.message} {finding.hint}"


def test_findings_as_a_user_reads_them() -> None:
    with pytest.raises(InputError) as raised:
        parse("ok.\np(X) <- q(X).\np(a)\nq(b).", "rules.dl")
    assert str(raised.value).split("\n") == [
        "E200 expected `:-` or `.`, found `<-`",
        "  rules.dl:2:6   p(X) <- q(X).",
        "                      ^^",
        "  hint: a rule is written `head :- body.`, a fact `head.`",
        "E201 `:-` or `.` is missing",
        "  rules.dl:3:5   p(a)",
        "                     ^",
        "  hint: a rule is written `head :- body.`, a fact `head.`",
    ]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("p(a b). q(X) :- r, X = Y. s(a b).", ["1:5", "1:22", "1:31"]),
        ("p(3.14, 2.72).\nq(a b).", ["1:4", "2:5"]),
        ("p(http://www.ex.org/a).\nq(a b).", ["1:7", "2:5"]),
        ('p("a).\nq(a b).', ["1:3", "2:5"]),
        ("p(a)\nq(b)\nr(a b).", ["1:5", "2:5", "3:5"]),
        ("p(X) :- q(X)\n  r(X), s(X).\nr(a b).", ["1:13", "3:5"]),
        ("  p(a)\n  q(b)\n  r(a b).", ["1:7", "2:7", "3:7"]),
        ("  p(\na)", ["2:3"]),
        ("p(X)\nq(a b).", ["1:5", "1:3", "2:5"]),
        ("p :- q,\nr :- s.\nr(a b).", ["2:3", "3:5"]),
        ("p(a b)\n\n  c d.  % e\nr(a b).", ["1:5", "4:5"]),
        ("ex:p(a, fx:b).", ["1:1", "1:9"]),
        ("p..q. r(a b).", ["1:3", "1:11"]),
    ],
)
def test_reading_goes_on_after_the_clause(text: str, places: list[str]) -> None:
    spans = [finding.span for finding in findings(text)]
    assert [f"{span.line}:{span.column}" for span in spans if span] == places


def test_many_findings_are_counted() -> None:
    found = findings("p(X).\n" * 30)
    assert len(found) == 21 and "10 more" in found[-1].message


@pytest.mark.parametrize("text", ["", "p(a). q(b).", "p(a)\nq(b)", "% p(a)", "@prefix ex: <n>.", "p(a b)"])
def test_one_rule_is_one_rule(text: str) -> None:
    for read in (parse_rule, parse_fact):
        with pytest.raises(InputError, match="E20") as raised:
            read(text)
        assert len(raised.value.findings) == 1


def test_one_fact() -> None:
    assert parse_fact('r(<Ann>, "x")') == parse_fact('r(<Ann>, "x").') == atom("r", "Ann", Literal("x"))
    with pytest.raises(InputError, match="E212 a rule among facts"):
        parse_fact("p(X) :- q(X)")
    with pytest.raises(InputError, match="E101 the variable `X` in a fact"):
        parse_fact("p(X)")


def test_only_what_is_open_is_nested() -> None:
    wide = "p(" + ", ".join(["f(a)"] * 300) + ") :- " + ", ".join(["#count{Y : q(Y)} >= 1"] * 300) + "."
    assert len(parse(wide)) == 1
    broken, deep = "p(" * 150 + "a b.\n", "p(" * 150 + ")" * 150 + "."
    assert [finding.code for finding in findings(broken + deep)] == ["E200"]


def test_counts_nest_as_deep_as_terms() -> None:
    text = "p :- " + "#count{Y : " * 200 + "go" + "} >= 1" * 200 + "."
    assert len(parse(text)) == 1
    assert findings(text.replace("go", "go(a)"))[0].code == "E210"


def test_a_program_in_a_file(tmp_path: Path) -> None:
    plain, packed = tmp_path / "rules.dl", tmp_path / "rules.dl.gz"
    plain.write_bytes(b"\xef\xbb\xbfp(X) :- q(X).\r\nq(<\xc3\xa9>).\r\n")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_program(plain) == read_program(str(packed)) == parse("p(X) :- q(X). q(<é>).")


def test_what_is_wrong_with_a_file_names_it(tmp_path: Path) -> None:
    path = tmp_path / "rules.dl"
    for read in (path, tmp_path):
        with pytest.raises(InputError, match=f"E110 `{read}`"):
            read_program(read)
    path.write_bytes(b"p(a b).\n% \xff\n")
    with pytest.raises(InputError) as raised:
        read_program(path)
    assert {(finding.code, finding.span.place()) for finding in raised.value.findings if finding.span} == {
        ("E113", f"{path}:2:3"),
        ("E200", f"{path}:1:5"),
    }
