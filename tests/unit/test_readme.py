"""The README tells the truth: its Python runs, its commands work, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from isolog.cli.app import VERBS, main
from support.demo import Demo

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = blocks("python")
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out == (
        "False [Atom(name='happy', arguments=('b',)), Atom(name='knows', arguments=('a', 'b'))]\n"
    )


def test_the_commands_work(demo: Demo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(demo.place)
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("isolog ")]
    assert len(commands) >= 4
    for command in commands:
        assert main(shlex.split(command, comments=True)[1:]) == (3 if "captures" in command else 0), command
    assert "only the rule derives grandparent" in capsys.readouterr().out


def test_the_demo_prints_what_is_shown(demo: Demo) -> None:
    (rules,), (proof,) = blocks("prolog"), blocks("text")
    assert all(f"  {rule}\n" in demo.text for rule in rules.splitlines())
    assert proof in demo.text


def test_the_make_commands_exist() -> None:
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.M)
    wanted = re.findall(r"^make (\w+)", "\n".join(blocks("sh")), re.M)
    assert wanted and set(wanted) <= set(targets)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([\w/.-]+)\)", README)
    assert links and all((ROOT / link).is_file() for link in links)


def test_verbs_that_are_mentioned_exist() -> None:
    assert set(re.findall(r"`isolog (\w+)", README)) <= set(VERBS)
