"""Sibling merges: where they matter, that all are found, and that the bound saves them."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given

from isolog.correspondence.capture import captures_tree_rules
from isolog.correspondence.quotients import joined_bodies, joins
from isolog.correspondence.relevance import Relevant, is_settled, relevant_colours
from isolog.correspondence.tree_batches import TreeBatches
from isolog.datalog.tree_implication import sibling_quotients
from isolog.datalog.treelike import TOP, TreeFormula, TreeRule, group, tree_formula
from isolog.errors import LimitError
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Network
from support.trees import tree_formulas

SIGNATURE = Signature.of(["A", "B"], ["r", "s"])
A, B, AB = tree_formula(["A"]), tree_formula(["B"]), tree_formula(["A", "B"])


def identity(aggregation: Aggregation, s_weight: int = 0) -> Layer:
    """Both features: the vertex's own, and the aggregates over r, and over s with this weight."""
    r, s = [[1, 0], [0, 1]], [[s_weight, 0], [0, s_weight]]
    return Layer.from_fractions([[1, 0], [0, 1]], [r, s], [0, 0], aggregation)


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([identity(MAX), identity(MAX)], ["", ""]),
        ([identity(MAX), identity(SUM)], ["r", ""]),
        ([identity(SUM), identity(MAX)], ["r", "r"]),
        ([identity(MaxKSum(0), 1), identity(MaxKSum(2), 1), identity(MAX, 1)], ["rs", "rs", ""]),
        ([identity(SUM, 1), identity(SUM)], ["rs", "rs"]),
        ([identity(SUM), identity(SUM, 1)], ["rs", "r"]),
    ],
)
def test_a_merge_matters_if_a_layer_that_adds_is_still_to_come(layers: list[Layer], expected: list[str]) -> None:
    relevant = relevant_colours(Network.canonical(SIGNATURE, layers))
    assert ["".join(sorted(colours)) for colours in relevant] == expected


def test_the_best_group_of_each_colour_is_the_bound() -> None:
    layer = identity(SUM, 1)
    two = Network.canonical(SIGNATURE, [layer], 2)
    bodies = {
        (group("s", A), group("s", B)): False,
        (group("s", A, A), group("s", B)): True,
        (group("s", A), group("s", AB)): False,
        (group("s", A), group("s", B), group("r", A)): True,
        (group("r", A), group("r", AB), group("s", B)): False,
    }
    rules = [TreeRule("A", tree_formula([], groups)) for groups in bodies]
    assert TreeBatches(two).bounded(rules).tolist() == list(bodies.values())


def settled_quotients(body: TreeFormula, relevant: Relevant) -> Iterator[TreeFormula]:
    if is_settled(body, relevant):
        yield body
    else:
        for finer in joined_bodies(body, relevant):
            yield from settled_quotients(finer, relevant)


@given(tree_formulas(SIGNATURE, max_depth=2, max_children=3))
def test_joining_groups_reaches_every_sibling_quotient(body: TreeFormula) -> None:
    everywhere = (frozenset(SIGNATURE.binary),) * 2
    assert set(settled_quotients(body, everywhere)) == set(sibling_quotients(body))


@given(tree_formulas(SIGNATURE, max_depth=2, max_children=3))
def test_nothing_is_joined_where_it_does_not_matter(body: TreeFormula) -> None:
    assert list(settled_quotients(body, (frozenset(), frozenset()))) == [body]
    for quotient in settled_quotients(body, (frozenset("rs"), frozenset("r"))):
        below = [
            [g for child in formula.children for g in child.groups if g.colour == "s"] for formula in (quotient, body)
        ]
        assert sorted(below[0]) == sorted(below[1])


def test_joins_merge_members_one_to_one_and_tell_equal_ones_not_apart() -> None:
    found = list(joins(group("r", A, A), group("r", B, B)))
    assert found == [group("r", A, A, B, B), group("r", A, AB, B), group("r", AB, AB)]
    assert len(list(joins(group("r", *[A] * 30), group("r", *[B] * 40)))) == 31


