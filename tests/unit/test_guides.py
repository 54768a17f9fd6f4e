"""The tutorial and the guides tell the truth: their blocks run, in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from isolog.encodings.registry import find_encoding
from isolog.facts.signature import Signature

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", ["tutorial.md", "bring-your-own-network.md"])
def test_the_python_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shared: dict[str, object] = {}
    for number, block in enumerate(blocks(page, "python"), 1):
        exec(compile(block, f"{page}, block {number}", "exec"), shared)
    if page == "tutorial.md":
        out = capsys.readouterr().out
        lines = re.findall(r"^```text\n(\+ .*?)^```", (DOCS / page).read_text("utf-8"), re.M | re.S)
        assert len(lines) == 1 and lines[0] in out
        assert re.search(r"^father\(X, Y\) :- .*male\(X\).* \d+ facts$", out, re.M) and "spouse" in out


def test_the_encoding_of_the_guide_is_one() -> None:
    (encode, decode), (sorts,) = (
        blocks("bring-your-own-encoding.md", "prolog"),
        blocks("bring-your-own-encoding.md", "yaml"),
    )
    options = {"encode": encode, "decode": decode, "sorts": sorts}
    encoding = find_encoding("mine", Signature.of(["person"], ["likes"]), options)
    assert [sort.name for sort in encoding.sorts] == ["f", "e"]


@pytest.mark.parametrize("page", ["tutorial.md", "bring-your-own-network.md", "bring-your-own-encoding.md"])
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([\w/.-]+)\)", (DOCS / page).read_text("utf-8"))
    assert all((DOCS / link).is_file() for link in links)
