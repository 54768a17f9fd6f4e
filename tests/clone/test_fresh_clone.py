"""The README from the start, as somebody does who has just heard of isolog: a clone, then what it says, in order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.clone
ROOT = Path(__file__).parents[2]


def run(command: list[str] | str, place: Path, environment: dict[str, str], given: str = "") -> tuple[int, str]:
    """The exit code of a command, or of a line for the shell, and all that it says."""
    words = ["bash", "-c", command] if isinstance(command, str) else command
    done = subprocess.run(
        words, cwd=place, env=environment, input=given, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.returncode, done.stdout


def newcomer(clone: Path) -> dict[str, str]:
    """The environment with `.venv/bin` of the clone in PATH, and nothing of the one that the tests run in."""
    own = {"PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME"}
    kept = {name: value for name, value in os.environ.items() if name not in own and not name.startswith("ISOLOG")}
    path = [part for part in os.environ["PATH"].split(os.pathsep) if Path(part) != Path(sys.prefix) / "bin"]
    return {**kept, "PATH": os.pathsep.join([str(clone / ".venv" / "bin"), *path])}


def test_the_readme_works_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "isolog"
    environment = newcomer(clone)
    code, said = run(["git", "clone", "--quiet", str(ROOT), str(clone)], tmp_path, environment)
    assert code == 0, said
    readme = (clone / "README.md").read_text("utf-8")
    lines = [line for block in re.findall(r"^```sh\n(.*?)^```", readme, re.M | re.S) for line in block.splitlines()]
    assert lines[0].startswith("make install") and sum(line.startswith("isolog ") for line in lines) >= 7
    assert "`captures` ends with exit code 3" in readme
    told: dict[str, str] = {}
    for line in lines:
        code, told[line] = run(line, clone, environment)
        assert code == (3 if line.startswith("isolog captures") else 0), f"{line}\n{told[line]}"
    (demo,) = (told[line] for line in lines if line.startswith("make demo"))
    for language in ("prolog", "text"):
        (shown,) = re.findall(rf"^```{language}\n(.*?)^```", readme, re.M | re.S)
        assert all(line.strip() in demo for line in shown.splitlines())
    assert (clone / "mine.html").stat().st_size > 10_000
    (block,) = re.findall(r"^```python\n(.*?)^```", readme, re.M | re.S)
    where = "import isolog, sys\nprint(isolog.__file__, file=sys.stderr)\n"
    code, said = run(["python", "-"], clone, environment, where + block)
    assert code == 0 and said.startswith(str(clone / "src")) and "False [" in said, said
    code, said = run(["git", "status", "--porcelain"], clone, environment)
    assert code == 0 and {line[3:] for line in said.splitlines()} <= {"mine/", "mine.html"}, said
