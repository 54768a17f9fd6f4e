"""Exports: names that are hard to write, what targets refuse, what is promised about the text, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import nmo_python as nemo
import pytest

from isolog.cli.app import main
from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program, Rule
from isolog.engines.reference import run
from isolog.errors import InputError, IsologError, UnsupportedError
from isolog.export.targets import TARGETS, export_program
from isolog.facts.dataset import Dataset
from isolog.facts.files import write_facts
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Literal, Predicate, Variable
from support.export_runners import RUN, run_nemo
from support.owl import entailed, read_ontology

NAMES = [
    *("a", "A", "Ann Lee", "o'hara", 'say "hi"', 'a"', "back\\slash", "C:\\new\\table", "tab\there", "line\nbreak"),
    *("http://ex.org/onto#memberOf", "http://ex.org/a?b=c&d=%20e", "urn:isolog:a", "rdf:typo", "ex:a", "<a>", "a>b"),
    *("été", "日本", "\U0001f600", "01", "1", "-1", "1.5", "true", "not", "null", "NULL", "select", "fact", "literal"),
    *("function", "term", "in_p", "_", "_x", "?x", "$x", "{x}", "% no comment", "// no comment", "-- no comment"),
    *(
        "/* no comment */",
        "# no comment",
        "a,b",
        "a(b)",
        "a.b",
        "a;b",
        "a:-b",
        "\u00a0",
        " ",
        "\r",
        "\x01",
        "`",
        "count",
    ),
]
LITERALS = [
    *(Literal(name) for name in NAMES if "\0" not in name),
    *(
        Literal("", "en"),
        Literal("a", "en"),
        Literal('a"b', "en"),
        Literal("a", "de-at"),
        Literal("a", datatype="http://ex.org/d#t"),
    ),
    *(
        Literal("a'b", datatype="odd type"),
        Literal("", datatype="t"),
        Literal("1", datatype="http://www.w3.org/2001/XMLSchema#integer"),
    ),
]
X, Y = Variable("X"), Variable("Y")


@pytest.mark.parametrize("target", sorted(RUN))
def test_predicates_of_any_name(target: str) -> None:
    """Each name is a unary, a binary and, with a `'`, an auxiliary predicate, all in one program."""
    rules: list[Rule] = []
    facts: list[Atom] = []
    for name in NAMES:
        near = f"{name}'"
        rules.append(Rule(Atom(name, (X,)), (Atom(name, (X, Y)), Atom(near, (Y,)))))
        rules.append(Rule(Atom(near, (X,)), (Atom(name, (X, Y)),)))
        facts += [Atom(name, (f"a {name}", "b")), Atom(name, ("b", "c")), Atom(name, ("z",)), Atom(near, ("c",))]
    auxiliary = frozenset(Predicate(f"{name}'", 1) for name in NAMES)
    listed = tuple(Predicate(name, arity) for name in NAMES for arity in (1, 2))
    program = Program(tuple(rules), auxiliary, Signature((*listed, *sorted(auxiliary))))
    assert_agrees(program, target, Dataset.from_facts(facts))


@pytest.mark.parametrize("target", sorted(RUN))
def test_constants_of_any_kind(target: str) -> None:
    constants = [each for each in (*NAMES, *LITERALS) if target != "nemo" or nemo_can_write(each)]
    rules = [Rule(Atom("p", (X, each)), (Atom("r", (X, each)),)) for each in constants]
    rules.append(Rule(Atom("q", (X, Y)), (Atom("r", (X, Y)),)))
    facts = [Atom("r", (f"x{place}", each)) for place, each in enumerate(constants)]
    assert_agrees(Program(tuple(rules)), target, Dataset.from_facts(facts))


def nemo_can_write(constant: str | Literal) -> bool:
    """Nemo has no escapes in strings, and reads no regions in languages."""
    if isinstance(constant, str):
        return True
    quoted = constant.lexical.startswith('"') or constant.lexical.endswith('"')
    marked = constant.language is not None or constant.datatype is not None
    empty = constant.datatype is not None and not constant.lexical
    return not (quoted or empty or (marked and '"' in constant.lexical) or "-" in (constant.language or ""))


def test_nemo_says_what_it_cannot_write() -> None:
    wrong = [each for each in LITERALS if not nemo_can_write(each)]
    assert len(wrong) == 5
    for each in wrong:
        with pytest.raises(UnsupportedError, match="E533"):
            export_program(Program((Rule(Atom("p", (X,)), (Atom("r", (X, each)),)),)), "nemo")


def assert_agrees(program: Program, target: str, data: Dataset) -> None:
    """The export derives what the reference engine derives."""
    assert RUN[target](program, export_program(program, target, data=data), 1) == set(run(program, data))


def refused(text: str, target: str, **options: object) -> list[str]:
    """The findings of a refusal, each as its code and the rule that it names."""
    with pytest.raises(IsologError) as raised:
        export_program(parse(text), target, **options)  # pyright: ignore[reportArgumentType]
    return [f"{finding.code} {finding.message}" for finding in raised.value.findings]


def test_all_rules_that_cannot_be_said_are_named() -> None:
    text = "p(f(X)) :- q(X). s(X) :- q(X). t(X) :- q(g(X))."
    for target in ("nemo", "souffle", "sparql", "sql"):
        assert refused(text, target) == [
            "E532 `p(f(X)) :- q(X).`: `f(X)` is a function term",
            "E532 `t(X) :- q(g(X)).`: `g(X)` is a function term",
        ]


@pytest.mark.parametrize(
    ("text", "target", "codes"),
    [
        ("p(X) :- q(X).", "prolog", ["E530"]),
        ("p :- q. r(X, Y, Z) :- s(X, Y, Z).", "sql", ["E535"] * 4),
        ('p("a") :- q(X). p(X) :- r("a", X).', "sparql", ["E535"] * 2),
        ("p(X) :- <rdf:type>(X, Y). <rdf:type>(X, Y) :- s(X, Y).", "nemo", ["E534"]),
        ("p(<_:b>) :- q(X).", "sparql", ["E533"]),
        ("p(<_:b>) :- q(X).", "nemo", ["E533"]),
        ("p(<a\\u0000>) :- q(X).", "asp", ["E533"]),
        ('p(X) :- r(X, "01"^^<http://www.w3.org/2001/XMLSchema#integer>).', "nemo", ["E533"]),
        ("p(X, Y) :- r(X, Y). q(X) :- s(X), not r(X, _). q(X) :- t(a).", "owl", ["E240", "E243", "E242"]),
    ],
)
def test_refusals(text: str, target: str, codes: list[str]) -> None:
    assert [finding.split()[0] for finding in refused(text, target)] == codes


@pytest.mark.parametrize("target", ["sparql", "owl", "sql"])
def test_one_round_only(target: str) -> None:
    assert refused("p(X) :- q(X).", target, rounds="fixpoint")[0].startswith("E531")


@pytest.mark.parametrize("target", TARGETS)
def test_the_empty_program(target: str) -> None:
    text = export_program(Program(), target)
    if target == "owl":
        assert read_ontology(text).subclasses == []
    else:
        assert RUN[target](Program(), export_program(Program(), target, data=Dataset.empty()), 1) == set()


def test_owl_keeps_what_is_read_apart_from_what_is_derived() -> None:
    program = parse("a(X) :- r(X, Y), a(Y). b(X) :- #count{Y : r(X, Y)} >= 3. c(X) :- true.")
    data = Dataset.from_facts(rule.head for rule in parse("r(k, l). r(l, m). r(l, k). r(l, o). a(m)."))
    assert entailed(read_ontology(export_program(program, "owl")), data) == set(run(program, data))


def test_nemo_reads_the_file_that_convert_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse('p(X) :- r(X, "b"@en), not s(X, _). t(X) :- true.')
    facts = 'r(<Ann Lee>, "b"@en). r(bob, "b"@en). s(bob, <http://ex.org/x>). q(eve). r(bob, "x\\"\\n\\\\y").'
    data = Dataset.from_facts(rule.head for rule in parse(facts.replace("<Ann Lee>", "<Ann\\u0020Lee>")))
    write_facts(data, tmp_path / "facts.nt")
    monkeypatch.chdir(tmp_path)
    assert run_nemo(program, export_program(program, "nemo"), 1) == set(run(program, data))
    assert isinstance(nemo.load_string(export_program(program, "nemo")), nemo.NemoProgram)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, data, out = tmp_path / "p.dl", tmp_path / "d.dl", tmp_path / "out.lp"
    program.write_text("p(X) :- r(X, Y), q(Y).\n")
    data.write_text("r(a, b). q(b).\n")
    assert main(["export", str(program), "--to", "asp", "-o", str(out), "--data", str(data)]) == 0
    assert capsys.readouterr().err == f"1 rules for asp: {out}\n"
    assert RUN["asp"](parse(program.read_text()), out.read_text(), 1) == {Atom("p", ("a",))}
    assert main(["export", str(program), "--to", "sql", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["to"], said["rules"]) == ("sql", 1) and "CREATE TABLE derived" in said["text"]
    assert main(["export", str(program), "--to", "sql", "--rounds", "fixpoint", "-o", str(tmp_path / "x")]) == 1
    assert not (tmp_path / "x").exists()
    assert main(["export", str(program), "--to", "prolog"]) == 2


def test_warnings_of_the_program_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.dl"
    program.write_text("q(a). p(X) :- q(X).\n")
    assert main(["export", str(program), "--to", "souffle"]) == 0
    assert "E230" in capsys.readouterr().err


def test_unreadable_programs_are_refused() -> None:
    with pytest.raises(InputError, match="E225"):
        export_program(parse("p(X) :- q(X), not r(X, Y)."), "asp")
