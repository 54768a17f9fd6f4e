"""Compiling programs: signatures, constructions, and what is refused."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from isolog.correspondence.compile import CONSTRUCTIONS, Construction, compile_program, compiled
from isolog.datalog.parser import parse
from isolog.engines.reference import run
from isolog.errors import InputError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate
from isolog.networks.classes import class_report
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
        ("@signature U/1, t/3.\nU(X) :- true.", [("E257", 0)]),
    ],
)
def test_what_cannot_be_compiled_is_named_with_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    assert refused(text) == expected


def test_the_letter_counts_nothing() -> None:
    text = "U(X) :- A(X).\nU(X) :- r(X, Y), r(X, Z), Y != Z.\nU(X) :- #count{Y : r(X, Y)} >= 3."
    assert refused(text, construction="letter") == [("E255", 2), ("E255", 3)]
    auxiliary = "@auxiliary h/1. h(X) :- A(X).\nU(X) :- h(X)."
    assert refused(auxiliary, construction="letter") == [("E256", 0)]


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


def test_an_unknown_activation_is_refused() -> None:
    build = cast(Callable[..., object], compile_program)
    with pytest.raises(InputError, match="E258 unknown activation `sigmoid`"):
        build(parse(TEXT), activation="sigmoid")


CHOSEN = [
    ("U(X) :- r(X, Y), A(Y).", "relu", "the program counts nothing"),
    ("U(X) :- r(X, Y), r(X, Z), Y != Z, A(Y).", "relu", "all groups of distinct siblings are chains"),
    ("U(X) :- #count{Y : r(X, Y), A(Y)} >= 3.", "relu", "all groups of distinct siblings are chains"),
    (
        "U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), Y != Z.",
        "clipped",
        "distinct siblings of `U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), Y != Z.` do not imply each other",
    ),
    ("U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), Y != Z. U(X) :- r(X, Y), A(Y).", "relu", "the program counts nothing"),
    ("@auxiliary h/1. h(X) :- A(X). U(X) :- h(X).", "clipped", "auxiliary predicates are disjunctions within rules"),
]


@pytest.mark.parametrize(("text", "activation", "reason"), CHOSEN)
def test_the_choice_of_the_activation_is_explained(text: str, activation: str, reason: str) -> None:
    made = compiled(parse(text))
    assert (made.activation, made.reason) == (activation, reason)
    assert made.network.provenance.notes == (f"compiled from a program, activation {activation}: {reason}",)
    assert class_report(made.network).is_monotonic_max_sum


def test_relu_is_refused_with_two_datasets_that_show_why() -> None:
    text = "U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), Y != Z."
    with pytest.raises(UnsupportedError, match="E480 no network with ReLU is equivalent") as caught:
        compile_program(parse(text), activation="relu")
    hint = caught.value.findings[0].hint
    assert hint is not None
    assert "derives U(a) from {A(b), B(c), r(a, b), r(a, c)} derives it from {A(c), B(c), r(a, b), r(a, c)}" in hint


def test_relu_is_refused_without_datasets_where_none_are_known() -> None:
    """With both rules the program asks for two neighbours that have A and B together, on one of them or on both."""
    text = """
    U(X) :- r(X, Y), A(Y), r(X, Z), B(Z), Y != Z.
    U(X) :- r(X, Y), A(Y), B(Y), r(X, Z), Y != Z.
    """
    with pytest.raises(UnsupportedError, match=r"E481 .* counts distinct siblings"):
        compile_program(parse(text), activation="relu")


def test_what_relu_has_no_place_for_has_one_when_clipped() -> None:
    text = "@auxiliary h/1. h(X) :- A(X). h(X) :- B(X). U(X) :- #count{Y : r(X, Y), h(Y)} >= 2."
    assert refused(text, activation="relu") == [("E256", 0)]
    network = compile_program(parse(text))
    data = Dataset.from_facts([Atom("r", ("a", "b")), Atom("r", ("a", "c")), Atom("A", ("b",)), Atom("B", ("c",))])
    assert predicted(network, data) == run(parse(text), data) == Dataset.from_facts([Atom("U", ("a",))])
