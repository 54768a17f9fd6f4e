"""The report: what is in the file, where it comes from, and how large it gets."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import isolog
from isolog.cli.app import main
from isolog.correspondence.compile_encoded import compile_encoded
from isolog.datalog.parser import parse
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from isolog.networks.network import SUM, Layer, Network
from isolog.report.build import MOST_BYTES, Contents, FactRow, build
from isolog.report.gather import Judged, Limits, gather, read_record
from support.demo import Demo

FATHER = parse("@signature parent/2, male/1, father/2. father(X, Y) :- parent(X, Y), male(X).")
NETWORK = compile_encoded(FATHER, "pairs").network
NOTHING = Dataset.empty()
FAMILY = Dataset.from_facts(
    [
        *(Atom("parent", pair) for pair in (("bob", "ann"), ("ian", "zoe"), ("eve", "ann"))),
        *(Atom("male", (name,)) for name in ("bob", "ian")),
    ]
)


def found_in(page: str) -> dict[str, list[dict[str, object]]]:
    """The data that the page carries."""
    match = re.search(r'<script type="application/json" id="found">(.*?)</script>', page, re.S)
    assert match is not None
    return json.loads(match[1])


def test_a_report_says_what_the_model_is_and_does() -> None:
    true = Dataset.from_facts([Atom("father", ("bob", "ann")), Atom("father", ("eve", "ann"))])
    false = Dataset.from_facts([Atom("father", ("ian", "zoe")), Atom("father", ("ann", "eve"))])
    found = gather(NETWORK, Judged(FAMILY, true, false), "a title")
    assert found.notes[0] == "Exactly equal: this rule derives what the network derives, on every dataset."
    (rule,) = found.rules
    assert parse(rule.text).rules[0].head.name == "father" and (rule.atoms, rule.support) == (2, 2)
    assert rule.precision == 0.5
    assert found.numbers["precision"] == found.numbers["recall"] == "0.5000"
    assert len(found.precision_recall) >= 2 and found.derived == 2
    rows = {row.fact: row for row in found.facts}
    assert {fact: row.known for fact, row in rows.items()} == {"father(bob, ann)": "true", "father(ian, zoe)": "false"}
    bob = rows["father(bob, ann)"]
    assert set(bob.facts) == {"parent(bob, ann)", "male(bob)"} and bob.minimal
    assert len({row.rule for row in found.facts}) == 1
    page = build(found)
    assert found_in(page)["rules"][0]["support"] == 2 and "<title>a title</title>" in page


def test_what_is_true_is_not_guessed() -> None:
    found = gather(NETWORK, Judged(FAMILY, NOTHING, NOTHING), "t")
    assert found.rules[0].precision is None and found.precision_recall == ()
    assert {row.known for row in found.facts} == {"new"}


def test_a_program_that_is_cut_short_says_so() -> None:
    program = parse("@signature p/1, q/1, r/1. p(X) :- q(X). p(X) :- r(X). q(X) :- r(X).")
    network = isolog.compile_program(program)
    found = gather(network, Judged(FAMILY, NOTHING, NOTHING), "t", limits=Limits(rules=1), ignore_unknown=True)
    assert len(found.rules) == 1 and found.notes[0].startswith("Sound: ")


def test_a_network_that_is_no_program_is_described_all_the_same() -> None:
    layer = Layer.from_fractions([[-1, 1], [0, 0]], [], [0, 0], SUM)
    network = Network.canonical(isolog.Signature.of(["A", "B"]), [layer])
    data = Dataset.from_facts([Atom("B", ("a",)), Atom("A", ("b",)), Atom("B", ("b",))])
    found = gather(network, Judged(data, NOTHING, NOTHING), "t")
    assert found.rules == [] and found.notes[0].startswith("No program is shown: ")
    assert found.remarks[0].startswith("There are no proofs: ") and [row.fact for row in found.facts] == ["A(a)"]
    assert "not monotonic max-sum" in found.about[0] and "There are no proofs" in build(found)


def test_of_many_facts_some_are_explained() -> None:
    names = [f"n{number}" for number in range(50)]
    data = Dataset.from_facts([Atom("parent", (n, "x")) for n in names] + [Atom("male", (n,)) for n in names])
    found = gather(NETWORK, Judged(data, NOTHING, NOTHING), "t", limits=Limits(facts=20))
    assert found.derived == 50 and len(found.facts) == 17
    assert "50 facts are derived; 17 of them are shown" in build(found)


def test_without_time_rules_are_less_general_but_true() -> None:
    program = parse("@signature r/2, s/2. s(X, Y) :- r(X, Z), r(Z, Y).")
    network = compile_encoded(program, "paths").network
    data = Dataset.from_facts([Atom("r", ("a", "b")), Atom("r", ("b", "c"))])
    ((quick,), (slow,)) = (
        gather(network, Judged(data, NOTHING, NOTHING), "t", limits=Limits(seconds=seconds)).facts
        for seconds in (-1.0, 20.0)
    )
    assert quick.facts == slow.facts and "!=" in quick.rule and "!=" not in slow.rule
    assert slow.general and not quick.general
    told = "With 1 of them stands a rule with conditions that it may not need"
    for row, is_told in ((quick, True), (slow, False)):
        page = build(Contents("t", [], {}, [], [], [row], 1))
        assert (told in page) is is_told and found_in(page)["facts"][0]["general"] is not is_told
    assert all(isolog.captures(network, row.rule).captured for row in (quick, slow))


def test_facts_that_are_explained_together_have_time_each() -> None:
    program = parse("@signature r/2, s/2. s(X, Y) :- r(X, Z), r(Z, Y).")
    network = compile_encoded(program, "paths").network
    data = Dataset.from_facts(Atom("r", (f"n{number}", f"n{number + 1}")) for number in range(300))
    found = gather(network, Judged(data, NOTHING, NOTHING), "t", limits=Limits(per_fact=0.1))
    assert len(found.facts) == 299 and all(row.minimal and len(row.facts) == 2 for row in found.facts)


def test_a_file_stays_small() -> None:
    rows = [
        FactRow(f"f{number}(" + "a" * 1000 + ")", "r" * 1000, ("x" * 1000,) * 3, True, "new") for number in range(3000)
    ]
    page = build(Contents("t", [], {}, [], [], rows, 3000))
    assert MOST_BYTES * 0.9 < len(page.encode()) < 5_000_000
    kept = [int(str(fact["fact"])[1:].partition("(")[0]) for fact in found_in(page)["facts"]]
    assert 0 < len(kept) < 3000 and max(b - a for a, b in pairwise([0, *kept, 3000])) < 10
    assert f"3,000 facts are derived; {len(kept):,} of them are shown" in page


def test_ten_thousand_facts_are_all_shown() -> None:
    rule = "derivationally_related_form(X, Y) :- derivationally_related_form(Y, X)."
    rows = [
        FactRow(f"related({n}, {n + 1})", rule, (f"related({n + 1}, {n})", f"r({n})"), True, "new")
        for n in range(10_000)
    ]
    page = build(Contents("t", [], {}, [], [], rows, 10_000))
    assert len(page.encode()) < 5_000_000 and len(found_in(page)["facts"]) == 10_000
    assert "10,000 facts are derived.<" in page


def test_rules_that_came_and_went_are_listed(tmp_path: Path) -> None:
    isolog.write_model(NETWORK, tmp_path)
    rules = {"gained": ["p(X) :- q(X), X != <b>."], "lost": [], "kept": ["p(X) :- r(X)."], "complete": False}
    (tmp_path / "training.json").write_text(json.dumps({"curve": [], "front": [], "rules": rules}))
    told = read_record(tmp_path)
    page = build(gather(NETWORK, Judged(FAMILY, NOTHING, NOTHING), "t", record=told))
    assert "<details open><summary>1 gained</summary>" in page and "X != &lt;b&gt;." in page
    assert "<summary>1 kept</summary>" in page and " lost</summary>" not in page
    assert "there may be more of them" in page
    assert "trained from" not in build(gather(NETWORK, Judged(FAMILY, NOTHING, NOTHING), "t"))


def test_text_cannot_leave_its_place() -> None:
    bad = "<!--<script></script><script>alert(1)</script>"
    page = build(Contents(bad, [bad], {bad: bad}, [], [bad], [FactRow(bad, bad, (bad,), True, bad)], 1, remarks=[bad]))
    assert page.count("<script") == 2 and found_in(page)["facts"][0]["fact"] == bad


def test_the_page_asks_nothing_of_elsewhere(demo: Demo) -> None:
    page = demo.report.read_text("utf-8")
    assert not re.search(r"""(src|href)=["'](?!#)|@import|url\(|fetch\(|XMLHttp""", page)


