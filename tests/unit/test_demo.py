"""The demo: it trains, extracts, explains, refutes, compares and reports, and what it prints is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import isolog
from isolog.cli.app import main
from isolog.cli.demo import DemoError, _compare
from isolog.facts.operator import agree
from support.demo import Demo


def test_it_finds_the_true_rules(demo: Demo) -> None:
    assert "Exactly equal: these 4 rules derive what the network derives" in demo.text
    assert demo.text.count("\n  yes  ") == 4 and "\n  no   " not in demo.text
    program = isolog.read_program(demo.place / "isolog-demo" / "rules.dl")
    other = isolog.generate_family(150, seed=31)
    wanted = {rule.head.predicate for rule in program}
    assert isolog.run(program, other.facts) == other.derived.only(wanted)


def test_network_and_program_agree_on_one_more_family(demo: Demo) -> None:
    network = isolog.read_model(demo.place / "isolog-demo" / "model")
    program = isolog.read_program(demo.place / "isolog-demo" / "rules.dl")
    family = isolog.generate_family(200, seed=17).facts
    found = agree(lambda facts: isolog.predict(network, facts), lambda facts: isolog.run(program, facts), family)
    assert found.agrees and found.common > 200


def test_the_explained_fact_follows_from_the_facts_shown(demo: Demo) -> None:
    shown = demo.text.partition("Why it derives")[2].splitlines()[2:]
    lines = shown[: shown.index("")]
    program = isolog.parse(lines[1].removeprefix("  by  "))
    facts = isolog.Dataset.from_facts(
        rule.head for rule in isolog.parse(" ".join(f"{line[6:]}." for line in lines[2:4]))
    )
    (fact,) = isolog.run(program, facts)
    assert isolog.parse(f"{lines[0]}.").rules[0].head == fact and len(facts) == 2


def test_the_refuted_rule_is_refuted(demo: Demo) -> None:
    found = re.search(r"not captured  (.*)\n\s+on \{(.*)\} only the rule derives (.*)\n", demo.text)
    assert found is not None
    rule, facts, fact = found.groups()
    shown = isolog.Dataset.from_facts(each.head for each in isolog.parse(facts.replace("), ", "). ") + "."))
    network = isolog.read_model(demo.place / "isolog-demo" / "model")
    (wanted,) = (each.head for each in isolog.parse(fact + "."))
    assert wanted in isolog.run(isolog.parse(rule), shown) and wanted not in isolog.predict(network, shown)


def test_what_it_says_to_go_on_with_works(
    demo: Demo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(demo.place)
    commands = [line for line in demo.text.splitlines() if line.startswith("  isolog ")]
    assert len(commands) == 5
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command
    assert "captured" in capsys.readouterr().out


def test_a_second_demo_takes_the_place_of_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts: list[str] = []
    for _ in range(2):
        assert main(["demo", "--persons", "40", "-o", str(tmp_path / "demo")]) == 0
        texts.append(re.sub(r"It took \d+ s", "", capsys.readouterr().out))
    assert texts[0] == texts[1] and (tmp_path / "demo" / "report.html").is_file()


def test_a_network_that_differs_from_its_program_is_a_bug() -> None:
    network = isolog.compile_program(isolog.parse("happy(X) :- rich(X)."))
    facts = isolog.Dataset.from_facts([isolog.Atom("rich", ("ann",))])
    with pytest.raises(DemoError, match="E701") as raised:
        _compare(network, isolog.parse("happy(X) :- poor(X)."), facts)
    assert raised.value.exit_code == 70


def test_without_torch_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("isolog.learning.verbs.find_spec", lambda name: None)
    assert main(["demo", "-o", str(tmp_path / "demo")]) == 1
    assert "E645" in capsys.readouterr().err
    assert not (tmp_path / "demo").exists()
