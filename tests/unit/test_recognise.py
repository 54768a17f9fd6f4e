"""Recognising tree-like rules, and saying precisely why others are none."""

import pytest

from isolog.datalog.parser import parse, parse_rule
from isolog.datalog.printer import print_rule
from isolog.datalog.recognise import recognise, why_not_tree_like
from isolog.datalog.syntax import Program, Rule
from isolog.datalog.tree_rules import to_program, to_rule, tree_rules
from isolog.datalog.treelike import TOP, TreeFormula, TreeRule, group, tree_formula
from isolog.errors import Finding, LimitError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Variable

A, B = tree_formula(["A"]), tree_formula(["B"])


def body(text: str) -> TreeFormula:
    return recognise(parse_rule(f"U(X) :- {text}")).body


def findings(text: str) -> list[tuple[str, str]]:
    """The codes, each with the part of the text that it points at."""
    found = why_not_tree_like(parse_rule(text))
    assert all(finding.hint for finding in found)
    return [(finding.code, marked(finding)) for finding in found]


def marked(finding: Finding) -> str:
    span = finding.span
    return "" if span is None else span.text[span.column - 1 : span.column - 1 + span.length]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", TOP),
        ("A(X), B(X), A(X)", tree_formula(["A", "B"])),
        ("r(X, Y)", tree_formula([], [group("r", TOP)])),
        ("r(X, Y), r(X, Y)", tree_formula([], [group("r", TOP)])),
        ("r(X, _), r(X, _)", tree_formula([], [group("r", TOP), group("r", TOP)])),
        ("A(Y), r(X, Y), B(X)", tree_formula(["B"], [group("r", A)])),
        ("s(Y, Z), r(X, Y)", tree_formula([], [group("r", tree_formula([], [group("s", TOP)]))])),
        ("r(X, Y), A(Y), r(X, Z), B(Z), Y != Z", tree_formula([], [group("r", A, B)])),
        ("r(X, Y), r(X, Z), Y != Z, Z != Y", tree_formula([], [group("r", TOP, TOP)])),
        (
            "r(X, Y), r(X, Z), s(X, V), s(X, W), Y != Z",
            tree_formula([], [group("r", TOP, TOP), *[group("s", TOP)] * 2]),
        ),
        (
            "r(X, P), r(X, Q), r(X, R), r(X, S), P != Q, R != S, A(P)",
            tree_formula([], [group("r", A, TOP), group("r", TOP, TOP)]),
        ),
    ],
)
def test_tree_like_bodies(text: str, expected: TreeFormula) -> None:
    assert body(text) == expected


@pytest.mark.parametrize(
    ("counting", "written_out"),
    [
        ("#count{Y : r(X, Y)} >= 1", "r(X, Y)"),
        ("#count{Y : r(X, Y), A(Y)} >= 2", "r(X, Y), A(Y), r(X, Z), A(Z), Y != Z"),
        ("#count{Y : r(X, Y)} >= 2, #count{Y : s(X, Y)} >= 1", "r(X, Y), r(X, Z), Y != Z, s(X, V)"),
        ("r(X, V), #count{Y : r(V, Y), s(Y, Z)} >= 2", "r(X, V), r(V, Y), s(Y, _), r(V, Z), s(Z, _), Y != Z"),
        (
            "#count{Y : r(X, Y), #count{Z : s(Y, Z)} >= 2} >= 2",
            "r(X, Y), s(Y, Z), s(Y, V), Z != V, r(X, P), s(P, Q), s(P, R), Q != R, Y != P",
        ),
        ("#count{Y : r(X, Y), s(Y, P), s(Y, Q), P != Q} >= 1", "r(X, Y), s(Y, P), s(Y, Q), P != Q"),
    ],
)
def test_counts_stand_for_distinct_children(counting: str, written_out: str) -> None:
    assert body(counting) == body(written_out)


