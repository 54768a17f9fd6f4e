"""A network is equivalent, for users, to the program composed from it, and to nothing that differs somewhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolog.concepts.flat_rules import Budget
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.equivalence import equivalent
from isolog.correspondence.transformation import predict
from isolog.correspondence.user_equivalence import user_difference, written_out
from isolog.datalog.normal import normal_form
from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program
from isolog.engines import reference
from isolog.errors import LimitError, UnsupportedError
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
    found = composed_rules(concepts_of_network(network, encoding.sorts), encoding, Budget(max_rules=20, max_atoms=3))
    few = [rule for rule in found.rules if len(rule.body) <= 3]
    kept = tuple(rule for rule in few if data.draw(st.booleans()))
    definitions = tuple(rule for rule in found.program if rule.head.predicate in found.program.auxiliary)
    program = Program((*definitions, *kept), found.program.auxiliary)
    whole = found.complete and len(kept) == len(found.rules)
    try:
        result = user_difference(network, program, Budget(max_rules=20, max_atoms=3), limit=2_000)
    except LimitError:
        return
    if result is None:
        dataset = data.draw(datasets(SIGNATURE))
        assert reference.run(program, dataset) == predict(network, dataset)
    else:
        assert result.derived_by == "A" and not whole
        assert result.instance.fact in predict(network, result.instance.dataset)
        assert result.instance.fact not in reference.run(program, result.instance.dataset)


def test_on_known_rules() -> None:
    friends = Signature.of([], ["friend", "knows"])
    network = handmade("pairs", friends, [{"knows/2": {"c3 friend/2": 1, "friend/2": 1}}])
    assert equivalent(network, parse("knows(X, Y) :- friend(X, Y). knows(Y, X) :- friend(X, Y).")).equivalent
    less = equivalent(network, parse("knows(X, Y) :- friend(X, Y)."))
    assert less.equivalent is False and less.derived_by == "A" and less.witness is not None and len(less.witness) == 1
    more = equivalent(parse("knows(X, Y) :- friend(Y, X). knows(X, Y) :- knows(X, Y)."), network)
    assert more.equivalent is False and more.witness is not None
    joining = handmade("paths", friends, [{"knows/2": {"c3 friend/2": 2, "friend/2": 3}}])
    assert equivalent(network, joining).equivalent
    other = handmade("indigo", friends, [{"knows/2": {"inv:friend/2": 1}}])
    assert equivalent(other, network).derived_by == "B"
    with pytest.raises(UnsupportedError, match="E464"):
        equivalent(network, parse("knows(X, Y) :- friend(X, Y), not friend(Y, X)."))


def test_beyond_the_budget_nothing_is_claimed() -> None:
    network = handmade("pairs", SIGNATURE, [{"A/1": {"c1 r/2": 1}, "r/2": {"r/2": 1, "c2 A/1": 1, "bias": -1}}])
    with pytest.raises(LimitError, match="E273 the first 1 rules of a network show no difference, and it has more"):
        user_difference(network, parse("A(X) :- r(X, Y). r(X, Y) :- r(X, Y), A(Y)."), Budget(max_rules=1))


def test_auxiliary_predicates_are_written_out() -> None:
    program = parse(
        "@auxiliary linked/2. linked(X, Y) :- r(X, Y). linked(X, Y) :- r(Y, X). A(X) :- linked(X, Y), A(Y)."
    )
    both = parse("A(X) :- A(Y), r(X, Y). A(X) :- A(Y), r(Y, X).")
    assert {normal_form(rule) for rule in written_out(program)} == {normal_form(rule) for rule in both}


def test_an_encoding_with_not_is_refused() -> None:
    network = handmade("kgnn", SIGNATURE, [{"U_1_1_0": {"U_1_1_0": 1}}])
    with pytest.raises(UnsupportedError, match="E254"):
        equivalent(network, parse("A(X) :- A(X)."))
