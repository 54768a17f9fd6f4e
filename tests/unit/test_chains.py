"""Groups of distinct children that are chains, and what is said of those that are not."""

import pytest

from isolog.correspondence.chains import broken_chains, chained, without_implied
from isolog.datalog.treelike import TOP, TreeFormula, group, tree_formula

A, B, AB = tree_formula(["A"]), tree_formula(["B"]), tree_formula(["A", "B"])


def root(*groups: tuple[TreeFormula, ...], labels: tuple[str, ...] = ()) -> TreeFormula:
    return tree_formula(labels, [group("r", *children) for children in groups])


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (root((A,)), root((A,))),
        (root((A, A, A)), root((A, A, A))),
        (root((AB, A)), root((AB,), (A, A))),
        (root((TOP, AB, A, A)), root((AB,), (A, A, A), (TOP, TOP, TOP, TOP))),
        (root((A, A), (A,)), root((A, A))),
        (root((A, B), (AB, AB)), root((AB, AB))),
        (root((root((A, AB)), TOP)), root((root((AB,), (A, A)),), (TOP, TOP))),
        (root((A, B)), None),
        (root((A,), (TOP, root((A, B)))), None),
    ],
)
def test_chains_become_groups_of_equal_children(formula: TreeFormula, expected: TreeFormula | None) -> None:
    assert chained(formula) == expected


def test_equivalent_children_are_one_level() -> None:
    other = root((A,), (AB,))
    assert chained(root((other, root((AB,))))) == root((root((AB,)), root((AB,))))


def test_broken_chains_are_found_at_any_depth() -> None:
    found = list(broken_chains(root((root((A, B, A)), TOP))))
    assert [(broken.one, broken.other) for broken in found] == [(A, B)]
    assert found[0].siblings == group("r", A, A, B)
    assert list(broken_chains(root((A, AB), (B,)))) == []


def test_of_groups_that_imply_each_other_the_first_stays() -> None:
    one, other = group("r", root((A,), (AB,))), group("r", root((AB,)))
    assert without_implied([one, other]) == [one] and without_implied([other, one]) == [other]