def test_a_count_of_at_least_nothing_says_nothing() -> None:
    assert body("A(X), #count{Y : r(X, Y)} >= 0") == A


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t(X, Y) :- A(X).", [("E240", "t(X, Y)")]),
        ("go :- A(X).", [("E240", "go")]),
        ("U(ann) :- A(X).", [("E240", "U(ann)")]),
        ("U(f(X)) :- A(X).", [("E240", "U(f(X))")]),
        ("U(X) :- t(X, Y, Z), go, A(X).", [("E241", "t(X, Y, Z)"), ("E241", "go")]),
        (
            "U(X) :- r(X, ann), r(X, f(Y)), X != bob.",
            [("E242", "r(X, ann)"), ("E242", "r(X, f(Y))"), ("E242", "X != bob")],
        ),
        ("U(X) :- A(X), not B(X), #count{Y : r(X, Y), not B(Y)} >= 2.", [("E243", "not B(X)"), ("E243", "not B(Y)")]),
        ("U(X) :- r(X, Y), s(X, Y).", [("E244", "s(X, Y)")]),
        ("U(X) :- r(X, Y), r(X, Z), s(Y, V), s(Z, V).", [("E244", "s(Z, V)")]),
        ("U(X) :- r(X, X).", [("E245", "r(X, X)")]),
        ("U(X) :- r(X, Y), s(Y, Z), r(Z, Y), r(Z, X).", [("E245", "r(Z, Y)"), ("E245", "r(Z, X)")]),
        ("U(X) :- r(Y, X).", [("E246", "r(Y, X)")]),
        ("U(X) :- A(Y), B(Y).", [("E246", "A(Y)")]),
        ("U(X) :- X != Y.", [("E246", "X != Y")]),
        ("U(X) :- A(X), r(Y, Z), r(Z, Y).", [("E246", "r(Y, Z)"), ("E246", "r(Y, Z)")]),
        ("U(X) :- #count{Y : r(Z, Y)} >= 2.", [("E249", "#count{Y : r(Z, Y)} >= 2")]),
        ("U(X) :- A(Z), #count{Y : r(Z, Y)} >= 2.", [("E246", "A(Z)")]),
        ("U(X) :- r(X, Y), s(X, Z), Y != Z.", [("E247", "Y != Z")]),
        ("U(X) :- r(X, Y), r(Y, Z), r(X, V), r(V, W), Z != W.", [("E247", "Z != W")]),
        ("U(X) :- r(X, Y), X != Y.", [("E247", "X != Y")]),
        ("U(X) :- r(X, Y), Y != Y.", [("E247", "Y != Y")]),
        ("U(X) :- X != X.", [("E247", "X != X")]),
        ("U(X) :- r(X, P), r(X, Q), r(X, R), P != Q, Q != R.", [("E248", "Q != R")]),
        ("U(X) :- #count{Y : r(X, Y), s(X, Y)} >= 2.", [("E249", "#count{Y : r(X, Y), s(X, Y)} >= 2")]),
        ("U(X) :- #count{Y : r(X, Y), A(X)} >= 2.", [("E249", "#count{Y : r(X, Y), A(X)} >= 2")]),
        ("U(X) :- #count{Y : r(Y, X)} >= 2.", [("E249", "#count{Y : r(Y, X)} >= 2")]),
        ("U(X) :- r(X, Z), #count{Y : r(X, Y), Y != Z} >= 2.", [("E249", "#count{Y : r(X, Y), Y != Z} >= 2")]),
        ("U(X) :- #count{Y : r(X, Y), s(Z, Y)} >= 2.", [("E246", "s(Z, Y)")]),
        ("U(X) :- #count{Y : r(X, Y), s(Y, Z), s(Y, V), r(Z, V)} >= 2.", [("E244", "s(Y, V)")]),
    ],
)
def test_what_is_not_tree_like(text: str, expected: list[tuple[str, str]]) -> None:
    assert findings(text) == expected


def test_an_atom_against_the_direction_is_explained() -> None:
    (finding,) = why_not_tree_like(parse_rule("U(X) :- r(Y, X)."))
    assert finding.message == "`Y` is not reached from `X`"
    assert finding.hint is not None and "`r(Y, X)`" in finding.hint and "`inverses`" in finding.hint


def test_a_variable_reached_twice_names_both_ways() -> None:
    (finding,) = why_not_tree_like(parse_rule("U(X) :- r(X, Y), s(X, Y)."))
    assert finding.message == "`Y` is reached by `r(X, Y)` and again by `s(X, Y)`"


