"""Implication between tree-like rules: homomorphisms where they suffice, sibling merges where they do not."""

import pytest

from isolog.datalog.parser import parse_rule
from isolog.datalog.recognise import recognise
from isolog.datalog.tree_implication import implies_any, maps_into, reduced, sibling_quotients
from isolog.datalog.treelike import TOP, TreeFormula, TreeRule


def body(text: str) -> TreeFormula:
    return recognise(parse_rule(f"U(X) :- {text}")).body


def distinct(*labels: str) -> str:
    """A group of r-neighbours with these labels; a neighbour's labels are joined by `&`."""
    names = [f"N{n}" for n in range(len(labels))]
    atoms = [f"r(X, {name})" for name in names]
    atoms += [f"{label}({name})" for name, each in zip(names, labels) for label in each.split("&") if label]
    pairs = [f"{one} != {other}" for n, one in enumerate(names) for other in names[:n]]
    return ", ".join(atoms + pairs)


@pytest.mark.parametrize(
    ("general", "special", "expected"),
    [
        ("true", "A(X)", True),
        ("A(X)", "true", False),
        ("r(X, Y), r(X, Z), A(Y), B(Z)", "r(X, Y), A(Y), B(Y)", True),
        ("r(X, Y), A(Y), B(Y)", "r(X, Y), r(X, Z), A(Y), B(Z)", False),
        ("r(X, Y), s(Y, Z)", "r(X, Y), s(Y, Z), A(Z), C(X)", True),
        ("r(X, Y)", "s(X, Y)", False),
        (distinct("A", ""), distinct("A&B", "B"), True),
        (distinct("A", "A"), distinct("A", "B"), False),
        (distinct("A", "B"), distinct("A&B", "A&B"), True),
        (distinct("A", "B"), distinct("B", "A&B", "C"), True),  # A must take the second, B then the first
        (distinct("A", "B", "A"), distinct("A&B", "B", "B"), False),
        (distinct("", ""), "r(X, Y), r(X, Z)", False),
        ("r(X, Y), r(X, Z)", distinct("", ""), True),
    ],
)
def test_homomorphisms(general: str, special: str, expected: bool) -> None:
    assert maps_into(body(general), body(special)) is expected
    assert implies_any(body(special), [body(general)]) is expected


@pytest.mark.parametrize(
    ("formula", "others", "expected"),
    [
        ("r(X, Y), A(Y), r(X, Z), B(Z)", ["r(X, Y), A(Y), B(Y)", distinct("A", "B")], True),
        ("r(X, Y), A(Y), r(X, Z), B(Z)", ["r(X, Y), A(Y), B(Y)"], False),
        ("r(X, Y), A(Y), r(X, Z), B(Z)", [distinct("A", "B")], False),
        ("r(X, Y), s(Y, Z), A(Z), r(X, V), s(V, W), B(W)", ["r(X, Y), s(Y, Z), A(Z)"], True),
        (
            "r(X, Y), s(Y, Z), A(Z), r(X, V), s(V, W), B(W)",
            [distinct("", ""), "r(X, Y), s(Y, Z), s(Y, W), Z != W", "r(X, Y), s(Y, Z), A(Z), B(Z)"],
            True,
        ),
        (
            "r(X, Y), s(Y, Z), A(Z), r(X, V), s(V, W), B(W)",
            [distinct("", ""), "r(X, Y), s(Y, Z), A(Z), B(Z)"],
            False,
        ),
        ("A(X)", [], False),
    ],
)
def test_several_rules_together(formula: str, others: list[str], expected: bool) -> None:
    assert implies_any(body(formula), list(map(body, others))) is expected


@pytest.mark.parametrize(
    ("formula", "quotients"),
    [
        ("true", ["true"]),
        ("r(X, Y), A(Y), r(X, Z), B(Z)", ["r(X, Y), A(Y), B(Y)", distinct("A", "B")]),
        ("r(X, Y), A(Y), s(X, Z), B(Z)", ["r(X, Y), A(Y), s(X, Z), B(Z)"]),
        (distinct("A", "B"), [distinct("A", "B")]),
        (f"{distinct('A', 'B')}, r(X, V), C(V)", [distinct("A&C", "B"), distinct("A", "B&C"), distinct("A", "B", "C")]),
        (
            "r(X, Y), s(Y, Z), A(Z), r(X, V), s(V, W), B(W)",
            [
                "r(X, Y), s(Y, Z), A(Z), B(Z)",
                "r(X, Y), s(Y, Z), A(Z), s(Y, W), B(W), Z != W",
                "r(X, Y), s(Y, Z), A(Z), r(X, V), s(V, W), B(W), Y != V",
            ],
        ),
    ],
)
def test_sibling_quotients(formula: str, quotients: list[str]) -> None:
    found = list(sibling_quotients(body(formula)))
    assert set(found) == set(map(body, quotients)) and len(found) == len(quotients)


def test_members_of_one_group_never_meet_in_a_larger_merge() -> None:
    groups = f"{distinct('A', 'B')}, r(X, P), C(P), r(X, Q), D(Q), P != Q"
    assert len(set(sibling_quotients(body(groups)))) == 1 + 4 + 2


def rules(*bodies: str) -> list[TreeRule]:
    return [TreeRule("U", body(text)) for text in bodies]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (["A(X), B(X)", "A(X)"], ["A(X)"]),
        (["r(X, Y)", "r(X, Y), r(X, Z)"], ["r(X, Y)"]),
        (["r(X, Y), A(Y), B(Y)", "r(X, Y), A(Y), r(X, Z), B(Z)"], ["r(X, Y), A(Y), r(X, Z), B(Z)"]),
        (
            ["r(X, Y), A(Y), r(X, Z), B(Z)", distinct("A", "B"), "r(X, Y), A(Y), B(Y), C(X)"],
            ["r(X, Y), A(Y), r(X, Z), B(Z)"],
        ),
        (["true", "A(X)", distinct("A", "B")], ["true"]),
        (["A(X)", "A(X)"], ["A(X)"]),
    ],
)
def test_reduced_programs(program: list[str], expected: list[str]) -> None:
    assert reduced(rules(*program)) == reduced(reversed(rules(*program))) == tuple(rules(*expected))


def test_a_rule_that_others_imply_together_goes() -> None:
    kept = rules("r(X, Y), A(Y), B(Y)", distinct("A", "B"))
    assert reduced([*kept, *rules("r(X, Y), A(Y), r(X, Z), B(Z)")]) == tuple(rules("r(X, Y), A(Y), r(X, Z), B(Z)"))
    assert reduced([*kept, *rules("C(X), r(X, Y), A(Y), r(X, Z), B(Z)")]) == tuple(kept)


def test_rules_for_other_heads_imply_nothing() -> None:
    both = (TreeRule("U", TOP), TreeRule("V", TOP))
    assert reduced([*both, TreeRule("V", body("A(X)"))]) == both
