"""The printer: the canonical form of a program, letter by letter."""

import pytest

from isolog.datalog.parser import parse
from isolog.datalog.printer import print_program, print_rule
from isolog.datalog.syntax import Program, Rule
from isolog.errors import InputError
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function, Literal, Predicate, Term, Variable
from isolog.facts.text import print_term

CANONICAL = """\
% The family.
%
% Equal to a network.
@prefix ex: <http://ex.org/> .
@signature female/1, parent/2.
@auxiliary h/1, <p\\u0020q>/0.
h(X) :- parent(X, _), not lost(X).
p(X) :- h(X), X != ann, #count{Y : ex:knows(X, Y), #count{Z : true} >= 3} >= 12.
thing(X) :- true.
Person(<Ann\\u0020Lee>, "a\\"b\\n"@en, "1"^^ex:int, "2"^^<int>).
node(f(X, g(a))) :- go, not Stop.
"""


def test_the_canonical_form() -> None:
    loose = (
        CANONICAL.replace(", ", ",")
        .replace(" :- ", ":-")
        .replace(".\n", ".% why\n")
        .replace(" .", ".")
        .replace(" : ", ":")
    )
    comments = ["The family.\n\nEqual to a network."]
    assert print_program(parse(loose), comments) == CANONICAL
    assert print_program(Program()) == ""


def test_many_predicates_are_wrapped() -> None:
    predicates = tuple(Predicate(f"a_long_predicate_name_{n}", 2) for n in range(30))
    program = Program(auxiliary=frozenset(predicates), signature=Signature(predicates))
    text = print_program(program)
    assert max(map(len, text.split("\n"))) <= 100 and text.count("\n") == 20
    assert parse(text) == program


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("n#a", "n:a"),
        ("n#a/b", "m:b"),
        ("n#a/", "<n#a/>"),
        ("n#a-b--c", "n:a-b--c"),
        ("n#-a", "<n#-a>"),
        ("n#a.b", "<n#a.b>"),
        ("n#é", "<n#é>"),
        ("plain", "plain"),
        ("true", "pl:true"),
        ("Plain", "pl:Plain"),
    ],
)
def test_a_prefix_is_used_where_it_reads_back(name: str, written: str) -> None:
    program = Program((Rule(Atom("p", (name,))),), prefixes=(("n", "n#"), ("m", "n#a/"), ("pl", "")))
    assert print_program(program).endswith(f"\np({written}).\n")
    assert parse(print_program(program)) == program


def test_the_longest_namespace_wins_whatever_the_order() -> None:
    rule = Rule(Atom("http://ex.org/a#b"))
    both = (("ex", "http://ex.org/a#"), ("short", "http://ex.org/"))
    assert print_rule(rule, both) == print_rule(rule, both[::-1]) == "ex:b."


def test_text_is_for_reading_so_what_cannot_be_read_is_not_written() -> None:
    unwritable: list[Term] = [Variable("x"), Variable(""), Variable("Ä"), Variable("X Y")]
    unwritable += [Literal("a", language=""), Literal("a", language="e n"), Literal("a", "en", "d")]
    for term in unwritable:
        with pytest.raises(InputError, match="E213"):
            print_term(Function("f", (term,)))
    for prefixes in [(("a b", "n"),), (("_", "n"),), (("é", "n"),), (("ex", "n"), ("ex", "m"))]:
        with pytest.raises(InputError, match="E213"):
            print_program(Program(prefixes=prefixes))
