"""The corpus through the command line; the contract of engines runs it on every engine."""

from pathlib import Path

import pytest

from isolog.cli.app import main
from isolog.facts.files import read_facts
from support.corpus import CASES, CORPUS, Case

FLAGS = {
    "expected": [],
    "expected.fixpoint": ["--rounds", "fixpoint"],
    "expected.ignore-unknown": ["--ignore-unknown"],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_through_the_command_line(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "derived.dl"
    arguments = [str(case.program_file), str(case.data_file), "-o", str(output), "--quiet", *FLAGS[case.expected.stem]]
    code = main(["run", *arguments])
    if case.facts is not None:
        assert code == 0
        assert set(read_facts(output)) == set(case.facts)
        return
    assert code == (4 if case.codes == ["E401"] else 1)
    talk = capsys.readouterr().err
    assert not output.exists() and all(code in talk for code in case.codes)


def test_every_case_is_complete() -> None:
    for case in CORPUS.iterdir():
        stems = sorted({path.stem.split(".")[0] for path in case.iterdir()})
        assert stems == ["expected", "input", "program"], case.name


def test_there_are_many_cases() -> None:
    assert len([*CORPUS.iterdir()]) >= 120
