"""Training that starts from rules: a rule that is missing is learned, a wrong one is lost, and the others are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import isolog
from isolog.cli.app import main
from isolog.correspondence.compile_encoded import compile_encoded
from isolog.correspondence.rule_diff import RuleDiff, rule_diff
from isolog.correspondence.transformation import predict
from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program
from isolog.errors import InputError, IsologError, UnsupportedError
from isolog.facts.family import true_rules
from isolog.facts.signature import Signature
from isolog.facts.split_files import write_split
from isolog.facts.terms import Predicate
from isolog.learning.checkpoint import Checkpoint
from isolog.learning.configuration import configured
from isolog.learning.settings import Settings
from isolog.learning.start import grid_bits, start_of
from isolog.learning.train import Plan, train_split
from isolog.networks.fingerprint import network_sha256
from isolog.networks.model_folder import read_model, write_model
from isolog.networks.network import SUM, Layer, Network
from isolog.networks.widen import widened
from support.learning import family_split

LINKS = tuple(Predicate(name, 2) for name in ("father", "mother", "child_of", "grandparent"))
PARENTS = family_split(*LINKS[:2], persons=120)
RULES = [rule for rule in parse(true_rules()) if rule.head.predicate in LINKS]
QUICK = Settings(hidden=12, epochs=60, seed=3)
WRONG = "mother(X, Y) :- parent(X, Y), spouse(X, Z), male(X)."
UNSEEN = "boss(X, Y) :- employs(X, Y), owner(X)."


def network_of_rules(text: str, encoding: str = "pairs") -> Network:
    """The network under the encoding that the rules are."""
    return compile_encoded(parse(text), encoding).network


def texts(rules: RuleDiff) -> list[list[str]]:
    """The rules gained, lost and kept."""
    return list(rules.texts().values())[:3]


@pytest.mark.parametrize(
    ("encoding", "known", "missing"),
    [
        ("pairs", 3, "father"),
        ("pairs", 3, "mother"),
        ("pairs", 3, "child_of"),
        ("paths", 4, "father"),
        ("paths", 4, "grandparent"),
    ],
)
def test_a_missing_rule_is_learned_and_all_others_are_kept(encoding: str, known: int, missing: str) -> None:
    split = family_split(*LINKS[:known])
    true = Program(tuple(RULES[:known]))
    given = Program(tuple(rule for rule in true if rule.head.name != missing))
    start, whole = (compile_encoded(each, encoding, signature=split.signature).network for each in (given, true))
    training = train_split(split, configured(None, {"sparsity": 0.05} if known == 4 else {}, start).plan)
    assert training.rules is not None and training.rules.complete
    gained, lost, kept = texts(training.rules)
    assert {rule.partition("(")[0] for rule in gained} == {missing} and not lost and len(kept) == known - 1
    found = rule_diff(whole, training.network)
    assert found.complete and not found.lost and not found.gained
    assert predict(training.network, split.test.graph) == split.test.positives


def test_what_the_data_contradict_is_lost_and_what_they_do_not_mention_is_kept() -> None:
    start = network_of_rules(f"father(X, Y) :- parent(X, Y), male(X). {WRONG} {UNSEEN}")
    training = isolog.train(PARENTS, start=start)
    assert training.rules is not None and training.rules.complete
    gained, lost, kept = texts(training.rules)
    assert gained and all(rule.startswith("mother(X, Y) :- parent(X, Y), female(X)") for rule in gained)
    assert len(lost) == 1 and lost[0].startswith("mother(X, Y) :- parent(X, Y), male(X), spouse(X, ")
    assert kept == ["father(X, Y) :- parent(X, Y), male(X).", UNSEEN]
    (result,) = training.rules.lost
    assert result.counterexample is not None and result.fact is not None
    assert result.fact in predict(start, result.counterexample)
    assert result.fact not in predict(training.network, result.counterexample)
    assert predict(training.network, PARENTS.test.graph) == PARENTS.test.positives


def test_a_killed_run_goes_on_from_the_same_start_to_the_same_end(tmp_path: Path) -> None:
    start = network_of_rules("father(X, Y) :- parent(X, Y), male(X).")
    settings = replace(QUICK, aggregation=(1,) * len(start.layers))
    plan = Plan(settings, "pairs", sparsities=(0.1,), bits=(1,), start=start)
    whole = train_split(PARENTS, plan)

    def kill(settings: Settings, moment: object, size: object) -> None:
        raise KeyboardInterrupt

    file, own = tmp_path / "checkpoint", network_sha256(start)
    with pytest.raises(KeyboardInterrupt):
        train_split(PARENTS, plan, kill, Checkpoint(file, start=own))
    with pytest.raises(KeyboardInterrupt):
        train_split(PARENTS, plan, kill, Checkpoint(file, True, own))
    resumed = train_split(PARENTS, plan, checkpoint=Checkpoint(file, True, own))
    assert network_sha256(resumed.network) == network_sha256(whole.network)
    assert resumed.curve == whole.curve and resumed.rules is not None
    for other in (None, "another"):
        with pytest.raises(InputError, match="E649"):
            Checkpoint(file, True, other)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"encoding": "paths"}, "`encoding` is to be `paths`, and the network to start from has `pairs`"),
        ({"layers": 2}, "`layers` is to be `2`, and the network to start from has `3`"),
        ({"aggregation": "max,sum,max"}, "`aggregation` is to be `max,sum,max`"),
    ],
)
def test_what_the_network_has_cannot_be_asked_for_otherwise(given: dict[str, str], message: str) -> None:
    start = network_of_rules("father(X, Y) :- parent(X, Y), male(X).")
    with pytest.raises(InputError) as caught:
        isolog.train(PARENTS, start=start, **given)  # pyright: ignore[reportArgumentType]  the values are of several types
    (finding,) = caught.value.findings
    assert finding.code == "E647" and message in finding.message and finding.hint


def test_a_network_that_cannot_derive_the_targets_is_refused() -> None:
    start = isolog.compile_program(parse("male(X) :- parent(X, Y), spouse(X, Z), female(Z)."))
    with pytest.raises(InputError, match=r"E640 none of the .* targets can be derived(.|\n)*`compile --encoding`"):
        isolog.train(PARENTS, start=start)


def test_the_same_may_be_asked_for() -> None:
    start = network_of_rules("father(X, Y) :- parent(X, Y), male(X).")
    made = isolog.train(PARENTS, start=start, encoding="pairs", layers=3, aggregation="max", epochs=1, sparsity=0.1)
    assert made.network.encoding.name == "pairs" and len(made.network.layers) == 3


def test_other_activations_and_networks_that_are_not_monotonic_are_refused() -> None:
    clipped = isolog.compile_program(parse("U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), Y != Z."))
    with pytest.raises(UnsupportedError, match=r"E648 layer 1 (.|\n)*`compile --activation relu`"):
        start_of(clipped)
    negative = Network.canonical(Signature.of(["A"]), [Layer.from_fractions([[-1]], [], [0])])
    with pytest.raises(IsologError, match="E360"):
        start_of(negative)


def test_weights_off_every_grid_begin_as_the_nearest_floats() -> None:
    layer = Layer.from_fractions([[0, Fraction(1, 3)], [0, 0]], [[[0, 0], [0, 0]]], [0, 0], SUM)
    network = Network.canonical(Signature.of(["A", "B"], ["r"]), [layer], Fraction(1, 3))
    assert grid_bits(network) is None and start_of(network).stacks[0].max() == pytest.approx(6.0)
    facts = isolog.Dataset.from_facts([isolog.Atom("B", (name,)) for name in "abcdefghij"])
    training = isolog.train(facts, start=network, epochs=1, sparsity=0.1)
    assert any("nearest floats" in note for note in training.network.provenance.notes)
    assert [point.bits for point in training.front] == [None]


def test_always_derived_stays_so() -> None:
    layer = Layer.from_fractions([[0, 1], [0, 0]], [], [0, 1])
    network = Network.canonical(Signature.of(["A", "B"]), [layer], [Fraction(0), Fraction(1)])
    assert start_of(network).thresholds == {0: 0, 1: 0}
    assert start_of(network).biases[0].tolist() == [3.0, 3.0]


def test_a_wider_signature_changes_nothing() -> None:
    network = network_of_rules("father(X, Y) :- parent(X, Y), male(X).")
    wide = widened(network, PARENTS.signature)
    assert set(PARENTS.signature.predicates) <= set(wide.signature.predicates)
    facts = PARENTS.test.graph
    assert predict(wide, facts) == predict(network, facts, ignore_unknown=True) and len(predict(wide, facts))
    assert widened(wide, PARENTS.signature) is wide


def test_the_verb_shows_what_became_of_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_split(PARENTS, tmp_path / "split")
    write_model(network_of_rules("father(X, Y) :- parent(X, Y), male(X)."), tmp_path / "rules")
    flags = ["--sparsity", "0.05", "--bits", "1"]
    arguments = ["train", str(tmp_path / "split"), "-o", str(tmp_path / "model"), *flags]
    assert main([*arguments, "--from", str(tmp_path / "rules")]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "+ mother(X, Y) :- parent(X, Y), female(X).",
        "= father(X, Y) :- parent(X, Y), male(X).",
    ]
    assert "trained from a network with sha256" in said.err
    assert json.loads((tmp_path / "model" / "training.json").read_text())["rules"]["complete"] is True
    (tmp_path / "choices.yaml").write_text("from: rules\n")
    assert main([*arguments, "--config", str(tmp_path / "choices.yaml"), "--json"]) == 0
    rules = json.loads(capsys.readouterr().out)["rules"]
    assert rules["kept"] == ["father(X, Y) :- parent(X, Y), male(X)."]
    assert rules["gained"] == ["mother(X, Y) :- parent(X, Y), female(X)."]
    assert rules["lost"] == rules["undecided"] == [] and rules["complete"]
    assert read_model(tmp_path / "model").provenance.notes


def test_what_a_budget_leaves_open_is_said() -> None:
    before = network_of_rules("father(X, Y) :- parent(X, Y), male(X). mother(X, Y) :- parent(X, Y), female(X).")
    found = rule_diff(before, before, max_rules=1)
    assert not found.complete and len(found.kept) == 1 and not found.undecided
    late = rule_diff(before, before, seconds=0)
    assert not late.complete and not late.lost and not late.gained
