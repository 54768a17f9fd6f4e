"""Tokens: what they are, and where they stand."""

import pytest

from isolog.facts.scan import Line, lines_of, scan


def kinds(text: str) -> list[str]:
    """The kinds of the tokens of one line."""
    return [token.kind for token in scan(Line(1, text))]


def texts(text: str) -> list[str]:
    """The texts of the tokens of one line."""
    return [token.text for token in scan(Line(1, text))]


def test_every_kind_of_token() -> None:
    line = 'p X _y <a> <\\u0041> ex:p :p ex:a-b _:b1 "a\\"b" @en-GB #count'
    assert (
        kinds(line)
        == ["name", *["variable"] * 2, *["bracketed"] * 2, *["prefixed"] * 3, "blank", "string"] + ["word"] * 2
    )
    assert texts(line) == line.split()


def test_a_mark_is_its_own_kind() -> None:
    marks = [":-", "!=", ">=", "^^", "(", ")", ",", "{", "}", ".", "/", ":"]
    assert kinds(" ".join(marks)) == marks
    assert kinds("a:-b") == ["name", ":-", "name"]
    assert kinds("a.b,c") == ["name", ".", "name", ",", "name"]


def test_columns_count_from_one_and_characters_count_once() -> None:
    assert [(token.text, token.column, token.end) for token in scan(Line(3, '\t"é" q'))] == [('"é"', 2, 5), ("q", 6, 7)]


@pytest.mark.parametrize("line", ["", "  \t", "% p(X).", "  %", '% "'])
def test_spaces_and_comments_are_no_tokens(line: str) -> None:
    assert kinds(line) == []


def test_a_percent_sign_within_a_string_or_brackets_is_no_comment() -> None:
    assert texts('"50%" <a%20b> p%q') == ['"50%"', "<a%20b>", "p"]


def test_a_lone_carriage_return_ends_a_comment_and_no_string_contains_one() -> None:
    assert texts("p. % one\rq.") == ["p", ".", "q", "."]
    assert "string" not in kinds('"a\rb"')


def test_the_colon_of_a_count_is_no_prefix() -> None:
    assert texts("#count{Y:p(Y)}")[1:6] == ["{", "Y", ":", "p", "("]
    assert texts("#count{ y:ex:p(Y)}")[1:6] == ["{", "y", ":", "ex:p", "("]
    assert [token.text for token in scan(Line(2, "Y:p"), before="{")] == ["Y", ":", "p"]
    assert [token.kind for token in scan(Line(2, ":p"), before="{")] == ["prefixed"]
    assert [token.kind for token in scan(Line(2, "_y:p"), before="{")] == ["variable", ":", "name"]
    assert kinds("Y:p") == kinds("_y:p") == ["prefixed"]


@pytest.mark.parametrize("text", ['"abc', "<abc", "<a b>", "<a{b}>"])
def test_unclosed(text: str) -> None:
    assert kinds(f"p {text}") == ["name", "unclosed"]


@pytest.mark.parametrize("text", ["<-", "<=", ":=", "=>", "\\=", "!==", "=", "&", ";", "//", "?x", "été", "'a b'", "$"])
def test_foreign(text: str) -> None:
    assert [(token.kind, token.text) for token in scan(Line(1, text))] == [("foreign", text)]


def test_lines_have_no_breaks_and_the_first_no_byte_order_mark() -> None:
    assert list(lines_of("\ufeffa\r\n\ufeffb\n")) == [Line(1, "a"), Line(2, "\ufeffb"), Line(3, "")]
