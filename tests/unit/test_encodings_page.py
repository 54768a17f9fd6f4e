"""docs/encodings.md prints the programs that encodings have, and its own example of a user's encoding is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import isolog
from isolog.datalog.printer import print_program
from isolog.encodings.registry import BASES, find_encoding
from isolog.facts.signature import Signature

PAGE = (Path(isolog.__file__).parents[2] / "docs" / "encodings.md").read_text("utf-8")
SIGNATURE = Signature.of(["A"], ["r"])
PRINTED = ["pairs", "pairs-printed", "pairs:2", "paths", "indigo", "all-pairs", "kgnn"]


@pytest.mark.parametrize("name", [*PRINTED, "canonical+inverses+nominals+domains"])
def test_programs_on_the_page_are_those_of_the_encodings(name: str) -> None:
    encoding = find_encoding(name, SIGNATURE, {"nominals": ("b",)} if "nominals" in name else {})
    assert f"```\n{print_program(encoding.encoder)}```" in PAGE


def test_the_decoders_that_are_shown_are_right() -> None:
    for name in ("pairs", "paths", "indigo", "kgnn"):
        assert f"```\n{print_program(find_encoding(name, SIGNATURE).decoder)}```" in PAGE


def test_every_base_has_its_row() -> None:
    assert all(f"| `{base}" in PAGE for base in BASES)


def test_the_example_of_an_own_encoding_works() -> None:
    (sorts,) = re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.S)
    encode = PAGE.split("```yaml")[1].split("```")[2].strip()
    texts = {"encode": encode, "decode": "person(X) :- <person/1>(f(X)).", "sorts": sorts}
    encoding = find_encoding("mine", Signature.of(["person"], ["likes"]), texts)
    assert [sort.name for sort in encoding.sorts] == ["f", "e"]
