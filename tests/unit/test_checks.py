"""Checks of programs: every finding has its code, its place and a hint."""

import pytest

from isolog.datalog.checks import Rounds, check
from isolog.datalog.parser import parse
from isolog.errors import Finding, InputError


def errors(text: str, rounds: Rounds = 1) -> list[Finding]:
    """What is wrong with a program."""
    with pytest.raises(InputError) as raised:
        check(parse(text), rounds)
    return list(raised.value.findings)


def error(text: str, rounds: Rounds = 1) -> str:
    """The one thing that is wrong with a program, as a user reads it."""
    (finding,) = errors(text, rounds)
    return finding.render()


def test_a_finding_shows_the_place() -> None:
    text = "@signature parent/2.\n\ngrandparent(X, Z) :- parnet(X, Y), parent(Y, Z)."
    assert error(text) == (
        "E223 unknown predicate `parnet/2`\n"
        "  <text>:3:22   grandparent(X, Z) :- parnet(X, Y), parent(Y, Z).\n"
        "                                     ^^^^^^^^^^^^\n"
        "  hint: did you mean `parent/2`?"
    )


def test_unknown_predicates_are_named_once_also_inside_counts_and_under_not() -> None:
    found = errors("@signature p/1. q(X) :- p(X), s(X), s(X), not t(X), #count{Y : u(X, Y), not v(Y)} >= 2.")
    assert [finding.message for finding in found] == [f"unknown predicate `{p}`" for p in ("s/1", "t/1", "u/2", "v/1")]
    assert {finding.hint for finding in found} == {"`@signature` has to list it"}


def test_an_unknown_predicate_is_no_arity_clash_as_well() -> None:
    assert "did you mean `r/1`" in error("@signature r/1. p(X) :- r(X), r(X, Y).")


def test_a_head_is_known_to_the_least_model_only() -> None:
    text = "@signature p/1. q(X) :- p(X). s(X) :- q(X)."
    assert "`@auxiliary q/1.`" in error(text)
    assert check(parse(text), "fixpoint") == ()


def test_auxiliary_predicates_are_known_and_suggested() -> None:
    assert check(parse("@signature p/1. @auxiliary helper/1. helper(X) :- p(X). s(X) :- helper(X).")) == ()
    assert "did you mean `helper/1`" in error(
        "@signature p/1. @auxiliary helper/1. helper(X) :- p(X). s(X) :- halper(X)."
    )


@pytest.mark.parametrize(
    ("text", "clash"),
    [
        ("p(X) :- r(X), r(X, Y).", "`r/2` has the name of `r/1`"),
        ("p(X) :- p(X, Y).", "`p/2` has the name of `p/1`"),
        ("p(X) :- q(X), not q(X, _).", "`q/2` has the name of `q/1`"),
        ("@signature r/1. r(X, X) :- r(X).", "`r/2` has the name of `r/1`"),
        ("@auxiliary h/1. h(X) :- q(X). p(X) :- h(X), h(X, X).", "`h/2` has the name of `h/1`"),
    ],
)
def test_arity_clashes(text: str, clash: str) -> None:
    found = error(text)
    assert found.startswith(f"E220 {clash}") and "declare both" in found


def test_declared_predicates_may_share_a_name() -> None:
    assert (
        check(parse("@signature r/1, r/2. @auxiliary r/3. r(X, X, X) :- r(X). p(X) :- r(X), r(X, Y), r(X, Y, Y)."))
        == ()
    )


def test_a_negative_cycle_is_named() -> None:
    found = error("p(X) :- n(X), not q(X). q(X) :- s(X). s(X) :- p(X).", "fixpoint")
    assert found.startswith("E221 `p/1` depends on its own absence: `p/1` ← not `q/1` ← `s/1` ← `p/1`\n")
    assert "<text>:1:19" in found and "one round reads every `not` from the input" in found


def test_a_negative_cycle_through_the_terms_of_the_data_is_explained() -> None:
    found = error("thing(X) :- true. p(f(X)) :- q(X), not thing(X).", "fixpoint")
    assert "`p/1` ← not `thing/1` ← the terms of the data ← `p/1`" in found
    assert "bind it by an atom" in found


def test_one_round_has_no_negative_cycles() -> None:
    assert check(parse("p(X) :- n(X), not p(X).")) == ()


def test_recursive_auxiliary_predicates_are_named() -> None:
    found = error("@auxiliary h/1, k/1. h(X) :- q(X), not k(X). k(X) :- h(X).")
    assert found.startswith("E222 auxiliary predicates must not be recursive: `h/1` ← not `k/1` ← `h/1`\n")
    assert error("@auxiliary h/1. h(X) :- h(X).").startswith("E222")


def test_an_auxiliary_predicate_needs_a_rule() -> None:
    assert error("@auxiliary helper/1. halper(X) :- q(X). p(X) :- helper(X).") == (
        "E224 the auxiliary predicate `helper/1` has no rule\n  hint: did you mean `halper/1`?"
    )


