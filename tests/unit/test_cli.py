"""The command line: what the verbs print, write and return."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import isolog
from isolog.cli.app import VERBS, main
from support.family_network import PROGRAM, family_network
from support.models import write_small_model

DATA = "A(a). B(b). r(a, b). s(b, c).\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model, a program and data, which is the current one."""
    monkeypatch.chdir(tmp_path)
    write_small_model(tmp_path / "model")
    (tmp_path / "facts.dl").write_text(DATA, encoding="utf-8")
    (tmp_path / "rules.dl").write_text("A(Y) :- r(X, Y).\nB(X) :- B(X).\n", encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """The standard output of one command line that ends with the code."""
    assert main(list(arguments)) == code
    return capsys.readouterr().out


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """The one JSON object that the command prints."""
    return json.loads(run(capsys, *arguments, "--json", code=code))


def test_predict_writes_derived_facts_sorted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    derived = isolog.predict(isolog.read_model("model"), isolog.read_facts("facts.dl"))
    lines = run(capsys, "predict", "model", "facts.dl").splitlines()
    assert lines == sorted(f"{fact.arguments[0]}\trdf:type\t{fact.name}" for fact in derived)
    assert lines


def test_predict_and_run_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "run", "rules.dl", "facts.dl")
    assert found == {"derived": 2, "new": 1, "written": 2, "engine": "reference", "facts": ["A(b)", "B(b)"]}
    assert {*run_json(capsys, "predict", "model", "facts.dl"), "engine"} == set(found)


@pytest.mark.parametrize(
    ("flag", "expected"),
    [([], {"A(b)", "B(b)"}), (["--new"], {"A(b)"}), (["--with-input"], {"A(a)", "A(b)", "B(b)", "r(a, b)", "s(b, c)"})],
)
def test_what_is_written(folder: Path, capsys: pytest.CaptureFixture[str], flag: list[str], expected: set[str]) -> None:
    run(capsys, "run", "rules.dl", "facts.dl", "-o", "out.dl", *flag)
    assert set((folder / "out.dl").read_text().replace(".\n", "\n").split("\n")) - {""} == expected


def test_rounds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("reach.dl").write_text("t(X, Y) :- r(X, Y).\nt(X, Z) :- t(X, Y), s(Y, Z).\n")
    assert run_json(capsys, "run", "reach.dl", "facts.dl")["facts"] == ["t(a, b)"]
    assert run_json(capsys, "run", "reach.dl", "facts.dl", "--rounds", "fixpoint")["facts"] == ["t(a, b)", "t(a, c)"]


def test_ignore_unknown_removes_the_terms_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("more.dl").write_text(DATA + "likes(z, a).\n")
    Path("all.dl").write_text("@signature A/1, B/1, r/2, s/2.\nA(X) :- true.\n")
    assert main(["run", "all.dl", "more.dl"]) == 1
    known = run_json(capsys, "run", "all.dl", "more.dl", "--ignore-unknown")
    assert known["facts"] == ["A(a)", "A(b)", "A(c)"]
    ignoring = run_json(capsys, "predict", "model", "more.dl", "--ignore-unknown")
    assert ignoring == run_json(capsys, "predict", "model", "facts.dl")


def test_warnings_are_talk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("fact.dl").write_text("p(a).\nq(X) :- p(X).\n")
    main(["run", "fact.dl", "facts.dl"])
    printed = capsys.readouterr()
    assert printed.err.startswith("warning: E230") and printed.out == "a\trdf:type\tp\n"
    main(["run", "fact.dl", "facts.dl", "--quiet"])
    assert capsys.readouterr().err == ""


