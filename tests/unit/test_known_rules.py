"""Networks made by hand for rules that are known extract to these rules again, and capture them and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolog.cli.app import main
from isolog.correspondence.capture import captures
from isolog.correspondence.compose import compose_concepts
from isolog.correspondence.composed_rules import composed_rules
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.transformation import network_encoding
from isolog.datalog.normal import normal_form
from isolog.datalog.parser import parse
from isolog.facts.signature import Signature
from isolog.facts.terms import Predicate
from isolog.networks.model_folder import read_model, write_model
from isolog.networks.network import SUM, Network
from support.handmade import handmade

FAMILY = Signature.of(["male", "proud"], ["parent", "father", "child"])
KIN = Signature.of([], ["parent", "brother", "uncle", "grandparent", "elder"])
FRIENDS = Signature.of([], ["friend"])

FATHER = handmade(
    "pairs",
    FAMILY,
    [
        {"is_parent": {"parent/2": 1}, "first_is_male": {"c1 male/1": 1}, "turned": {"c3 parent/2": 1}},
        {"father/2": {"is_parent": 1, "first_is_male": 1, "bias": -1}, "child/2": {"turned": 1}},
    ],
)
SYMMETRIC = handmade("pairs", FRIENDS, [{"friend/2": {"c3 friend/2": 1}}])
PROUD = handmade("pairs", FAMILY, [{"proud/1": {"c1 parent/2": 1, "bias": -1}}], SUM)
CHAINS = handmade(
    "paths",
    KIN,
    [
        {
            "uncle": {"c6 brother/2": 1, "c7 parent/2": 1, "bias": -1},
            "twice": {"c6 parent/2": 1, "c7 parent/2": 1, "bias": -1},
        },
        {"uncle/2": {"c5 uncle": 1}, "grandparent/2": {"c5 twice": 1}},
    ],
)
THREE_STEPS = handmade(
    "paths:3",
    KIN,
    [
        {"twice": {"c6 parent/2": 1, "c7 parent/2": 1, "bias": -1}, "last": {"parent/2": 1}},
        {"twice": {"c5 twice": 1}, "last": {"last": 1}},
        {"chain": {"c6 twice": 1, "c7 last": 1, "bias": -1}},
        {"elder/2": {"c5 chain": 1}},
    ],
)
KNOWN = [
    (FATHER, "father(X, Y) :- parent(X, Y), male(X). child(X, Y) :- parent(Y, X)."),
    (SYMMETRIC, "friend(X, Y) :- friend(Y, X)."),
    (PROUD, "proud(X) :- parent(X, Y), parent(X, Z), Y != Z."),
    (CHAINS, "uncle(X, Y) :- brother(X, Z), parent(Z, Y). grandparent(X, Y) :- parent(X, Z), parent(Z, Y)."),
    (THREE_STEPS, "elder(X, Y) :- parent(X, Z), parent(Z, W), parent(W, Y)."),
]


@pytest.mark.parametrize(
    ("network", "rules"), KNOWN, ids=["father", "symmetric", "two children", "chains", "three steps"]
)
def test_known_rules_are_found_again(network: Network, rules: str, tmp_path: Path) -> None:
    write_model(network, tmp_path / "model")
    stored = read_model(tmp_path / "model")
    encoding = network_encoding(stored)
    extraction = concepts_of_network(stored, encoding.sorts)
    found = composed_rules(extraction, encoding)
    assert found.complete
    assert {normal_form(rule) for rule in found.rules} == {normal_form(rule) for rule in parse(rules)}
    assert found.user_atoms == tuple(len(rule.body_atoms) for rule in found.rules)
    assert all(captures(stored, rule).captured for rule in parse(rules))
    assert compose_concepts(extraction, encoding).program.signature == network.signature


@pytest.mark.parametrize(
    ("network", "rule", "counterexample"),
    [
        (FATHER, "father(X, Y) :- parent(X, Y).", "parent(a, b)."),
        (FATHER, "child(X, Y) :- parent(Y, X), parent(Z, X), Z != Y.", None),
        (PROUD, "proud(X) :- parent(X, Y), parent(X, Z).", "parent(a, b)."),
        (PROUD, "proud(X) :- #count{Y : parent(X, Y)} >= 3.", None),
        (CHAINS, "uncle(X, Z) :- brother(X, Y), parent(Z, Y).", "brother(a, c). parent(b, c)."),
        (CHAINS, "grandparent(X, X) :- parent(X, Y), parent(Y, X).", None),
    ],
)
def test_what_is_captured_on_all_datasets_of_the_user(network: Network, rule: str, counterexample: str | None) -> None:
    result = captures(network, rule)
    assert result.captured == (counterexample is None)
    if counterexample is not None:
        assert result.counterexample is not None
        assert set(result.counterexample) == {fact.head for fact in parse(counterexample)}


def test_a_rule_may_hold_on_its_body_and_fail_where_variables_coincide() -> None:
    """`pairs` sees from g(x, y) how many pairs begin with x: on a, b, c there are two, on a, b, a there is one."""
    ends = {"of_y": {"c1 friend/2": 1, "c2 friend/2": 1, "bias": 0}, "own": {"friend/2": 1}}
    network = handmade("pairs", FRIENDS, [ends, {"friend/2": {"own": 1, "c2 of_y": 1, "bias": -2}}], SUM)
    assert captures(network, "friend(X, Y) :- friend(X, Y), friend(Y, Z), X != Z, Y != Z, X != Y.").captured
    assert not captures(network, "friend(X, Y) :- friend(X, Y).").captured


def test_programs_for_some_predicates_only() -> None:
    encoding = network_encoding(FATHER)
    extraction, only = concepts_of_network(FATHER, encoding.sorts), [Predicate("child", 2)]
    (rule,) = parse("child(X, Y) :- parent(Y, X).")
    assert composed_rules(extraction, encoding, predicates=only).rules == (rule,)
    assert compose_concepts(extraction, encoding, predicates=only).rules == (rule,)


def test_head_variables_in_no_atom_may_be_any_term() -> None:
    assert not captures(FATHER, "father(X, X) :- male(Y).").captured
    every_pair = handmade("all-pairs", FRIENDS, [{"friend/2": {"bias": 1}}])
    assert captures(every_pair, "friend(X, Y) :- true.").captured
    linked = handmade("pairs", FRIENDS, [{"friend/2": {"bias": 1}}])
    result = captures(linked, "friend(X, Y) :- true.")
    assert not result.captured and result.counterexample is not None and len(result.counterexample) <= 2


def test_predict_and_captures_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_model(CHAINS, tmp_path / "model")
    facts = tmp_path / "facts.dl"
    facts.write_text("parent(ann, bob). parent(bob, eve). knows(ann, eve).", encoding="utf-8")
    model = str(tmp_path / "model")
    assert main(["predict", model, str(facts), "--format", ":dl"]) == 1
    assert main(["predict", model, str(facts), "--format", ":dl", "--ignore-unknown"]) == 0
    assert capsys.readouterr().out == "grandparent(ann, eve).\n"
    assert main(["captures", model, "grandparent(X, Y) :- parent(X, Z), parent(Z, Y)."]) == 0
    assert main(["captures", model, "grandparent(X, Y) :- parent(X, Z), parent(Y, Z)."]) == 3
    assert "on {parent(a, c), parent(b, c)} only the rule derives grandparent(a, b)" in capsys.readouterr().out


def test_a_large_graph_is_announced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_model(handmade("all-pairs", FRIENDS, [{"friend/2": {"c3 friend/2": 1}}]), tmp_path / "model")
    facts = tmp_path / "facts.tsv"
    facts.write_text("".join(f"c{n}\tfriend\tc{n + 1}\n" for n in range(299)), encoding="utf-8")
    assert main(["predict", str(tmp_path / "model"), str(facts)]) == 0
    said = capsys.readouterr()
    assert said.err == "all-pairs: 300 terms make up to 90,300 vertices and 540,000 edges\n"
    assert said.out.startswith("c1\tfriend\tc0\n")
