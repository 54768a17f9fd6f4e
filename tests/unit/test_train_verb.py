"""`train` and `evaluate` as functions and as verbs, and without torch."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import isolog
from isolog.cli.app import main
from isolog.errors import MissingExtraError, UnsupportedError
from isolog.facts.family import generate_family
from isolog.facts.files import write_facts
from isolog.facts.split_files import write_split
from isolog.facts.terms import Predicate
from isolog.learning import verbs
from support.learning import family_split

SMALL = ["--hidden", "4", "--epochs", "20", "--sparsity", "0.05", "--bits", "1", "--seed", "2"]


Capture = pytest.CaptureFixture[str]


def told(capsys: Capture, *arguments: str) -> dict[str, Any]:
    """The JSON object that a command line prints."""
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def trained(capsys: Capture, data: Path, output: Path, *more: str) -> dict[str, Any]:
    """The record of a short training."""
    return told(capsys, "train", str(data), "-o", str(output), *SMALL, *more)


def test_a_folder_is_trained_on_and_judged(tmp_path: Path, capsys: Capture) -> None:
    write_split(family_split(Predicate("father", 2)), tmp_path / "split")
    record = trained(capsys, tmp_path / "split", tmp_path / "model")
    assert [point["chosen"] for point in record["front"]] == [True]
    kept = json.loads((tmp_path / "model" / "training.json").read_text())
    assert kept["curve"] == record["curve"] and kept["accuracy"] == record["accuracy"]
    judged = told(capsys, "evaluate", str(tmp_path / "model"), str(tmp_path / "split"), "--ranking")
    assert judged["positives"] > 0 and 0 <= judged["mrr"] <= 1 and "class_accuracy" not in judged
    assert not (tmp_path / "model.checkpoint").exists()


def test_a_folder_with_a_description_and_a_configuration(tmp_path: Path, capsys: Capture) -> None:
    split = family_split(Predicate("father", 2))
    write_facts(split.train.graph, tmp_path / "all.tsv")
    write_facts(split.train.positives, tmp_path / "wanted.tsv")
    (tmp_path / "split.yaml").write_text("graph: all.tsv\ntargets: wanted.tsv\ntest: wanted.tsv\n")
    (tmp_path / "choices.yaml").write_text("encoding: pairs\n")
    record = trained(capsys, tmp_path, tmp_path / "model", "--config", str(tmp_path / "choices.yaml"))
    assert record["reachable_targets"] == len(split.train.positives)


def test_a_plain_file_of_facts_is_enough(tmp_path: Path, capsys: Capture) -> None:
    write_facts(generate_family(persons=40, seed=1).facts, tmp_path / "family.tsv")
    record = trained(capsys, tmp_path / "family.tsv", tmp_path / "model")
    assert record["reachable_targets"] > 0
    assert isolog.read_model(tmp_path / "model").encoding.name == "pairs"


def test_the_function_does_the_same_as_the_verb(tmp_path: Path, capsys: Capture) -> None:
    split = family_split(Predicate("father", 2))
    write_split(split, tmp_path / "split")
    record = trained(capsys, tmp_path / "split", tmp_path / "model")
    training = isolog.train(isolog.read_split(tmp_path / "split"), hidden=4, epochs=20, sparsity=0.05, bits=1, seed=2)
    assert training.accuracy == record["accuracy"]
    found = isolog.evaluate(training.network, split.test.graph, split.test.positives, split.test.negatives)
    assert found.positives == len(split.test.positives)


def test_without_torch_the_line_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(verbs, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"E645(.|\n)*pip install 'isolog\[train\]'"):
        isolog.train(generate_family(persons=10).facts)
    assert main(["train", "x", "-o", "y"]) == 1
    assert "E645" in capsys.readouterr().err


def test_everything_but_training_goes_without_torch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "import isolog, isolog.learning.evaluation, isolog.learning.ranking, isolog.learning.verbs\n"
        "import isolog.cli.app, isolog.learning.metrics, isolog.learning.examples\n"
        "[getattr(isolog, name) for name in dir(isolog)]"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.skipif("__import__('torch').cuda.is_available()", reason="there is a device")
def test_without_a_device_cuda_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="E646"):
        isolog.train(family_split(Predicate("father", 2)), device="cuda", epochs=1)
