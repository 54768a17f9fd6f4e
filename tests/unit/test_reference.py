"""The reference engine: what the corpus cannot say about it."""

import pytest

from isolog.datalog.parser import parse, parse_fact, parse_rule
from isolog.engines.engine import Options
from isolog.engines.reference import Reference, derivations, operator, run
from isolog.errors import InputError, LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.operator import agree
from isolog.facts.terms import Atom, Variable


def data(*facts: str) -> Dataset:
    """The dataset of these facts."""
    return Dataset.from_facts(map(parse_fact, facts))


def test_a_program_that_fails_the_checks_is_not_applied() -> None:
    with pytest.raises(InputError, match="E225"):
        run(parse("p(X) :- not q(X)."), data("q(a)"))
    with pytest.raises(InputError, match="E221"):
        run(parse("p(X) :- q(X), not p(X)."), data("q(a)"), rounds="fixpoint")


def test_facts_outside_the_signature_are_named_or_left_out() -> None:
    program, facts = parse("@signature p/1. thing(X) :- true."), data("p(a)", "q(b)", "q(a)")
    with pytest.raises(InputError, match="E102 2 facts of `q/1`"):
        run(program, facts)
    assert run(program, facts, ignore_unknown=True) == data("thing(a)")
    assert operator(program, ignore_unknown=True)(facts) == data("thing(a)")


def test_a_program_is_an_operator() -> None:
    once, swapped_twice = operator(parse("r(X, Y) :- r(Y, X).")), operator(parse("r(X, Y) :- r(X, Y)."))
    facts = data("r(a, b)", "r(c, c)")
    assert not agree(once, swapped_twice, facts).agrees
    assert agree(lambda given: once(once(given)), swapped_twice, facts).agrees
    least = operator(parse("r(X, Y) :- r(Y, X)."), rounds="fixpoint")
    assert least(facts) == data("r(a, b)", "r(b, a)", "r(c, c)")


def test_an_endless_recursion_says_how_far_it_came() -> None:
    program, facts = parse("n(s(X)) :- n(X). m(X) :- n(X)."), data("n(0)")
    with pytest.raises(LimitError) as raised:
        run(program, facts, rounds="fixpoint", max_term_depth=3)
    (finding,) = raised.value.findings
    assert finding.code == "E401"
    assert finding.message == "in round 4, after 3 facts, `n/1` nests functions more than 3 deep"
    with pytest.raises(LimitError):
        operator(program, rounds="fixpoint", max_term_depth=3)(facts)


def test_depth_is_counted_from_the_deepest_term_of_the_data() -> None:
    program, facts = parse("n(s(X)) :- n(X), m(X)."), data("n(s(s(s(0))))", "m(s(s(s(0))))")
    assert run(program, facts, rounds="fixpoint", max_term_depth=1) == data("n(s(s(s(s(0)))))")
    with pytest.raises(LimitError, match="more than 3 deep"):
        run(program, facts, rounds="fixpoint", max_term_depth=0)


def test_auxiliary_facts_are_bounded_too() -> None:
    program = parse("@auxiliary h/1. h(s(X)) :- n(X). n(X) :- h(X).")
    with pytest.raises(LimitError, match="`h/1` nests functions more than 8 deep"):
        run(program, data("n(0)"), rounds="fixpoint")


def test_one_round_has_no_bound() -> None:
    assert run(parse("n(s(X)) :- n(X)."), data("n(0)"), max_term_depth=0) == data("n(s(0))")


def test_derivations_bind_the_variables_of_the_rule() -> None:
    rule = parse_rule("p(X) :- r(X, _), #count{Y : s(X, Y)} >= 2, X != Z")
    facts = data("r(a, b)", "r(a, c)", "s(a, b)", "s(a, c)")
    found = [{variable.name: term for variable, term in binding.items()} for binding in derivations(rule, facts)]
    assert sorted(found, key=str) == [{"X": "a", "_1": w, "Z": z} for w in "bc" for z in "bc"]


def test_derivations_read_the_data_alone() -> None:
    rule = parse_rule("p(X, Y) :- p(Y, X)")
    assert list(derivations(rule, data("p(a, b)"))) == [{Variable("Y"): "a", Variable("X"): "b"}]


def test_ten_thousand_facts() -> None:
    """Each atom is looked up by what is bound, so that this takes moments."""
    chain = [Atom("r", (f"c{n}", f"c{n + 1}")) for n in range(10_000)]
    found = run(parse("p(X, W) :- r(X, Y), r(Z, W), r(Y, Z)."), Dataset.from_facts(chain))
    assert len(found) == 9_998


def test_existence_ends_the_search() -> None:
    """Whether some term differs is answered by one term, not by all of them."""
    facts = [Atom("q", (f"c{n}",)) for n in range(3_000)]
    assert len(run(parse("p(X) :- q(X), X != Y, X != Z, Y != Z."), Dataset.from_facts(facts))) == 3_000


def test_options_are_those_of_the_engine() -> None:
    assert Reference().run(parse("p(a) :- true. q(X) :- p(X)."), data(), Options("fixpoint")) == data("p(a)", "q(a)")
