"""N_P by the letter (§5): dimensions, weights, bounds and limits."""

import pytest

from isolog.correspondence.network_of_program import NetworkOfProgram, network_of_program
from isolog.datalog.count_trees import count_formulas
from isolog.datalog.parser import parse
from isolog.datalog.tree_rules import tree_rules
from isolog.datalog.treelike import TreeClass
from isolog.errors import LimitError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.activation import RELU
from isolog.networks.classes import class_report
from isolog.networks.network import MAX
from support.trees import derived, predicted

ONE = Signature.of(["U"], ["E"])
EDGE = Atom("E", ("a", "b"))
POSSIBLE = [("E", "ab"), ("E", "bc"), ("E", "ba"), ("U", "a"), ("U", "b"), ("U", "c")]
ALL_SMALL = Dataset.from_facts(  # each choice of these facts, with constants of its own
    Atom(name, tuple(f"{constant}{chosen}" for constant in constants))
    for chosen in range(2 ** len(POSSIBLE))
    for n, (name, constants) in enumerate(POSSIBLE)
    if chosen >> n & 1
)


def made(text: str, signature: Signature = ONE, depth: int = 0, fan_out: int = 0) -> NetworkOfProgram:
    return network_of_program(tree_rules(parse(text)), signature, depth=depth, fan_out=fan_out)


@pytest.mark.parametrize(
    ("text", "depth", "fan_out", "dimensions"),
    [
        ("U(X) :- true.", 0, 0, (1, 2, 1)),
        ("U(X) :- U(X).", 0, 3, (1, 2, 1)),
        ("U(X) :- true.", 2, 0, (1, 2, 2, 2, 1)),
        ("U(X) :- E(X, Y), U(Y).", 0, 0, (1, 2, 6, 1)),
        ("U(X) :- E(X, Y), E(X, Z), U(Y).", 0, 0, (1, 2, 12, 1)),
        ("U(X) :- E(X, Y), E(Y, Z).", 0, 0, (1, 2, 12, 56, 1)),
        ("", 0, 0, (1, 2, 1)),
    ],
)
def test_dimensions(text: str, depth: int, fan_out: int, dimensions: tuple[int, ...]) -> None:
    result = made(text, depth=depth, fan_out=fan_out)
    network, trees = result.network, result.trees
    assert network.dimensions == dimensions
    assert len(network.layers) == trees.depth + 2 and dimensions[-2] == count_formulas(trees) <= result.bound
    assert class_report(network).is_monotonic_max
    assert all(layer.activation == RELU and layer.aggregation == MAX for layer in network.layers)
    assert network.thresholds == (1,)
    for layer in network.layers:
        assert {entry for matrix in (layer.A, *layer.B) for entry in matrix.ravel().tolist()} <= {0, 1}


def test_the_class_is_the_least_that_holds_the_program() -> None:
    text = "U(X) :- E(X, Y), F(Y, Z), F(Y, V), F(Y, W). V(X) :- E(X, Y), E(X, Z), U(Y)."
    signature = Signature.of(["U"], ["E"])
    with pytest.raises(LimitError):
        made(text, Signature.of(["U", "V"], ["E", "F"]))
    assert made("U(X) :- E(X, Y), E(X, Z), E(X, V).", signature).trees == TreeClass(("U",), ("E",), 1, 3, False)
    assert made("U(X) :- E(X, Y), E(X, Z), E(Y, V).", signature).trees == TreeClass(("U",), ("E",), 2, 1, False)


def test_weights_of_two_equal_children_are_those_of_one() -> None:
    network = made("U(X) :- E(X, Y), E(X, Z), U(Y), U(Z).").network
    layer = network.layers[1]
    assert {*layer.A.ravel().tolist()} == {*layer.B[0].ravel().tolist()} == {0, 1}
    for body, holds in (([EDGE, Atom("U", ("b",))], True), ([EDGE], False)):
        assert (Atom("U", ("a",)) in predicted(network, Dataset.from_facts(body))) is holds


@pytest.mark.parametrize(
    "text",
    [
        "U(X) :- true.",
        "U(X) :- E(X, Y).",
        "U(X) :- U(X), E(X, Y), U(Y).",
        "U(X) :- E(X, Y), E(X, Z), U(Y), E(Y, V). U(X) :- E(X, Y), E(Y, Z), U(Z).",
    ],
)
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_equal_to_the_program(text: str, depth: int) -> None:
    rules = tree_rules(parse(text))
    network = network_of_program(rules, ONE, depth=depth).network
    assert predicted(network, ALL_SMALL) == derived(rules, ALL_SMALL)


def test_too_many_formulas_are_counted_not_built() -> None:
    with pytest.raises(LimitError) as caught:
        made("U(X) :- E(X, Y), E(Y, Z), E(X, V), E(X, W).")
    assert caught.value.findings[0].message == (
        "layer 3 would have 3,640 units, one for each (2,2)-tree-like formula; the limit is 1,000"
    )
    assert "`subformulas`" in (caught.value.findings[0].hint or "")


def test_inequalities_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"E255 max aggregation cannot count, and `U\(X\) :- E\(X, Y1\), "):
        made("U(X) :- E(X, Y), E(X, Z), Y != Z.")
