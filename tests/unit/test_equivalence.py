"""`equivalent` on hand-made pairs: every kind of rule, signatures that differ, budgets, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from isolog import equivalent, parse
from isolog.cli.app import main
from isolog.correspondence.equivalence import Equivalence
from isolog.correspondence.sides import sides
from isolog.datalog.syntax import Program
from isolog.errors import UnsupportedError
from isolog.facts.signature import Signature
from isolog.facts.text import print_atom
from isolog.networks.model_folder import write_model
from isolog.networks.network import SUM, EncodingName, Layer, Network
from support.comparing import check_witness

UNARY = Signature.of(["U"], ["r"])


def network(*layers: Layer, signature: Signature = UNARY) -> Network:
    """A network with threshold 1."""
    return Network.canonical(signature, layers)


COPY = Layer.from_fractions([[1]], [[[0]]], [0])
SOME = Layer.from_fractions([[0]], [[[1]]], [0])
TWO = Layer.from_fractions([[0]], [[[1]]], [-1], SUM)
ALWAYS = Layer.from_fractions([[0]], [[[0]]], [1])


def shown(result: Equivalence) -> tuple[bool | None, list[str], str | None]:
    """The parts of a result as text."""
    return result.equivalent, sorted(map(print_atom, result.witness or ())), result.derived_by


@pytest.mark.parametrize(
    ("one", "other", "witness", "derived_by"),
    [
        ("U(X) :- r(X, Y), U(Y).", "U(X) :- r(X, Y).", ["r(a, b)"], "B"),
        ("U(X) :- r(X, Y), r(X, Z), U(Y), Y != Z.", "U(X) :- r(X, Y), U(Y).", ["U(b)", "r(a, b)"], "B"),
        ("U(X) :- #count{Y : r(X, Y)} >= 3.", "U(X) :- #count{Y : r(X, Y)} >= 2.", ["r(a, b)", "r(a, c)"], "B"),
        ("U(X) :- r(X, X).", "U(X) :- r(X, Y).", ["r(a, b)"], "B"),
        ("U(X) :- r(X, Y), r(Y, X).", "U(X) :- r(X, Y), r(Y, X), X != Y.", ["r(a, a)"], "A"),
        ("p(X, Y) :- r(Y, X).", "p(X, Y) :- r(X, Y).", ["r(b, a)"], "A"),
        ("p(X) :- q(X).", "p(X) :- q(X), X != c.", ["q(c)"], "A"),
        ("p(X) :- t(X, Y, Z).", "p(X) :- t(X, Y, Y).", ["t(a, b, c)"], "A"),
        ("p(X) :- true.", "p(X) :- p(X).", ["other(a)"], "A"),
        ("p(X) :- q(X).", "@signature p/1. p(X) :- p(X).", ["q(a)"], "A"),
        ("go :- q(X).", "go :- q(X), q(Y), X != Y.", ["q(a)"], "A"),
    ],
)
def test_programs_that_differ(one: str, other: str, witness: list[str], derived_by: str) -> None:
    first, second = parse(one), parse(other)
    result = equivalent(first, second)
    assert shown(result) == (False, witness, derived_by)
    check_witness(first, second, result)
    assert equivalent(second, first).equivalent is False


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", ""),
        ("U(X) :- r(X, Y).", "U(A) :- r(A, B), r(A, C)."),
        (
            "U(X) :- r(X, Y), A(Y). U(X) :- r(X, Y), B(Y).",
            "@auxiliary h/1. h(Y) :- A(Y). h(Y) :- B(Y). U(X) :- r(X, Y), h(Y).",
        ),
        # Three of {A or B} are two of A or two of B.
        (
            "@auxiliary h/1. h(X) :- A(X). h(X) :- B(X). U(X) :- #count{Y : r(X, Y), h(Y)} >= 3.",
            "@auxiliary h/1. h(X) :- A(X). h(X) :- B(X). U(X) :- #count{Y : r(X, Y), h(Y)} >= 3."
            "U(X) :- #count{Y : r(X, Y), A(Y)} >= 2, #count{Z : r(X, Z), B(Z)} >= 2, #count{W : r(X, W), h(W)} >= 3.",
        ),
        ("p(X, Z) :- r(X, Y), r(Y, Z).", "p(X, Z) :- r(X, Y), r(Y, Z). p(X, X) :- r(X, X)."),
        ("p(X) :- r(X, X). p(X) :- r(X, Y), r(Y, X), X != Y.", "p(X) :- r(X, Y), r(Y, X)."),
        ("p(X) :- q(X), X != c. p(c) :- q(c).", "p(X) :- q(X)."),
        ("p(a) :- q(X).", "p(a) :- q(Y), q(X)."),
        ("p(X) :- true.", "p(Z) :- X != Y. p(Z) :- true."),
    ],
)
def test_programs_that_are_equal(one: str, other: str) -> None:
    assert equivalent(parse(one), parse(other)) == equivalent(parse(other), parse(one)) == Equivalence(True)


@pytest.mark.parametrize(
    ("layers", "program", "result"),
    [
        ((SOME,), "U(X) :- r(X, Y), U(Y).", (True, [], None)),
        ((TWO,), "U(X) :- #count{Y : r(X, Y), U(Y)} >= 2.", (True, [], None)),
        ((TWO, COPY), "U(X) :- r(X, Y), r(X, Z), U(Y), U(Z).", (False, ["U(b)", "r(a, b)"], "B")),
        ((ALWAYS,), "U(X) :- true.", (True, [], None)),
        ((ALWAYS,), "U(X) :- U(X).", (False, ["r(b, a)"], "A")),
        # Not tree-like: on a loop the rule fires without an edge between different terms.
        ((SOME,), "U(X) :- r(X, Y), U(Y). U(X) :- r(X, X), U(X).", (True, [], None)),
        ((SOME,), "U(X) :- r(X, X).", (False, ["U(b)", "r(a, b)"], "A")),
        ((SOME,), "U(X) :- r(X, X), U(X).", (False, ["U(b)", "r(a, b)"], "A")),
        # Facts of two terms do not count where a network is asked.
        ((SOME,), "U(X) :- r(X, Y), U(Y). r(X, Y) :- r(Y, X).", (True, [], None)),
    ],
)
def test_networks_and_programs(
    layers: tuple[Layer, ...], program: str, result: tuple[bool, list[str], str | None]
) -> None:
    found = equivalent(network(*layers), parse(program))
    assert shown(found) == result
    if not found.equivalent:
        check_witness(network(*layers), parse(program), found)


def test_without_colours_every_term_has_a_label() -> None:
    signature = Signature.of(["A", "B"], [])
    either = network(Layer.from_fractions([[1, 1], [0, 0]], [], [0, 0]), signature=signature)
    every = network(Layer.from_fractions([[0, 0], [0, 0]], [], [1, 0]), signature=signature)
    assert equivalent(either, every).equivalent
    assert equivalent(every, parse("A(X) :- true.")).equivalent


def test_predicates_that_one_side_does_not_know() -> None:
    wide = Signature.of(["U"], ["r", "s"])
    unused = network(Layer.from_fractions([[0]], [[[1]], [[0]]], [0]), signature=wide)
    used = network(Layer.from_fractions([[0]], [[[1]], [[1]]], [0]), signature=wide)
    assert equivalent(network(SOME), unused).equivalent
    assert shown(equivalent(network(SOME), used)) == (False, ["U(b)", "s(a, b)"], "B")
    # The term `a` occurs only in facts that the narrow network does not know.
    always = network(Layer.from_fractions([[0]], [[[0]], [[0]]], [1]), signature=wide)
    assert shown(equivalent(network(ALWAYS), always))[2] == "B"


def test_the_members_of_a_group_may_serve_each_other() -> None:
    """Two distinct neighbours with A and B say less than one of A, one of B and two of either."""
    group = "U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), Y != Z."
    hall = (
        "@auxiliary h/1. h(X) :- A(X). h(X) :- B(X)."
        "U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), #count{W : r(X, W), h(W)} >= 2."
    )
    assert equivalent(parse(group), parse(hall)).equivalent


def hard(holes: int) -> tuple[Program, Program]:
    """The pigeonhole principle: every one of `holes + 1` pigeons in a hole, so two of them share one."""
    every = ", ".join(f"in_some{p}(X)" for p in range(holes + 1))
    auxiliary = "".join(f"@auxiliary in_some{p}/1.\n" for p in range(holes + 1))
    choices = "".join(f"in_some{p}(X) :- at{p}_{h}(X).\n" for p in range(holes + 1) for h in range(holes))
    shared = "".join(
        f"U(X) :- at{p}_{h}(X), at{q}_{h}(X).\n" for h in range(holes) for p, q in combinations(range(holes + 1), 2)
    )
    all_in = f"{auxiliary}{choices}U(X) :- {every}.\n"
    return parse(shared), parse(all_in + shared)


def test_what_takes_exponential_time_is_undecided() -> None:
    assert equivalent(*hard(3)).equivalent
    result = equivalent(*hard(12), seconds=0.5)
    assert result == Equivalence(None, reason="undecided within 0.5 seconds")


def test_what_is_not_compared_is_named() -> None:
    plain = parse("p(X) :- q(X).")
    for text, code in [
        ("p(X) :- q(X), not s(X).", r"E464 `p\(X\) :- q\(X\), not s\(X\).` has a negation"),
        ("p(f(X)) :- q(X).", r"E465 `p\(f\(X\)\) :- q\(X\).` has the function term `f\(X\)`"),
        ("@auxiliary h/2. h(X, Y) :- r(X, Y). p(X) :- h(X, X). p(X) :- q(X).", "E463"),
    ]:
        with pytest.raises(UnsupportedError, match=code):
            equivalent(plain, parse(text))
    encoded = Network(UNARY, ("U",), ("r",), (SOME,), (Fraction(1),), EncodingName("pairs"))
    with pytest.raises(UnsupportedError, match="E461"):
        sides(encoded, plain)


def test_a_difference_may_be_too_large_to_be_shown() -> None:
    many, more = (f"U(X) :- #count{{Y : r(X, Y)}} >= {number}." for number in (30_000, 30_001))
    result = equivalent(parse(many), parse(more))
    assert result.equivalent is None and result.reason is not None and "too large to be shown" in result.reason


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_model(network(SOME), tmp_path / "model")
    (tmp_path / "same.dl").write_text("U(X) :- r(X, Y), U(Y).")
    (tmp_path / "other.dl").write_text("U(X) :- r(X, Y).")
    model, same, other = (str(tmp_path / name) for name in ("model", "same.dl", "other.dl"))
    assert main(["equivalent", model, same]) == 0
    assert capsys.readouterr().out == "equivalent\n"
    assert main(["equivalent", model, other]) == 3
    assert capsys.readouterr().out == "different\n  on {r(a, b)} only B derives U(a)\n"
    assert main(["equivalent", other, model, "--json"]) == 3
    assert '"derived_by": "A"' in capsys.readouterr().out
    assert main(["equivalent", other, model, "--seconds", "0"]) == 4
    assert capsys.readouterr().out == "undecided within 0 seconds\n"