def test_standard_input_and_output(
    folder: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\tr\tb\n")))
    assert main(["convert", "-", "-", "--format", ":dl"]) == 0
    assert capsysbinary.readouterr().out == b"r(a, b).\n"


def test_convert_facts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for target in ("out.tsv.gz", "out.nt", "out.csv.xz", "out.ttl", "out.parquet", "out.dl"):
        run(capsys, "convert", "facts.dl", target)
        assert isolog.read_facts(target) == isolog.read_facts("facts.dl")
    assert run_json(capsys, "convert", "facts.dl", "out.tsv") == {"facts": 4, "terms": 3, "output": "out.tsv"}


def test_inspect(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "inspect", "model")
    assert "dimensions 2 - 3 - 2" in text and "monotonic max-sum (Def. 6): yes" in text
    found = run_json(capsys, "inspect", "model")
    assert found["is_monotonic_max_sum"] and not found["is_monotonic_max"]
    assert found["conditions"][-1]["breaches"] == ["layer 2 aggregates by max-3-sum"]


def test_capacity_and_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    isolog.write_model(family_network(), "family")
    found = run_json(capsys, "capacity", "family")
    assert found["capacity"] == 3
    assert [(layer["capacity"], layer["aggregation"]) for layer in found["layers"]] == [(3, "max-3-sum"), (1, "max")]
    assert run_json(capsys, "values", "family", "1", "2") == {"values": ["0", "1", "2", "3"], "finite": True}
    assert run_json(capsys, "values", "family", "1", "2", "--first", "2")["values"] == ["0", "1"]
    assert run(capsys, "values", "family", "1", "2", "--up-to", "5/2").split() == ["0", "1", "2"]
    assert run(capsys, "capacity", "family").splitlines()[-1] == "capacity 3"


def test_captures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    isolog.write_model(family_network(), "family")
    Path("true.dl").write_text(PROGRAM)
    assert all(result["captured"] for result in run_json(capsys, "captures", "family", "true.dl")["results"])
    wrong = run_json(capsys, "captures", "family", "large_family(X) :- parent(X, Y), person(Y).", code=3)
    (result,) = wrong["results"]
    assert not result["captured"] and result["counterexample"] == ["parent(a, b)", "person(b)"]
    assert "only the rule derives large_family(a)" in run(
        capsys, "captures", "family", "large_family(X) :- parent(X, Y), person(Y).", code=3
    )


@pytest.mark.parametrize("construction", ["subformulas", "letter"])
def test_compile(folder: Path, capsys: pytest.CaptureFixture[str], construction: str) -> None:
    Path("tree.dl").write_text("B(X) :- A(X), r(X, Y), B(Y).\n")
    arguments = ["compile", "tree.dl", "-o", "made", "--signature", "facts.dl", "--construction", construction]
    assert run_json(capsys, *arguments)["dimensions"][0] == 2
    by_network, by_program = (
        run_json(capsys, "predict", "made", "facts.dl"),
        run_json(capsys, "run", "tree.dl", "facts.dl"),
    )
    assert {**by_network, "engine": "reference"} == by_program


def test_split(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    isolog.write_facts(isolog.generate_family(150).facts, "family.nt.gz")
    found = run_json(capsys, "split", "family.nt.gz", "-o", "parts", "--seed", "7")
    read = isolog.read_split("parts")
    assert read == isolog.split(isolog.read_facts("family.nt.gz"), seed=7)
    assert found["test"] == {
        "graph": len(read.test.graph), "positives": len(read.test.positives), "negatives": len(read.test.negatives)
    }  # fmt: skip
    kept = sum(len(part.graph) + len(part.positives) for part in read.parts.values())
    assert found["left_out"] == len(isolog.read_facts("family.nt.gz")) - kept


def test_literals_as_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("both.nt").write_text('<u:a> <u:r> "1" .\n<u:a> <u:r> "1"@en .\n')
    assert run_json(capsys, "stats", "both.nt")["terms"] == 3
    assert run_json(capsys, "stats", "both.nt", "--literals", "names")["facts"] == 1
    Path("typed.ttl").write_text('<urn:isolog:a> <urn:isolog:r> "b" . <urn:isolog:b> a <urn:isolog:B> .\n')
    apart, joined = (
        run_json(capsys, "predict", "model", "typed.ttl", "--literals", kind)["facts"] for kind in ("terms", "names")
    )
    assert apart != joined


def test_stats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "stats", "facts.dl")
    assert found["predicates"] == {"A/1": 1, "B/1": 1, "r/2": 1, "s/2": 1}
    assert (found["facts"], found["terms"]) == (4, 3)
    assert found["dataset_sha256"] == isolog.read_facts("facts.dl").sha256
    assert "4 facts, 3 terms, 4 predicates" in run(capsys, "stats", "facts.dl")


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version").strip() == f"isolog {isolog.__version__}"
    for arguments in ([], ["--help"]):
        assert main(arguments) == 0
        assert "predict" in capsys.readouterr().out


def test_each_verb_is_described_in_a_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = run(capsys, "--help")
    assert all(f"\n  {verb}" in text for verb in VERBS)
    assert "..." not in text.partition("Commands:")[2], "a command begins with one short sentence, without `Def.`"


@pytest.mark.parametrize(
    ("line", "expected"), [("isolog cap", "capacity captures"), ("isolog predict --wi", "--with-input")]
)
def test_completion(line: str, expected: str) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_ISOLOG_COMPLETE": "complete_bash"}
    program = [sys.executable, "-c", "import sys; sys.argv[0] = 'isolog'; from isolog.cli import main; main()"]
    result = subprocess.run(program, env={**os.environ, **words}, capture_output=True, text=True, check=True)
    assert result.stdout.split() == expected.split()


def test_a_long_read_shows_progress_on_a_terminal_only(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isolog.cli.data._WORTH_WATCHING", 1)
    monkeypatch.setenv("TERM", "xterm")
    run(capsys, "convert", "facts.dl", "big.tsv")
    main(["stats", "big.tsv"])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    main(["stats", "big.tsv"])
    assert "reading big.tsv" in capsys.readouterr().err
    main(["stats", "big.tsv", "--quiet"])
    assert capsys.readouterr().err == ""


def test_a_bug_is_exit_code_70(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("isolog.correspondence.capacity.capacity", broken)
    assert main(["capacity", "model"]) == 70
    assert "E700 this is a bug" in capsys.readouterr().err
