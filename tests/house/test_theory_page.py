"""docs/theory.md is in step with the code: every path exists, every file of `correspondence` has its place."""

import re
from pathlib import Path

import isolog

SOURCE = Path(isolog.__file__).parent
ROOT = SOURCE.parents[1]
PAGE = (ROOT / "docs" / "theory.md").read_text("utf-8")
SERVES = re.compile(r"from isolog\.correspondence\.(\w+) import")


def test_every_path_exists() -> None:
    files = re.findall(r"`(\w+/\w+\.py)`", PAGE)
    assert len(files) >= 40
    missing = [file for file in files if not (SOURCE / file).is_file() and not (ROOT / "tests" / file).is_file()]
    assert not missing


def test_every_row_names_a_file_and_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and ".py`" in line]
    assert rows
    for row in rows:
        file, test = re.findall(r"`(\w+/\w+\.py)`", row)
        assert (SOURCE / file).is_file() and (ROOT / "tests" / test).is_file(), row


def test_every_file_of_the_theory_is_listed_or_serves_one_that_is() -> None:
    files = {path.stem: path.read_text("utf-8") for path in (SOURCE / "correspondence").glob("[!_]*.py")}
    reached = {stem for stem in files if f"`correspondence/{stem}.py`" in PAGE}
    while new := {used for stem in reached for used in SERVES.findall(files[stem])} - reached:
        reached |= new
    # `compile` is the entry to the two constructions.
    assert reached >= files.keys() - {"compile"}