def test_the_bound_decides_without_a_merge() -> None:
    """Ten neighbours that may coincide; the group of three is enough by itself."""
    network = Network.canonical(SIGNATURE, [identity(SUM), identity(SUM)], Fraction(3))
    single = [group("r", tree_formula(["B"], [group("r", A)])) for _ in range(10)]
    rule = TreeRule("A", tree_formula([], [group("r", A, A, A), *single]))
    assert captures_tree_rules(network, [rule], limit=0) == [True]


def test_different_groups_may_serve_different_features() -> None:
    """A third of the value comes from each of two groups, which may overlap: features add up, groups do not."""
    both = Layer.from_fractions([[0, 0]] * 2, [[[1, 1], [0, 0]], [[0, 0]] * 2], [0, 0], SUM)
    body = tree_formula([], [group("r", A, A), group("r", B, B)])
    assert captures_tree_rules(Network.canonical(SIGNATURE, [both], 4), [TreeRule("A", body)], limit=0) == [True]
    only_a = Layer.from_fractions([[0, 0]] * 2, [[[1, 0], [0, 0]], [[0, 0]] * 2], [0, 0], SUM)
    again = tree_formula([], [group("r", A, A), group("r", A, AB)])
    assert captures_tree_rules(Network.canonical(SIGNATURE, [only_a], 3), [TreeRule("A", again)]) == [False]


def test_a_merge_can_lower_and_raise_the_value() -> None:
    """Two units: one adds up A and B over all neighbours, one needs a neighbour with both."""
    inner = Layer.from_fractions([[1, 0], [0, 1], [1, 1]], [[[0, 0]] * 3] * 2, [0, 0, -1], MAX)
    outer = Layer.from_fractions([[0, 0, 0]] * 2, [[[1, 1, 3], [0, 0, 1]], [[0, 0, 0]] * 2], [0, 0], SUM)
    body = tree_formula([], [group("r", A), group("r", B)])
    apart, merged = tree_formula([], [group("r", A, B)]), tree_formula([], [group("r", AB)])
    for threshold, captured in ((2, [True, True, True]), (3, [False, False, True]), (6, [False] * 3)):
        network = Network.canonical(SIGNATURE, [inner, outer], threshold)
        assert captures_tree_rules(network, [TreeRule("A", each) for each in (body, apart, merged)]) == captured
    counting = Network.canonical(SIGNATURE, [identity(SUM)], 2)
    bodies = [tree_formula([], groups) for groups in ([group("r", A), group("r", A)], [group("r", A, A)])]
    assert captures_tree_rules(counting, [TreeRule("A", each) for each in bodies]) == [False, True]


def labels_of_neighbours() -> Network:
    """A of a vertex: how many labels its r-neighbours have, together, is at least 2."""
    labels = Layer.from_fractions([[1, 1], [0, 0]], [[[0, 0]] * 2] * 2, [0, 0], MAX)
    total = Layer.from_fractions([[0, 0]] * 2, [[[1, 0], [0, 0]], [[0, 0]] * 2], [0, 0], SUM)
    return Network.canonical(SIGNATURE, [labels, total], 2)


def test_the_budget_counts_different_bodies() -> None:
    """A and B of two neighbours make 2 whether or not these are merged; groups of A alone merge in many equal ways."""
    rule = TreeRule("A", tree_formula([], [*[group("r", A)] * 4, group("r", B)]))
    assert captures_tree_rules(labels_of_neighbours(), [rule], limit=8) == [True]
    with pytest.raises(LimitError):
        captures_tree_rules(labels_of_neighbours(), [rule], limit=7)


def test_beyond_the_budget_nothing_is_claimed() -> None:
    network = Network.canonical(SIGNATURE, [identity(SUM), identity(SUM)], Fraction(4))
    children = [tree_formula([], [group("r", tree_formula([label]))] * n) for label in "AB" for n in (1, 2)]
    rule = TreeRule("A", tree_formula([], [group("r", A), *(group("r", child) for child in children)]))
    with pytest.raises(LimitError, match=r"E431 undecided after 3 ways to merge variables: `A\(X\) :- "):
        captures_tree_rules(network, [rule], limit=3)
    assert captures_tree_rules(network, [rule]) == [False]
    assert captures_tree_rules(network, [TreeRule("A", TOP)], limit=0) == [False]