@pytest.mark.parametrize(
    "body",
    [
        "not r(X, Y)",
        "q(X), not r(X, Y), not r(Y, X)",
        "q(X), X != Y, not r(X, Y)",
        "q(X), not r(X, f(Y))",
        "q(X), #count{Z : r(X, Z), not r(Z, Y)} >= 2",
        "q(X), #count{Z : r(X, Z), not r(Z, Y), Y != Z} >= 2",
    ],
)
def test_a_variable_under_not_occurs_in_a_positive_atom(body: str) -> None:
    found = errors(f"p(X) :- {body}.")
    assert {finding.code for finding in found} == {"E225"}
    assert "`Y` occurs under `not`, but in no positive atom" in {finding.message for finding in found}


@pytest.mark.parametrize(
    "body",
    [
        "r(X, Y), not q(Y)",
        "u(f(X, Y)), not q(Y)",
        "#count{Y : r(X, Y)} >= 2, not q(X)",
        "q(X), #count{Y : r(X, Y), not q(Y), not q(X)} >= 2",
        "q(X), #count{Y : not q(Y)} >= 2",
        "q(X), #count{Y : not q(Y)} >= 2, #count{Y : not s(Y)} >= 2",
        "q(X), #count{Y : r(X, Y), #count{Z : s(Y, Z), not t(X, Y, Z, _)} >= 2} >= 2",
    ],
)
def test_what_counts_as_a_positive_occurrence(body: str) -> None:
    assert check(parse(f"p(X) :- {body}.")) == ()


@pytest.mark.parametrize(
    "rule",
    [
        "p(Y) :- #count{Y : q(Y)} >= 2.",
        "p(X) :- r(X, Y), #count{Y : r(X, Y)} >= 2.",
        "p(X) :- q(X), X != Y, #count{Y : r(X, Y)} >= 2.",
        "p(X) :- #count{Y : r(X, Y)} >= 2, #count{Z : r(X, Y), r(X, Z)} >= 2.",
        "p(X) :- #count{Y : r(X, Y), #count{Y : q(Y)} >= 2} >= 2.",
        "p(X) :- #count{X : q(X)} >= 2.",
        "p(X) :- q(X), #count{Y : q(Y), #count{X : s(X)} >= 2} >= 2.",
        "p(X) :- q(X), #count{Y : q(X), #count{Y : s(Y)} >= 2} >= 2.",
    ],
)
def test_a_counted_variable_stays_in_its_count(rule: str) -> None:
    found = error(rule)
    assert found.startswith("E226 `") and "is counted here and used outside" in found


def test_a_count_of_none_is_no_condition() -> None:
    assert error("p(X) :- q(X), #count{Y : r(X, Y), #count{Z : s(Y, Z)} >= 0} >= 2.").startswith(
        "E227 `>= 0` holds of every"
    )


def test_everything_is_found_at_once() -> None:
    text = "@auxiliary h/1. p(X) :- q(X), not r(X, Y). p(X, Y) :- #count{Y : s(X, Y)} >= 0."
    assert [finding.code for finding in errors(text)] == ["E220", "E224", "E225", "E226", "E227"]


def test_facts_that_no_rule_reads_are_a_warning() -> None:
    program = parse(
        "p(a).\np(b).\nq(X) :- #count{Y : r(X, Y), not p(Y)} >= 2.\nu(c).\nthing(X) :- true.\ns(X) :- thing(X)."
    )
    (warning,) = check(program)
    assert warning.code == "E230" and warning.message.startswith("the program has 2 facts of `p/1`")
    assert warning.span is not None and warning.span.line == 1
    assert check(program, "fixpoint") == ()
    assert check(parse("@auxiliary p/1. p(a). q(X) :- p(X).")) == ()


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("#count{Y : r(X, Y), s(Y, Z)} >= 2, #count{V : r(X, V), s(V, Z)} >= 2", ["Z"]),
        ("#count{Y : r(X, Y), s(Y, Z)} >= 2, #count{V : r(X, V), s(V, Z)} >= 2, t(Z)", []),
        ("#count{Y : #count{V : r(Y, V), s(V, Z)} >= 2, #count{V : r(Y, V), t(V, Z)} >= 2} >= 2, q(X)", ["Z"]),
        ("#count{Y : #count{V : r(Y, V), s(V, Z)} >= 2, #count{V : r(Y, V), t(V, Z)} >= 2, Y != Z} >= 2, q(X)", []),
    ],
)
def test_a_variable_of_several_counts_is_a_warning(body: str, names: list[str]) -> None:
    warnings = check(parse(f"p(X) :- {body}."))
    assert [warning.code for warning in warnings] == ["E231"] * len(names)
    assert all(f"`{name}` occurs in several counts" in warning.message for name, warning in zip(names, warnings))