def test_a_trained_model_has_its_curve_and_its_front(
    demo: Demo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(demo.place)
    output = str(tmp_path / "r.html")
    assert main(["report", "isolog-demo/model", "isolog-demo/split", "-o", output, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rules"] == 4 and told["derived"] == told["explained"] == len(
        found_in(Path(output).read_text())["facts"]
    )
    page = Path(output).read_text("utf-8")
    for name in ("precision over recall", "held-out score while learning", "accuracy against program size"):
        assert f'aria-label="{name}"' in page
    assert main(["report", "isolog-demo/model", "isolog-demo/family.tsv", "-o", output]) == 0
    assert 'aria-label="precision over recall"' not in Path(output).read_text("utf-8")
    assert "4 rules" in capsys.readouterr().err


def test_mistakes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    isolog.write_model(NETWORK, tmp_path / "m")
    isolog.write_facts(FAMILY, str(tmp_path / "f.tsv"))
    ask = ["report", str(tmp_path / "m"), str(tmp_path / "f.tsv"), "-o", str(tmp_path / "r.html")]
    assert main([*ask, "--part", "best"]) == 2
    assert "the parts are train, valid, test" in capsys.readouterr().err
    (tmp_path / "m" / "training.json").write_text('{"curve": 3}')
    assert main(ask) == 1 and not (tmp_path / "r.html").exists()
    assert "E670" in capsys.readouterr().err
