"""Every engine derives from each case of the corpus what the case says.

A case is a folder with `program.dl`, `input.dl` or `input.tsv`, and what is expected, named after the options:
`expected.dl` of one round, `expected.fixpoint.dl`, `expected.ignore-unknown.dl`. With the suffix `.errors` the file
lists the codes that are raised instead.
"""

from pathlib import Path

import pytest

from isolog.cli.app import main
from isolog.datalog.parser import read_program
from isolog.engines.duckdb import DuckDB
from isolog.engines.engine import Engine, Options
from isolog.engines.reference import Reference
from isolog.errors import IsologError
from isolog.facts.files import read_facts

CORPUS = Path(__file__).parents[1] / "corpus" / "datalog"
ENGINES: tuple[Engine, ...] = (Reference(), DuckDB())
OPTIONS = {
    "expected": Options(),
    "expected.fixpoint": Options(rounds="fixpoint"),
    "expected.ignore-unknown": Options(ignore_unknown=True),
}
FLAGS = {
    "expected": [],
    "expected.fixpoint": ["--rounds", "fixpoint"],
    "expected.ignore-unknown": ["--ignore-unknown"],
}
EXPECTATIONS = sorted(CORPUS.glob("*/expected.*"))


def case_name(expected: Path) -> str:
    """The case and the options."""
    return f"{expected.parent.name}-{expected.name}"


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("expected", EXPECTATIONS, ids=case_name)
def test_case(expected: Path, engine: Engine) -> None:
    program = read_program(expected.with_name("program.dl"))
    (data,) = expected.parent.glob("input.*")
    dataset = read_facts(data)
    options = OPTIONS[expected.stem]
    if expected.suffix == ".dl":
        assert set(engine.run(program, dataset, options)) == set(read_facts(expected))
        return
    with pytest.raises(IsologError) as raised:
        engine.run(program, dataset, options)
    assert sorted(finding.code for finding in raised.value.findings) == expected.read_text(encoding="utf-8").split()


@pytest.mark.parametrize("expected", EXPECTATIONS, ids=case_name)
def test_case_through_the_command_line(expected: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data,) = expected.parent.glob("input.*")
    output = tmp_path / "derived.dl"
    arguments = [str(expected.with_name("program.dl")), str(data), "-o", str(output), "--quiet", *FLAGS[expected.stem]]
    code = main(["run", *arguments])
    if expected.suffix == ".dl":
        assert code == 0
        assert set(read_facts(output)) == set(read_facts(expected))
        return
    codes = expected.read_text(encoding="utf-8").split()
    assert code == (4 if codes == ["E401"] else 1)
    talk = capsys.readouterr().err
    assert not output.exists() and all(code in talk for code in codes)


def test_every_case_is_complete() -> None:
    for case in CORPUS.iterdir():
        stems = sorted({path.stem.split(".")[0] for path in case.iterdir()})
        assert stems == ["expected", "input", "program"], case.name
