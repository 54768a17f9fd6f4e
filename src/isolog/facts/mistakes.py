"""What a token that does not fit was probably meant to be: the sentence and the hint of a syntax finding."""

from __future__ import annotations

import re

from isolog.facts.scan import Token
from isolog.facts.text import numeric_escape

RULE = "a rule is written `head :- body.`, a fact `head.`"
_HINTS = {
    **dict.fromkeys(["<-", ":=", "->", "=>", "<=>", "<--", "←", "→", "⇐", ":"], RULE),
    **dict.fromkeys(["\\=", "\\==", "=\\=", "<>", "!==", "~=", "/=", "≠"], "different terms are written `s != t`"),
    **dict.fromkeys(["=", "=="], "for equal terms use one variable or name in both places"),
    **dict.fromkeys(["<", ">", "<=", ">=", "=<", "≤", "≥"], "terms have no order, only `s != t` can be said"),
    **dict.fromkeys(["&", "&&", "∧"], "the literals of a body are separated by `,`"),
    **dict.fromkeys([";", "|", "||", "∨"], "for a disjunction write several rules with the same head"),
    **dict.fromkeys(["!", "~", "\\+", "¬"], "a negated atom is written `not p(X)`"),
    **dict.fromkeys(["#", "//", "/*"], "a comment starts with `%` and goes to the end of the line"),
    "!=": "an inequality stands between two terms and cannot be negated",
    "(": "parentheses stand after a name only, around its arguments",
}
_SHOWN = 60
_OUTSIDE_NAMES = re.compile(r'[\x00-\x20"{}|^`\\]')


def misread(token: Token, expected: str) -> tuple[str, str, str]:
    """The code, the sentence and the hint for a token that stands where `expected` should.

    >>> from isolog.facts.scan import Line
    >>> misread(Token("foreign", "<-", Line(1, "p(X) <- q(X)."), 6), "`:-` or `.`")
    ('E200', 'expected `:-` or `.`, found `<-`', 'a rule is written `head :- body.`, a fact `head.`')
    """
    text = token.text
    if not text:
        return "E200", f"expected {expected}, but the text ends here", RULE
    if token.kind == "unclosed":
        return _unclosed(text)
    if token.kind == "word" and text[0] == "#":
        return "E207", f"unknown aggregate `{text}`", "the only one is `#count{Y : r(X, Y)} >= 2`"
    shown = text[:_SHOWN] if text[0].isprintable() else f"U+{ord(text[0]):04X}"
    return "E200", f"expected {expected}, found `{shown}`", _hint(token, expected)


def _unclosed(text: str) -> tuple[str, str, str]:
    if text[0] == '"':
        return "E203", "a string without its closing quote", 'a `"` inside a string is written `\\"`'
    strange = _OUTSIDE_NAMES.search(text)
    if text[-1] == ">" and strange is not None:
        return "E204", f"`{strange[0]}` between `<` and `>`", f"inside a name it is written `{numeric_escape(strange)}`"
    return "E203", "a `<` without its `>`", "a name is written `<name>`; terms have no order, only `s != t` can be said"


def _hint(token: Token, expected: str) -> str:
    text = token.text
    if token.kind == "foreign" and ":-" in expected:
        return RULE
    if text in _HINTS:
        return _HINTS[text]
    if text[0] == "?":
        return f"a variable starts with a capital: `{text[1:].capitalize() or 'X'}`"
    if text[0] == "'":
        return "a name is written between `<` and `>`, a string between double quotes"
    if token.kind == "foreign" or (text == "." and token.line.text[token.end - 1 : token.end].isalnum()):
        return "a name with other characters than a-z, A-Z, 0-9 and `_` is written between `<` and `>`"
    return RULE
