"""Encodings in the user's own Datalog: read, checked, proved or tested, applied, composed and stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.correspondence.capture import captures
from isolog.correspondence.compose import compose_concepts
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.equivalence import equivalent
from isolog.correspondence.sort_claims import require_sorts, sort_claims
from isolog.correspondence.transformation import network_encoding, predict
from isolog.datalog.parser import parse
from isolog.datalog.printer import print_program
from isolog.encodings.registry import find_encoding
from isolog.engines import reference
from isolog.errors import InputError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.networks.model_folder import read_model, write_model
from isolog.networks.network import EncodingName, Network
from support.encoded import datasets, encoded_networks, encoding_of
from support.handmade import copying, handmade
from support.models import meaning

SIGNATURE = Signature.of(["person"], ["likes"])
ENCODE = """
    <person/1>(f(X)) :- person(X).
    <likes/2>(e(X, Y)) :- likes(X, Y).
    from(e(X, Y), f(X)) :- likes(X, Y).
    out(f(X), e(X, Y)) :- likes(X, Y).
"""
DECODE = "person(X) :- <person/1>(f(X)). likes(Y, X) :- <likes/2>(e(X, Y))."
SORTS = """
colours: [from, out]
sorts:
  f: {features: [person/1], neighbours: {out: {sort: e}}}
  e: {arity: 2, features: [likes/2], neighbours: {from: {sort: f, at_least: 1, at_most: 1}}}
"""
TEXTS = {"encode": ENCODE, "decode": DECODE, "sorts": SORTS}


def made(**texts: str) -> Network:
    """Two layers over the encoding: whoever likes is a person, and is liked by whom a person likes."""
    weights = [
        {"likes": {"likes/2": 1}, "by": {"from person/1": 1, "bias": 0}},
        {"person/1": {"out likes": 1}, "likes/2": {"by": 1}},
    ]
    return handmade("mine", SIGNATURE, weights, **(TEXTS | texts))


@given(dataset=datasets(SIGNATURE))
def test_application_and_composition(dataset: Dataset) -> None:
    network = made()
    encoding = network_encoding(network)
    program = compose_concepts(concepts_of_network(network, encoding.sorts), encoding).program
    assert print_program(program).splitlines()[1:] == [
        "person(X) :- likes(X, Y).",
        "likes(X, Y) :- likes(Y, X), person(Y).",
    ]
    assert predict(network, dataset) == reference.run(program, dataset)


def test_capture_and_storage(tmp_path: Path) -> None:
    network = made()
    assert captures(network, "person(X) :- likes(X, X).").captured
    assert not captures(network, "likes(X, Y) :- likes(Y, X).").captured
    write_model(network, tmp_path / "model")
    assert meaning(read_model(tmp_path / "model")) == meaning(network)


def test_sorts_are_proved_tested_or_refuted() -> None:
    encoding = find_encoding("mine", SIGNATURE, TEXTS)
    assert [claim.verdict for claim in sort_claims(encoding)] == ["proved", "proved"]
    twice = ENCODE + "from(e(X, Y), f(Y)) :- likes(X, Y), likes(Y, X)."
    claims = sort_claims(find_encoding("mine", SIGNATURE, TEXTS | {"encode": twice}))
    assert [claim.verdict for claim in claims] == ["refuted", "proved"]
    with pytest.raises(InputError, match=r"E272 the sorts of `mine` do not hold: at most 1 `from` neighbours of `e`"):
        require_sorts(find_encoding("mine", SIGNATURE, TEXTS | {"encode": twice}))


def test_what_rules_do_not_show_is_tested() -> None:
    """That a constraint never fires is beyond the prover."""
    never = ENCODE + "from(e(X, Y), f(Z)) :- likes(X, Y), person(Z), Z != Z."
    claims = sort_claims(find_encoding("mine", SIGNATURE, TEXTS | {"encode": never}))
    assert [claim.verdict for claim in claims] == ["tested", "proved"]


@pytest.mark.parametrize("name", ["pairs", "pairs-printed", "pairs:2", "paths", "paths:3", "all-pairs"])
def test_the_shipped_sorts_are_proved(name: str) -> None:
    encoding = encoding_of(name, Signature.of(["A"], ["r", "s"]))
    verdicts = {claim.text: claim.verdict for claim in sort_claims(encoding)}
    assert set(verdicts.values()) == {"proved"}, verdicts


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"sorts": "colours: [from, out]\nsort: {}"}, "E270 .* has `sort`, and the keys are colours, features, sorts"),
        ({"sorts": "colours: ["}, "E270 the sorts of the encoding `mine` are not understood"),
        ({"encode": ENCODE.replace("from(e(X, Y), f(X)) :- likes(X, Y).", "")}, "E271 .* no rule derives `from/2`"),
        ({"encode": ENCODE + "other(f(X)) :- person(X)."}, "E271 .* `other/1` is neither a feature nor a colour"),
        ({"encode": ENCODE + "<likes/2>(f(X)) :- person(X)."}, "E271 .* the feature `likes/2` to the sort `f`"),
        ({"encode": ENCODE + "<likes/2>(k(X)) :- person(X)."}, "E271 .* no sort has vertices like"),
        ({"encode": ENCODE + "out(e(X, Y), f(X)) :- likes(X, Y)."}, "E271 .* undeclared neighbours: along `out`"),
        ({"encode": ENCODE + "out(f(X), e(X, Y)) :- knows(X, Y)."}, "E223 unknown predicate `knows/2`"),
        ({"decode": "person(X) :- human(f(X))."}, "E271 .* the decoder reads `human/1`"),
    ],
)
def test_mistakes_are_named(texts: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_encoding("mine", SIGNATURE, TEXTS | texts)


def test_all_three_texts_are_needed() -> None:
    with pytest.raises(InputError, match="E270 the encoding `mine` lacks `decode`, `sorts`"):
        find_encoding("mine", SIGNATURE, {"encode": ENCODE})


@given(data=st.data())
def test_a_shipped_encoding_written_out_means_the_same(data: st.DataObject) -> None:
    signature = Signature.of(["A"], ["r"])
    network = data.draw(encoded_networks("pairs", signature))
    encoding = encoding_of("pairs", signature)
    sorts = """
colours: [c1, c2, c3, c4]
sorts:
  f: {features: [A/1], neighbours: {c1: {sort: g}, c2: {sort: g}, c4: {sort: f}}}
  g:
    arity: 2
    features: [r/2]
    neighbours:
      c1: {sort: f, at_least: 1, at_most: 1}
      c2: {sort: f, at_least: 1, at_most: 1}
      c3: {sort: g, at_least: 1, at_most: 1}
"""
    texts = {"encode": print_program(encoding.encoder), "decode": print_program(encoding.decoder), "sorts": sorts}
    stored = EncodingName("own", tuple(texts.items()))
    written = replace(network, encoding=stored)
    assert network_encoding(written).sorts == encoding.sorts
    dataset = data.draw(datasets(signature, constants=4, facts=6))
    assert predict(written, dataset) == predict(network, dataset)


def test_a_constant_that_only_the_decoder_compares_with_refutes_a_rule() -> None:
    network = copying("A(X) :- <A/1>(f(X)), X != bob.")
    assert not captures(network, "A(X) :- A(X).").captured
    assert captures(network, "A(X) :- A(X), X != bob.").captured
    program = parse("@signature A/1, r/2. A(X) :- A(X).")
    assert not equivalent(network, program).equivalent
