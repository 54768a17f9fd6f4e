"""The class report names exactly what keeps a network out of Def. 6 and Def. 10."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from isolog.errors import InputError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU, Activation, piecewise_linear
from isolog.networks.classes import Condition, class_report, require_monotonic
from isolog.networks.network import MAX, SUM, Aggregation, Layer, MaxKSum, Mean, Network
from isolog.networks.summary import network_summary
from support.strategies import is_max, signatures_and_networks

SIGNATURE = Signature.of(["A", "B"], ["r", "s"])
QUARTER = Fraction(1, 4)


def network(aggregation: Aggregation = MAX, activation: Activation = RELU) -> Network:
    """Three layers 2–3–1–2 of ones and zeros; the middle one has the given aggregation and activation."""
    ones, zeros = [[1, 1]] * 3, [[0, 0]] * 3
    middle = Layer.from_fractions([[1] * 3], [[[1] * 3], [[0] * 3]], [-1], aggregation, activation)
    last = Layer.from_fractions([[1], [0]], [[[0], [1]], [[0], [QUARTER]]], [0, -1])
    return Network.canonical(SIGNATURE, [Layer.from_fractions(ones, [ones, zeros], [0, -2, 0]), middle, last])


def broken(network: Network) -> dict[str, list[str]]:
    """The messages by the code of the condition that they break, Def. 10 left out."""
    conditions = [condition for condition in class_report(network).max_sum_conditions if not condition.holds]
    return {c.breaches[0].code: [finding.message for finding in c.breaches] for c in conditions}


def with_entry(layer: int, tensor: str, row: int, column: int, value: float) -> Network:
    """The network with one other entry; rows and columns count from 1, and so do layers."""
    changed = network()
    arrays = {
        "A": changed.layers[layer - 1].A,
        "r": changed.layers[layer - 1].B[0],
        "s": changed.layers[layer - 1].B[1],
    }
    arrays[tensor][row - 1, column - 1] = value
    return changed


def test_a_network_of_max_layers_is_in_both_classes() -> None:
    report = class_report(network())
    assert report.is_monotonic_max_sum and report.is_monotonic_max
    assert all(condition.breaches == () for condition in (*report.max_sum_conditions, report.only_max))
    assert report.step.statement == "the classification is a step function, at 1"
    require_monotonic(network())


@pytest.mark.parametrize("aggregation", [SUM, MaxKSum(0), MaxKSum(3)])
def test_other_sums_of_largest_leave_only_the_smaller_class(aggregation: Aggregation) -> None:
    report = class_report(network(aggregation))
    assert report.is_monotonic_max_sum and not report.is_monotonic_max
    assert [finding.render() for finding in report.only_max.breaches] == [f"E365 layer 2 aggregates by {aggregation}"]
    require_monotonic(network(aggregation))


def test_negative_biases_and_thresholds_are_allowed() -> None:
    layer = Layer.from_fractions([[1, 0], [0, 1]], [[[0, 0]] * 2] * 2, [-1, -2])
    report = class_report(Network.canonical(SIGNATURE, [layer], [Fraction(-1), Fraction(2)]))
    assert report.is_monotonic_max
    assert report.step.statement == "the classification is a step function, with one threshold per output"


@pytest.mark.parametrize(
    ("layer", "tensor", "row", "column", "message"),
    [
        (1, "r", 3, 2, "`B1.r[3,2] = -1` is negative (from `B` to unit 3 of layer 1)"),
        (1, "A", 1, 1, "`A1[1,1] = -1` is negative (from `A` to unit 1 of layer 1)"),
        (2, "s", 1, 3, "`B2.s[1,3] = -1` is negative (from unit 3 of layer 1 to unit 1 of layer 2)"),
        (3, "A", 2, 1, "`A3[2,1] = -1/4` is negative (from unit 1 of layer 2 to `B`)"),
    ],
)
def test_a_negative_entry_is_named(layer: int, tensor: str, row: int, column: int, message: str) -> None:
    assert broken(with_entry(layer, tensor, row, column, -1)) == {"E360": [message]}


def test_a_max_network_with_a_negative_entry_is_in_neither_class() -> None:
    report = class_report(with_entry(1, "A", 1, 1, -1))
    assert report.only_max.holds and not report.is_monotonic_max_sum and not report.is_monotonic_max


def test_a_float_entry_is_shown_as_the_float_that_it_is() -> None:
    arrays = np.array([[0.5, -0.1], [1e-30, -0.0]]), np.zeros((2, 2))
    layer = Layer(arrays[0], (arrays[1], arrays[1]), np.array([0.0, -1.0]))
    messages = broken(Network.canonical(SIGNATURE, [layer]))
    assert messages == {"E360": ["`A1[1,2] = -0.1` is negative (from `B` to `A`)"]}


def test_many_negative_entries_are_counted_and_listed_in_reading_order() -> None:
    minus = Layer.from_fractions([[1, -1], [-1, -1]], [[[-1, -1], [0, -1]], [[0, 0], [-1, 0]]], [-1, -1])
    condition = class_report(Network.canonical(SIGNATURE, [minus])).nonnegative_matrices
    assert condition.count == 7 and not condition.holds
    places = [finding.message.split(" ")[0].strip("`") for finding in condition.breaches]
    assert places == ["A1[1,2]", "A1[2,1]", "A1[2,2]", "B1.r[1,1]", "B1.r[1,2]"]
    with pytest.raises(UnsupportedError, match=r"E360 and 2 more; in Def\. 6, all entries of A and B are nonnegative"):
        require_monotonic(Network.canonical(SIGNATURE, [minus]))


def test_mean_is_no_sum_of_largest() -> None:
    assert broken(network(Mean())) == {"E361": ["layer 2 aggregates by mean"]}


@pytest.mark.parametrize(
    ("activation", "messages"),
    [
        (piecewise_linear([(0, 0), (1, 1), (3, QUARTER)], 1), {"E362": ["falls from 1 at 1 to 1/4 at 3"]}),
        (piecewise_linear([(0, 0), (1, 1)], 0), {"E363": ["is never above 1, for its slope ends as 0"]}),
        (piecewise_linear([(0, -QUARTER), (1, 0)], 1), {"E364": ["is -1/4 at 0"]}),
        (piecewise_linear([(0, 1), (1, 1), (2, 1)], 1), {}),
        (
            piecewise_linear([(0, 2), (1, 3)], -1),
            {
                "E362": ["falls beyond 1, with slope -1"],
                "E363": ["is never above 3, for its slope ends as -1"],
                "E364": ["is negative for large arguments, its slope being -1"],
            },
        ),
    ],
)
def test_an_activation_outside_the_class_says_why(activation: Activation, messages: dict[str, list[str]]) -> None:
    expected = {code: [f"the activation of layer 2 {text}" for text in texts] for code, texts in messages.items()}
    assert broken(network(activation=activation)) == expected


def test_all_that_breaks_def_6_is_raised_at_once_with_the_way_out() -> None:
    bad = network(Mean(), piecewise_linear([(0, -1)], 0))
    bad.layers[0].A[1, 1] = -7
    with pytest.raises(UnsupportedError) as raised:
        require_monotonic(bad)
    assert [finding.code for finding in raised.value.findings] == ["E360", "E361", "E363", "E364"]
    assert "only `inspect` and `predict` take such a network" in str(raised.value)


@given(signatures_and_networks)
def test_networks_made_monotonic_are_reported_so(made: Network) -> None:
    report = class_report(made)
    assert report.is_monotonic_max_sum and report.is_monotonic_max == is_max(made)


def test_a_condition_holds_when_nothing_breaks_it() -> None:
    assert Condition("all is well").holds and not Condition("one thing is not", count=1).holds


def test_summary_counts_and_bounds_exactly() -> None:
    summary = network_summary(with_entry(3, "s", 1, 1, -3))
    assert summary.dimensions == (2, 3, 1, 2) and summary.colours == 2 and summary.encoding == "canonical"
    assert (summary.weights, summary.nonzero) == (39, 25)
    last = summary.layers[2]
    assert [tensor.name for tensor in last.tensors] == ["A3", "B3.r", "B3.s", "b3"]
    assert (last.tensors[2].shape, last.tensors[2].least, last.tensors[2].greatest) == (
        (2, 1),
        Fraction(-3, 4),
        QUARTER,
    )
    assert (last.grid, last.aggregation, last.activation) == (QUARTER, "max", "relu")


def test_summary_finds_the_grid_of_floats() -> None:
    zeros = np.zeros((2, 2))
    layer = Layer(np.array([[0.75, 0], [0, 2.0]]), (zeros, zeros), np.array([-0.5, 0]))
    assert network_summary(Network.canonical(SIGNATURE, [layer])).layers[0].grid == QUARTER


def test_summary_of_a_layer_without_units() -> None:
    empty = Layer(np.zeros((0, 2), int), (np.zeros((0, 2), int),) * 2, np.zeros(0, int))
    last = Layer(np.zeros((2, 0), int), (np.zeros((2, 0), int),) * 2, np.array([0, 1]))
    summary = network_summary(Network.canonical(SIGNATURE, [empty, last]))
    assert summary.dimensions == (2, 0, 2) and summary.layers[0].tensors[0].least is None


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_not_finite_make_no_layer(number: float) -> None:
    one, wrong = np.ones((1, 1)), np.full((1, 1), number)
    for arrays in ((wrong, (one,), one[0]), (one, (wrong,), one[0]), (one, (one,), wrong[0])):
        with pytest.raises(InputError, match="E325 a weight or bias is not finite"):
            Layer(*arrays)


def test_arrays_of_other_shapes_make_no_layer_and_no_network() -> None:
    one, two = np.ones((1, 1)), np.ones((1, 2))
    for arrays in ((one, (two,), one[0]), (one, (one,), two[0]), (one[0], (), one[0])):
        with pytest.raises(InputError, match="E323 the arrays of a layer have shapes"):
            Layer(*arrays)
    signature, layer = Signature.of(["A"], ["r"]), Layer(one, (one,), one[0])
    for layers in ([], [Layer(one, (), one[0])], [Layer(two, (two,), one[0])], [layer, Layer(two, (two,), one[0])]):
        with pytest.raises(InputError, match="E323 a network"):
            Network.canonical(signature, layers)
    with pytest.raises(InputError, match="E311"):
        Network.canonical(signature, [layer], [Fraction(1), Fraction(1)])
