"""Capture under an encoding: what is captured holds on every dataset, what is not fails on the one that is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.concepts.flat_rules import Budget
from isolog.correspondence.capture import captures, captures_all
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.transformation import predict
from isolog.correspondence.user_capture import constants_of
from isolog.datalog.syntax import BodyLiteral, Inequality, Program, Rule
from isolog.engines import reference
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Variable
from support.encoded import datasets, encoded_networks, encoding_of

SIGNATURE = Signature.of(["A"], ["r"])
ENCODINGS = ["pairs", "pairs-printed+inverses", "indigo", "paths", "pairs+nominals"]
_variables = st.sampled_from([Variable(name) for name in "XYZ"])
_atoms = st.one_of(
    st.builds(lambda x: Atom("A", (x,)), _variables),
    st.builds(lambda x, y: Atom("r", (x, y)), _variables, _variables),
)


@st.composite
def user_rules(draw: st.DrawFn) -> Rule:
    """A rule of few atoms over the signature, safe or not."""
    body: list[BodyLiteral] = list(draw(st.lists(_atoms, min_size=0, max_size=3)))
    if draw(st.booleans()):
        one, other = draw(_variables), draw(_variables)
        body += [Inequality(one, other)] if one != other else []
    return Rule(draw(_atoms), tuple(body))


@pytest.mark.parametrize("name", ENCODINGS)
@given(data=st.data())
def test_capture_is_decided_rightly(name: str, data: st.DataObject) -> None:
    network, rule = data.draw(encoded_networks(name, SIGNATURE)), data.draw(user_rules())
    result, program = captures(network, rule), Program((rule,))
    if result.counterexample is not None:
        assert result.fact in reference.run(program, result.counterexample)
        assert result.fact not in predict(network, result.counterexample)
    else:
        dataset = data.draw(datasets(SIGNATURE, constants=4, facts=7))
        assert reference.run(program, dataset) <= predict(network, dataset)


@pytest.mark.parametrize("name", ["pairs", "paths", "pairs-printed+inverses"])
@given(data=st.data())
def test_the_rules_of_a_network_are_captured(name: str, data: st.DataObject) -> None:
    network = data.draw(encoded_networks(name, SIGNATURE))
    encoding = encoding_of(name, SIGNATURE)
    found = composed_rules(concepts_of_network(network, encoding.sorts), encoding, Budget(max_rules=10, max_atoms=4))
    small = [rule for rule in found.rules if len(rule.body) <= 4 and not _is_auxiliary(rule, found.program)]
    assert all(result.captured for result in captures_all(network, small))


def _is_auxiliary(rule: Rule, program: Program) -> bool:
    return any(atom.predicate in program.auxiliary for atom in rule.body_atoms)


def test_constants_that_are_compared() -> None:
    encoder = encoding_of("paths:3+nominals", SIGNATURE).encoder
    assert constants_of([encoder]) == ({"c0", "c1", "nobody"}, {"c0"})
