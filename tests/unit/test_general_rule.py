"""Rules of explanations: captured whatever the encoding knows by name, and as general as the capture test allows."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from isolog.correspondence.capture import captures
from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.explain import Explainer, explain
from isolog.correspondence.general_rule import Known, frozen_rule, general_rule
from isolog.datalog.parser import parse, parse_rule
from isolog.datalog.printer import print_rule
from isolog.errors import UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Literal
from isolog.networks.network import SUM, EncodingName, Network
from support.handmade import copying, handmade

JOIN = compile_encoded(parse("@signature r/2, s/2. s(X, Y) :- r(X, Z), r(Z, Y)."), "paths").network


def path(*terms: str) -> Dataset:
    """The terms joined by r in a row."""
    return Dataset.from_facts(Atom("r", ends) for ends in pairwise(terms))


def two_of_a_kind(nominal: str) -> Network:
    """U(x) is derived if x has the nominal constant as an r-neighbour, and two r-neighbours in all."""
    layers = [{"named": {f"r is:{nominal}": 1}, "one": {"bias": 1}}, {"U": {"named": 1, "r one": 1, "bias": -2}}]
    return handmade("canonical+nominals", Signature.of(["U"], ["r"]), layers, SUM, nominals=(nominal,))


def test_a_hub_is_no_middle_in_the_rule_either() -> None:
    network = replace(JOIN, encoding=EncodingName("paths", (("hubs", ("hub",)),)))
    found = explain(network, path("a", "b", "c"), "s(a, c)")
    assert found is not None and print_rule(found.rule) == "s(X, Y) :- r(X, Z), r(Z, Y), Z != hub."
    assert captures(network, found.rule).captured


def test_a_hub_at_the_end_need_not_be_named() -> None:
    network = replace(JOIN, encoding=EncodingName("paths", (("hubs", ("hub",)),)))
    found = explain(network, path("a", "b", "hub"), "s(a, hub)")
    assert found is not None and print_rule(found.rule) == "s(X, Z) :- r(X, Y), r(Y, Z), Y != hub."


@pytest.mark.parametrize(("text", "term"), [("c", "c"), ('"c"@en', Literal("c", "en"))])
def test_a_variable_is_not_the_constant_that_stands_beside_it(text: str, term: str | Literal) -> None:
    network = two_of_a_kind(text)
    data = Dataset.from_facts([Atom("r", ("a", term)), Atom("r", ("a", "b")), Atom("r", ("z", "b"))])
    found = Explainer(network, data).explain(Atom("U", ("a",)))
    assert found is not None and len(found.facts) == 2
    assert "Y != " in print_rule(found.rule) and captures(network, found.rule).captured
    assert term in {each for atom in found.rule.body_atoms for each in atom.arguments}


def test_a_constant_that_the_network_does_not_read_is_a_variable() -> None:
    program = parse("@signature U/1, V/1. U(X) :- V(X).")
    network = replace(
        compile_encoded(program, "pairs").network, encoding=EncodingName("pairs", (("hubs", ("somebody",)),))
    )
    found = explain(network, Dataset.from_facts([Atom("V", ("somebody",))]), "U(somebody)")
    assert found is not None and print_rule(found.rule) == "U(X) :- V(X)."


def test_a_coincidence_of_the_data_is_not_in_the_rule() -> None:
    network = compile_encoded(parse("@signature r/2, s/2, t/2. t(X, Y) :- r(X, Y), s(Y, Z)."), "pairs").network
    found = explain(network, Dataset.from_facts([Atom("r", ("a", "b")), Atom("s", ("b", "a"))]), "t(a, b)")
    assert found is not None and print_rule(found.rule) == "t(X, Y) :- r(X, Y), s(Y, Z)."


def test_a_variable_that_must_differ_keeps_its_condition() -> None:
    rule = parse_rule("p(X) :- r(X, Y), r(X, Z), Y != Z.")
    asked: list[str] = []

    def captured(candidate: object) -> bool:
        asked.append(str(candidate))
        return candidate == rule

    assert general_rule(rule, captured) == rule and len(asked) > 3


def test_what_is_compared_with_differs() -> None:
    known = Known(frozenset({"c", "hub"}), frozenset({"hub"}))
    rule = frozen_rule(Atom("p", ("a",)), [Atom("r", ("a", "b")), Atom("r", ("b", "c"))], known)
    assert print_rule(rule) == "p(X) :- r(X, Y), r(Y, c), X != Y, X != c, X != hub, Y != c, Y != hub."


def test_an_encoding_of_programs_alone_is_refused() -> None:
    network = copying("A(X) :- <A/1>(f(X)).")
    with pytest.raises(UnsupportedError, match="E493"):
        explain(network, Dataset.from_facts([Atom("A", ("a",))]), "A(a)")
