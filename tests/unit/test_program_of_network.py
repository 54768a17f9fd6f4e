"""P_N by the letter: bounds, limits, and programs known by heart."""

import pytest

from isolog.correspondence.program_of_network import ProgramOfNetwork, program_of_network, theorem_class
from isolog.datalog.printer import print_rule
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeClass
from isolog.errors import LimitError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Network

ONE = Signature.of(["U"], ["r"])


def one_layer(a: int, b: int, bias: int, aggregation: Aggregation = MAX) -> Network:
    return Network.canonical(ONE, [Layer.from_fractions([[a]], [[[b]]], [bias], aggregation)])


def reduced_texts(made: ProgramOfNetwork) -> list[str]:
    return [print_rule(to_rule(rule)) for rule in made.reduced_rules]


@pytest.mark.parametrize(
    ("network", "rules"),
    [
        (one_layer(0, 0, 0), []),
        (one_layer(0, 0, 1), ["U(X) :- true."]),
        (one_layer(1, 0, 0), ["U(X) :- U(X)."]),
        (one_layer(0, 1, 0), ["U(X) :- r(X, Y), U(Y)."]),
        (one_layer(1, 1, 0), ["U(X) :- U(X).", "U(X) :- r(X, Y), U(Y)."]),
        (one_layer(1, 1, -1), ["U(X) :- U(X), r(X, Y), U(Y)."]),
        (one_layer(0, 1, -1, SUM), ["U(X) :- r(X, Y1), U(Y1), r(X, Y2), U(Y2), Y1 != Y2."]),
        (one_layer(0, 1, -1, MaxKSum(2)), ["U(X) :- r(X, Y1), U(Y1), r(X, Y2), U(Y2), Y1 != Y2."]),
        (one_layer(0, 1, -2, MaxKSum(2)), []),
        (one_layer(0, 1, 0, MaxKSum(0)), []),
    ],
)
def test_programs_known_by_heart(network: Network, rules: list[str]) -> None:
    assert reduced_texts(program_of_network(network)) == rules


def test_two_layers() -> None:
    layers = [Layer.from_fractions([[0]], [[[1]]], [0]), Layer.from_fractions([[1]], [[[1]]], [-1])]
    made = program_of_network(Network.canonical(ONE, layers))
    assert reduced_texts(made) == ["U(X) :- r(X, Y1), r(Y1, Z), U(Z), r(X, Y2), U(Y2)."]
    assert made.tested == 56 and made.is_complete


def test_by_the_letter_means_all_captured_rules() -> None:
    made = program_of_network(one_layer(0, 1, 0))
    assert [print_rule(rule) for rule in made.program] == ["U(X) :- r(X, Y), U(Y).", "U(X) :- U(X), r(X, Y), U(Y)."]
    assert made.tested == 6 and made.program.signature == ONE


def test_the_bounds_of_the_theorems() -> None:
    wide = Signature.of(["A", "B"], ["r", "s"])
    hidden = [[1, 0]] * 3
    below = Layer.from_fractions(hidden, [hidden, hidden], [0] * 3)
    above = Layer.from_fractions([[1, 0, 0]] * 2, [[[1, 0, 0]] * 2] * 2, [-4, -4], SUM)
    by_max = Layer(above.A, above.B, above.b)
    assert theorem_class(Network.canonical(wide, [below, by_max])) == TreeClass(("A", "B"), ("r", "s"), 2, 6, False)
    assert theorem_class(Network.canonical(wide, [below, above])) == TreeClass(("A", "B"), ("r", "s"), 2, 30, True)


def test_smaller_bounds_are_said_to_be_smaller() -> None:
    network = one_layer(1, 1, 0, SUM)
    assert program_of_network(network, fan_out=2).is_complete
    assert not program_of_network(network, fan_out=0).is_complete
    assert reduced_texts(program_of_network(network, depth=0)) == ["U(X) :- U(X)."]


def test_too_many_rules_are_counted_not_tested() -> None:
    with pytest.raises(LimitError) as caught:
        program_of_network(one_layer(1, 1, -4, SUM), most_rules=100)
    (finding,) = caught.value.findings
    assert finding.code == "E412" and finding.message == (
        "P_N needs 252 rules with (1,5)-tree-like bodies to be tested; the limit is 100"
    )


def test_networks_outside_the_class_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="E360"):
        program_of_network(one_layer(1, -1, 0))
