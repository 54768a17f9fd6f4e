"""Programs over the user's predicates under encodings: which rules each encoding can say, and that it says them."""

from dataclasses import replace

import pytest

from isolog.correspondence.capture import captures
from isolog.correspondence.compile import compile_program
from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.transformation import predict
from isolog.datalog.expand_counts import expand_counts
from isolog.datalog.parser import parse
from isolog.engines.reference import run
from isolog.errors import UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family, true_rules
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.classes import class_report

SIGNATURE = "@signature parent/2, male/1, female/1, spouse/2, r/2, s/2, t/2, U/1."
SMALLEST = [
    ("U(X) :- parent(X, Y), male(Y).", "canonical"),
    ("U(X) :- parent(X, Y), parent(X, Z), Y != Z.", "canonical"),
    ("U(X) :- parent(Y, X), male(Y).", "pairs"),
    ("t(X, Y) :- parent(X, Y), male(X).", "pairs"),
    ("t(Y, X) :- parent(X, Y).", "pairs"),
    ("t(X, Y) :- spouse(X, Y), parent(X, Z), parent(X, V), Z != V.", "pairs"),
    ("t(X, Z) :- parent(X, Y), parent(Y, Z).", "paths"),
    ("t(X, Y) :- parent(Z, X), parent(Z, Y).", "paths"),
    ("t(X, Y) :- male(X), r(X, Z), parent(Z, Y).", "paths"),
    ("t(X, V) :- parent(X, Y), parent(Y, Z), parent(Z, V).", "paths:3"),
]


@pytest.mark.parametrize(("rule", "encoding"), SMALLEST)
def test_the_smallest_encoding_that_can_say_a_rule(rule: str, encoding: str) -> None:
    program = parse(f"{SIGNATURE} {rule}")
    made = compile_encoded(program, "auto")
    assert made.network.encoding.name == encoding
    assert class_report(made.network).is_monotonic_max_sum
    assert captures(made.network, program.rules[0]).captured
    facts = generate_family(persons=40, seed=3).facts.only(program.signature.predicates if program.signature else ())
    facts |= run(parse("r(X, Y) :- spouse(Y, X). s(X, X) :- male(X)."), facts)
    assert predict(made.network, facts) == run(program, facts)


def test_several_rules_share_a_network() -> None:
    program = parse(
        """
        @signature father/2, mother/2, child_of/2, grandparent/2, parent/2, male/1, female/1.
        father(X, Y) :- parent(X, Y), male(X).
        mother(X, Y) :- parent(X, Y), female(X).
        child_of(Y, X) :- parent(X, Y).
        grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
        """
    )
    made = compile_encoded(program, "auto")
    facts = generate_family(persons=60, seed=5).facts.only(program.signature.predicates if program.signature else ())
    assert made.network.encoding.name == "paths"
    assert predict(made.network, facts) == run(program, facts)


def test_the_rules_of_the_family_but_those_that_compare_across_a_tree() -> None:
    rules = expand_counts(parse(true_rules()))
    with pytest.raises(UnsupportedError) as caught:
        compile_encoded(rules, "paths")
    named = [finding.message.split("(")[0].strip("`") for finding in caught.value.findings]
    assert named == ["sibling", "uncle", "aunt"]
    known = replace(rules, rules=tuple(rule for rule in rules if rule.head.name not in named))
    family = generate_family(persons=100, seed=6)
    made = compile_encoded(known, "paths", signature=Signature.from_dataset(family.facts))
    assert class_report(made.network).is_monotonic_max_sum
    derived = predict(made.network, family.facts)
    assert derived == family.derived.only(rule.head.predicate for rule in known)
    assert {predicate.name for predicate in derived.predicates} >= {"grandmother", "large_family", "grandparent"}


@pytest.mark.parametrize(
    ("rule", "encoding", "code", "message"),
    [
        ("t(X, Z) :- parent(X, Y), parent(Y, Z).", "pairs", "E482", "no tree below `t(X, Z)` says the body"),
        ("t(X, Y) :- male(X), female(Y).", "paths", "E483", "its body alone does not make the vertices"),
        ("t(X, V) :- parent(X, Y), parent(Y, Z), parent(Z, V).", "paths", "E483", "does not make the vertices"),
        ("t(X, Y) :- parent(X, Y), not male(X).", "pairs", "E482", "only atoms and inequalities"),
        ("t(X, Y) :- parent(Z, X), parent(Z, Y), X != Y.", "paths", "E482", "not between such siblings"),
        ("@auxiliary h/1. h(X) :- male(X). t(X, Y) :- parent(X, Y), h(X).", "pairs", "E256", "no place for `h/1`"),
    ],
)
def test_what_an_encoding_cannot_say_is_named(rule: str, encoding: str, code: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        compile_encoded(parse(rule), encoding)
    (finding,) = caught.value.findings
    assert finding.code == code and message in finding.message and finding.hint


def test_a_crossing_inequality_is_part_of_what_cannot_be_said() -> None:
    with pytest.raises(UnsupportedError, match="E48"):
        compile_encoded(parse("t(X, Y) :- parent(X, Y), X != Y."), "auto")


def test_the_function_takes_the_encoding() -> None:
    program = parse("t(X, Y) :- parent(X, Y), male(X).")
    assert compile_program(program, encoding="auto").encoding.name == "pairs"
    with pytest.raises(UnsupportedError, match="E259 the construction `letter` makes no networks"):
        compile_program(program, encoding="pairs", construction="letter")


def test_derived_facts_are_about_pairs_in_the_order_of_the_head() -> None:
    network = compile_encoded(parse("@signature parent/2, t/2. t(Y, X) :- parent(X, Y)."), "pairs").network
    data = Dataset.from_facts([Atom("parent", ("ann", "bob"))])
    assert list(predict(network, data)) == [Atom("t", ("bob", "ann"))]