def test_an_inequality_that_never_holds_is_called_that() -> None:
    (finding,) = why_not_tree_like(parse_rule("U(X) :- r(X, Y), Y != Y."))
    assert finding.message == "`Y != Y` is never true"


def test_recognise_raises_everything_at_once() -> None:
    with pytest.raises(UnsupportedError) as caught:
        recognise(parse_rule("U(X) :- r(X, Y), s(X, Y), A(Z), X != Y."))
    assert [finding.code for finding in caught.value.findings] == ["E244", "E246", "E247"]


def test_programs_raise_for_all_rules_at_once() -> None:
    with pytest.raises(UnsupportedError) as caught:
        tree_rules(parse("U(X) :- r(Y, X). U(X) :- A(X). A(ann). U(X) :- A(X), not B(X)."))
    assert [finding.code for finding in caught.value.findings] == ["E246", "E240", "E243"]


def test_counts_too_large_to_write_out_are_refused() -> None:
    assert body("#count{Y : r(X, Y), A(Y)} >= 1000").variables == 1001
    with pytest.raises(LimitError, match=r"E410 `#count` stands for 2,000,000 variables"):
        body("#count{Y : r(X, Y), s(Y, _)} >= 1000000")


def test_very_long_paths_are_refused() -> None:
    path = ", ".join(f"r(X{n}, X{n + 1})" for n in range(100)).replace("X0", "X")
    assert body(path).depth == 100
    with pytest.raises(LimitError, match="E411 the rule leads more than 100 steps away from `X`"):
        body(f"{path}, r(X100, Y)")


def test_the_head_may_be_in_no_body_atom() -> None:
    assert recognise(Rule(Atom("U", (Variable("X"),)))) == TreeRule("U", TOP)


@pytest.mark.parametrize(
    ("formula", "counts", "expected"),
    [
        (TOP, True, "true"),
        (tree_formula(["B", "A"]), True, "A(X), B(X)"),
        (tree_formula([], [group("r", A, B)]), True, "r(X, Y1), A(Y1), r(X, Y2), B(Y2), Y1 != Y2"),
        (tree_formula([], [group("r", A, A)]), True, "r(X, Y1), A(Y1), r(X, Y2), A(Y2), Y1 != Y2"),
        (tree_formula([], [group("r", A, A, A)]), True, "#count{Y : r(X, Y), A(Y)} >= 3"),
        (
            tree_formula([], [group("r", TOP, TOP, TOP)]),
            False,
            "r(X, Y1), r(X, Y2), r(X, Y3), Y1 != Y2, Y1 != Y3, Y2 != Y3",
        ),
        (
            tree_formula([], [group("r", A, A, B)]),
            True,
            "r(X, Y1), A(Y1), r(X, Y2), A(Y2), r(X, Y3), B(Y3), Y1 != Y2, Y1 != Y3, Y2 != Y3",
        ),
        (
            tree_formula([], [group("r", *[tree_formula([], [group("s", TOP)])] * 4), group("s", TOP)]),
            True,
            "#count{Y1 : r(X, Y1), s(Y1, Z)} >= 4, s(X, Y2)",
        ),
    ],
)
def test_written_rules(formula: TreeFormula, counts: bool, expected: str) -> None:
    assert print_rule(to_rule(TreeRule("U", formula), counts=counts)) == f"U(X) :- {expected}."


def test_counts_are_the_default() -> None:
    rule = TreeRule("U", tree_formula([], [group("r", A, A, A)]))
    assert to_rule(rule) == to_rule(rule, counts=True)
    signature = Signature.of(["U", "A"], ["r"])
    assert to_program([rule, rule], signature) == Program((to_rule(rule),) * 2, signature=signature)
    assert to_program([rule], counts=False).rules == (to_rule(rule, counts=False),)


def test_names_at_great_depth_stay_distinct() -> None:
    deep = TOP
    for _ in range(60):
        deep = tree_formula([], [group("r", deep)])
    assert recognise(to_rule(TreeRule("U", deep))).body == deep
