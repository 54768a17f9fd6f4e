"""Strata: what is computed before what."""

import pytest

from isolog.datalog.parser import parse
from isolog.datalog.stratify import TERMS, auxiliary_dependencies, cycles, dependencies, strata
from isolog.facts.terms import Predicate


def layers(text: str) -> list[set[str]]:
    """The strata of a program, by the names of the predicates."""
    program = parse(text)
    heads = [rule.head.predicate for rule in program.rules]
    return [{predicate.name for predicate in stratum} for stratum in strata(heads, dependencies(program))]


def depends_on_terms(text: str) -> tuple[set[str], set[str]]:
    """The predicates that need the terms of the data, and those that provide some."""
    found = dependencies(parse(text))
    return {d.head.name for d in found if d.on == TERMS}, {d.on.name for d in found if d.head == TERMS}


def test_predicates_come_after_what_they_depend_on() -> None:
    order = layers("d(X) :- c(X), not b(X). c(X) :- a(X). b(X) :- #count{Y : r(X, Y), c(Y)} >= 2.")
    assert order.index({"c"}) < order.index({"b"}) < order.index({"d"})
    assert order.index({"a"}) < order.index({"c"})


def test_mutually_dependent_predicates_share_a_stratum() -> None:
    order = layers("a(X) :- b(X). b(X) :- c(X). c(X) :- a(X), e(X). d(X) :- c(X). d(X) :- d(X).")
    assert order == [{"e"}, {"a", "b", "c"}, {"d"}]


def test_two_cycles_with_a_common_predicate_are_one_stratum() -> None:
    assert layers("a :- b. b :- a. b :- c. c :- b. d :- e. e :- d.") == [{"a", "b", "c"}, {"d", "e"}]


def test_a_long_chain_needs_no_recursion() -> None:
    text = " ".join(f"p{n}(X) :- p{n + 1}(X)." for n in range(5000))
    assert layers(text)[0] == {"p5000"}


@pytest.mark.parametrize(
    ("rule", "needs", "provides"),
    [
        ("p(X) :- q(X).", False, False),
        ("p(X) :- r(Y, X), not s(X).", False, False),
        ("p(X) :- #count{Y : r(X, Y)} >= 2.", False, False),
        ("p(f(X)) :- r(f(X), _).", False, False),
        ("p(a) :- r(a, _).", False, False),
        ("p :- q.", False, False),
        ("p(X) :- true.", True, False),
        ("p(X) :- q(X), X != Y.", True, False),
        ("p(a) :- q(X).", False, True),
        ("p(f(X)) :- q(X).", False, True),
        ("p(X) :- q(f(X)).", False, True),
        ("p(X) :- q(f(X)), not s(X).", False, True),
        ("@auxiliary h/1. h(f(X)) :- q(X).", False, False),
        ("@auxiliary h/1. h(X) :- q(X). p(X) :- h(X).", False, True),
    ],
)
def test_the_terms_of_the_data_count_as_a_predicate(rule: str, needs: bool, provides: bool) -> None:
    assert depends_on_terms(rule) == ({"p"} if needs else set(), {"p"} if provides else set())


def test_auxiliary_dependencies_stay_among_themselves() -> None:
    program = parse("@auxiliary h/1, k/1. h(X) :- k(X), p(X). k(X) :- q(X). p(X) :- h(X).")
    assert [(d.head.name, d.on.name) for d in auxiliary_dependencies(program)] == [("h", "k")]


def test_one_shortest_cycle_for_each_stratum() -> None:
    found = dependencies(parse("a :- b. b :- c. c :- a. b :- a. d :- not e. e :- d. f :- not d. g :- g."))
    chains = {tuple(d.head.name for d in cycle) for cycle in cycles(found, negated=False)}
    assert chains == {("a", "b"), ("d", "e"), ("g",)}
    assert [[d.head.name for d in cycle] for cycle in cycles(found, negated=True)] == [["d", "e"]]


def test_a_shortest_cycle_is_found_where_a_longer_one_comes_later() -> None:
    found = dependencies(parse("p :- not q. q :- w. q :- x. w :- p. x :- y. y :- z. z :- p."))
    assert [[d.head.name for d in cycle] for cycle in cycles(found, negated=True)] == [["p", "q", "w"]]


def test_a_predicate_that_depends_on_nothing_has_a_stratum() -> None:
    assert strata([Predicate("p", 0)], []) == [{Predicate("p", 0)}]
