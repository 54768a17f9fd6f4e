"""Lemma 1 as printed passes rules with a variable in no body atom, whatever the network; corrected, it does not."""

import pytest

from isolog.correspondence.capture import captures
from isolog.correspondence.lemma1 import Instance, derives, failing_instance, identifications
from isolog.correspondence.patterns import pattern
from isolog.datalog.parser import parse_rule
from isolog.datalog.syntax import Program, Rule
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks import exact
from isolog.networks.network import Layer, Network

UNSAFE = ["U2(X) :- true.", "U2(X) :- U1(X), X != Y.", "U2(X) :- U1(Y)."]
COLOURED, COLOURLESS = Signature.of(["U1", "U2"], ["r"]), Signature.of(["U1", "U2"])


def network_with_bias(signature: Signature, bias: int, from_u1: int = 0, from_u2: int = 0) -> Network:
    """Derives U2 where bias, and weight of the vertex's own labels, come to 1."""
    no_neighbours = [[[0, 0], [0, 0]] for _ in signature.binary]
    return Network.canonical(signature, [Layer.from_fractions([[0, 0], [from_u1, from_u2]], no_neighbours, [0, bias])])


def passes_printed_test(network: Network, rule: Rule) -> bool:
    """Hν ∈ T_N(Aν) for each substitution ν of the variables such that Hν ∈ T_r(Aν), and nothing else."""
    wanted = pattern(rule)
    for classes in identifications(wanted):
        constants = [f"c{number}" for number in classes]
        facts = [Atom(name, tuple(constants[term] for term in terms)) for name, terms in wanted.atoms]
        instance = Instance(
            Dataset.from_facts(facts), Atom(wanted.head[0], tuple(constants[t] for t in wanted.head[1]))
        )
        fires = instance.fact in run(Program((rule,)), instance.dataset)
        if fires and not derives(network, instance, exact.apply):
            return False
    return True


@pytest.mark.parametrize("signature", [COLOURED, COLOURLESS])
@pytest.mark.parametrize("text", UNSAFE)
def test_a_network_that_derives_nothing_captures_no_unsafe_rule(text: str, signature: Signature) -> None:
    network, rule = network_with_bias(signature, bias=0), parse_rule(text)
    instance, result = failing_instance(network, rule), captures(network, rule)
    assert passes_printed_test(network, rule) == (text != "U2(X) :- U1(Y).")
    assert instance is not None and not result.captured
    for dataset, fact in ((instance.dataset, instance.fact), (result.counterexample, result.fact)):
        assert dataset is not None and fact is not None
        assert fact in run(Program((rule,)), dataset)
        assert not derives(network, Instance(dataset, fact), exact.apply)


@pytest.mark.parametrize("signature", [COLOURED, COLOURLESS])
def test_the_head_needs_a_vertex_of_its_own(signature: Signature) -> None:
    network, rule = network_with_bias(signature, bias=0, from_u1=1), parse_rule("U2(X) :- U1(Y).")
    assert passes_printed_test(network, rule)
    assert failing_instance(network, rule) is not None and not captures(network, rule).captured


@pytest.mark.parametrize("text", UNSAFE)
def test_a_network_that_derives_everything_captures_them(text: str) -> None:
    for signature in (COLOURED, COLOURLESS):
        network = network_with_bias(signature, bias=1)
        assert failing_instance(network, parse_rule(text)) is None and captures(network, text).captured


@pytest.mark.parametrize("text", ["U2(X) :- true.", "U2(X) :- U1(Y)."])
def test_without_colours_every_term_has_some_label(text: str) -> None:
    assert captures(network_with_bias(COLOURLESS, 0, from_u1=1, from_u2=1), text).captured
    assert failing_instance(network_with_bias(COLOURLESS, 0, from_u1=1, from_u2=1), parse_rule(text)) is None
    only_u1 = captures(network_with_bias(COLOURLESS, 0, from_u1=1), text).counterexample
    assert only_u1 is not None and Atom("U2", ("a",)) in only_u1
    bare = captures(network_with_bias(COLOURED, 0, from_u1=1, from_u2=1), text).counterexample
    assert bare is not None and [fact.name for fact in bare if "a" in fact.arguments] == ["r"]


def test_binary_facts_are_only_passed_on() -> None:
    network = network_with_bias(COLOURED, bias=1)
    assert captures(network, "r(X, Y) :- r(X, Y), U1(X).").captured
    for text in ("r(X, Y) :- r(Y, X).", "r(X, X) :- U1(X).", "r(X, Y) :- true."):
        assert failing_instance(network, parse_rule(text)) is not None
        assert not captures(network, text).captured
