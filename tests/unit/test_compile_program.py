"""Compiling programs: signatures, constructions, and what is refused."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from isolog.correspondence.compile import CONSTRUCTIONS, Construction, compile_program
from isolog.datalog.parser import parse
from isolog.engines.reference import run
from isolog.errors import InputError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate
from support.trees import predicted

TEXT = "happy(X) :- knows(X, Y), rich(Y), happy(Y). calm(X) :- true."


def test_the_signature_is_in_order_of_first_occurrence() -> None:
    signature = compile_program(parse(TEXT)).signature
    assert signature.unary == ("happy", "rich", "calm") and signature.binary == ("knows",)


def test_predicates_inside_counts_belong_to_the_signature() -> None:
    signature = compile_program(parse("U(X) :- #count{Y : r(X, Y), #count{Z : s(Y, Z), A(Z)} >= 1} >= 1.")).signature
    assert signature.unary == ("U", "A") and signature.binary == ("r", "s")


def test_a_declared_signature_comes_first() -> None:
    network = compile_program(parse(f"@signature rich/1, poor/1, happy/1, knows/2, likes/2. {TEXT}"))
    assert network.features == ("rich", "poor", "happy", "calm") and network.colours == ("knows", "likes")


def test_predicates_of_data_are_added() -> None:
    network = compile_program(parse(TEXT), signature=Signature.of(["old", "rich"], ["likes"]))
    assert network.features == ("happy", "rich", "calm", "old") and network.colours == ("knows", "likes")


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_a_body_that_is_true_holds_of_every_term(construction: Construction) -> None:
    program = parse("U(X) :- true.")
    data = Dataset.from_facts([Atom("r", ("a", "b")), Atom("A", ("c",))])
    network = compile_program(program, construction=construction, signature=Signature.from_dataset(data))
    assert predicted(network, data) == run(program, data) == Dataset.from_facts(Atom("U", (n,)) for n in "abc")


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
@pytest.mark.parametrize("text", ["", "@signature U/1, r/2."])
def test_without_rules_nothing_is_derived(text: str, construction: Construction) -> None:
    network = compile_program(parse(text), construction=construction)
    data = Dataset.from_facts([Atom("U", ("a",)), Atom("r", ("a", "b"))]) if text else Dataset.empty()
    assert len(predicted(network, data)) == 0


def refused(text: str, **options: Any) -> list[tuple[str, int]]:
    """The codes, each with the line that it is about."""
    with pytest.raises(UnsupportedError) as caught:
        compile_program(parse(text), **options)
    assert all(finding.hint for finding in caught.value.findings)
    return [(finding.code, finding.span.line if finding.span else 0) for finding in caught.value.findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("U(X) :- A(X).\nU(X) :- r(Y, X).\nU(X) :- t(X, Y, Z).", [("E246", 2), ("E241", 3)]),
        (
            "U(X) :- A(X).\nU(X) :- r(X, Y), r(X, Z), Y != Z.\nU(X) :- #count{Y : r(X, Y)} >= 3.",
            [("E255", 2), ("E255", 3)],
        ),
        ("@auxiliary h/1. h(X) :- A(X).\nU(X) :- h(X).", [("E256", 0)]),
        ("@signature U/1, t/3.\nU(X) :- true.", [("E257", 0)]),
    ],
)
def test_what_cannot_be_compiled_is_named_with_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    assert refused(text) == expected


def test_data_that_the_canonical_encoding_cannot_hold_is_refused() -> None:
    assert refused(TEXT, signature=Signature((Predicate("t", 3), Predicate("go", 0)))) == [("E257", 0), ("E257", 0)]


def test_a_count_of_one_is_no_count() -> None:
    assert compile_program(parse("U(X) :- #count{Y : r(X, Y)} >= 1.")).dimensions == (1, 1, 1, 1)


def test_programs_are_checked_first() -> None:
    with pytest.raises(InputError, match="E223 unknown predicate `parnet/2`"):
        compile_program(parse("@signature U/1, parent/2. U(X) :- parnet(X, Y)."))


def test_an_unknown_construction_is_refused() -> None:
    build = cast(Callable[..., object], compile_program)
    with pytest.raises(InputError, match="E258 unknown construction `leter`"):
        build(parse(TEXT), construction="leter")
