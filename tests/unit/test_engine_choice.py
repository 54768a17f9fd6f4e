"""`run` in Python: a program, its text or its file, on the engine that is named or that suits it."""

from pathlib import Path

import pytest

import isolog
from isolog.datalog.parser import parse
from isolog.errors import InputError

TEXT = "two(X, Z) :- r(X, Y), r(Y, Z)."
FACTS = isolog.Dataset.from_facts([isolog.Atom("r", ("a", "b")), isolog.Atom("r", ("b", "c"))])
EXPECTED = isolog.Dataset.from_facts([isolog.Atom("two", ("a", "c"))])


def test_a_program_its_text_and_its_file_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "rules (1).dl"
    file.write_text(TEXT, encoding="utf-8")
    for given in (parse(TEXT), TEXT, file, str(file)):
        assert isolog.run(given, FACTS) == EXPECTED


@pytest.mark.parametrize(("given", "code"), [("no rule", "E110"), ("two(X :- r(X, Y).", "E200"), ("a(X) :- b(X", "E2")])
def test_what_is_neither_is_an_input_error(given: str, code: str) -> None:
    with pytest.raises(InputError, match=code):
        isolog.run(given, FACTS)


def test_an_engine_that_there_is_not() -> None:
    with pytest.raises(InputError, match=r"E501(.|\n)*the engines are `auto`"):
        isolog.run(TEXT, FACTS, engine="prolog")
