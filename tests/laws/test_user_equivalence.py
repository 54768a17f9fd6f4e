"""A network is equivalent, for users, to the program composed from it, and to nothing that differs somewhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolog.concepts.flat_rules import Budget
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.extract import extract
from isolog.correspondence.transformation import predict
from isolog.correspondence.user_equivalence import equivalent_for_users, written_out
from isolog.datalog.normal import normal_form
from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program
from isolog.engines import reference
from isolog.errors import UnsupportedError
from isolog.facts.signature import Signature
from support.encoded import datasets, encoded_networks, encoding_of
from support.handmade import handmade

SIGNATURE = Signature.of(["A"], ["r"])
fewer = settings(max_examples=max(10, settings.default.max_examples // 3))


@pytest.mark.parametrize("name", ["pairs", "indigo"])
@fewer
@given(data=st.data())
def test_differences_are_shown(name: str, data: st.DataObject) -> None:
    network = data.draw(encoded_networks(name, SIGNATURE, max_layers=1))
    encoding = encoding_of(name, SIGNATURE)
    found = composed_rules(extract(network, encoding.sorts), encoding, Budget(max_rules=20, max_atoms=3))
    few = [rule for rule in found.rules if len(rule.body) <= 3]
    kept = tuple(rule for rule in few if data.draw(st.booleans()))
    definitions = tuple(rule for rule in found.program if rule.head.predicate in found.program.auxiliary)
    program = Program((*definitions, *kept), found.program.auxiliary)
    result = equivalent_for_users(network, program, budget=Budget(max_rules=20, max_atoms=3), limit=2_000)
    if result.equivalent is False:
        assert result.witness is not None and result.derived_by == "A"
        assert result.fact in predict(network, result.witness)
        assert result.fact not in reference.run(program, result.witness)
    if result.equivalent:
        dataset = data.draw(datasets(SIGNATURE))
        assert reference.run(program, dataset) == predict(network, dataset)
    if found.complete and len(kept) == len(found.rules):
        assert result.equivalent is not False


def test_on_known_rules() -> None:
    network = handmade("pairs", Signature.of([], ["friend", "knows"]), [{"knows/2": {"c3 friend/2": 1, "friend/2": 1}}])
    same = parse("knows(X, Y) :- friend(X, Y). knows(Y, X) :- friend(X, Y).")
    assert equivalent_for_users(network, same).equivalent
    less = equivalent_for_users(network, parse("knows(X, Y) :- friend(X, Y)."))
    assert less.equivalent is False and less.derived_by == "A" and less.witness is not None and len(less.witness) == 1
    more = equivalent_for_users(network, parse("knows(X, Y) :- friend(Y, X). knows(X, Y) :- knows(X, Y)."))
    assert more.equivalent is False and more.derived_by == "B"


def test_auxiliary_predicates_are_written_out() -> None:
    program = parse(
        "@auxiliary linked/2. linked(X, Y) :- r(X, Y). linked(X, Y) :- r(Y, X). A(X) :- linked(X, Y), A(Y)."
    )
    both = parse("A(X) :- A(Y), r(X, Y). A(X) :- A(Y), r(Y, X).")
    assert {normal_form(rule) for rule in written_out(program)} == {normal_form(rule) for rule in both}


def test_an_encoding_with_not_is_refused() -> None:
    network = handmade("kgnn", SIGNATURE, [{"U_1_1_0": {"U_1_1_0": 1}}])
    with pytest.raises(UnsupportedError, match="E254"):
        equivalent_for_users(network, parse("A(X) :- A(X)."))
