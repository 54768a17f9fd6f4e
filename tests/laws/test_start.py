"""Training from a network begins with it: after no epochs, it is the network, whatever the data and the targets."""

from __future__ import annotations

from hypothesis import assume, event, given
from hypothesis import strategies as st

from isolog.correspondence.compile import compile_program
from isolog.correspondence.equivalence import equivalent
from isolog.correspondence.rule_diff import rule_diff
from isolog.datalog.tree_rules import to_program
from isolog.datalog.treelike import TreeRule
from isolog.encodings.registry import find_encoding
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.learning.examples import examples
from isolog.learning.settings import Settings
from isolog.learning.start import fine_enough, grid_bits, start_of
from isolog.learning.to_network import network_of
from isolog.learning.training import Run
from isolog.networks.network import MAX, SUM, MaxKSum, Network
from isolog.networks.widen import widened
from support.strategies import datasets, networks
from support.trees import chains, predicted

SIGNATURE = Signature.of(["A", "B"], ["r"])
LARGER = Signature.of(["A", "B", "C"], ["r", "s"])
data_and_targets = st.tuples(datasets(LARGER, constants=4, facts=12), datasets(Signature.of(["A", "C"]), constants=4))
on_a_grid = networks(SIGNATURE, aggregations=[MAX, SUM, MaxKSum(2), MaxKSum(0)]).filter(
    lambda network: grid_bits(network) is not None
)


def after_no_epochs(network: Network, data: Dataset, targets: Dataset) -> Network:
    """What training says before it has done anything."""
    assume(len(data))
    start = start_of(widened(network, LARGER))
    aggregation = tuple(layer.aggregation.k for layer in network.layers if isinstance(layer.aggregation, MaxKSum))
    (bits, *_) = fine_enough(network, (1,))
    settings = Settings(aggregation=aggregation, hidden=3, epochs=0, bits=bits, seed=len(data))
    encoding = find_encoding("canonical", start.network.signature)
    run = Run(examples(encoding, data, targets), settings, start)
    return network_of(run.result(), encoding, {})


@given(st.lists(chains(SIGNATURE, 2), max_size=3), data_and_targets)
def test_a_compiled_program_is_where_training_begins(rules: list[TreeRule], given: tuple[Dataset, Dataset]) -> None:
    program = to_program(rules, SIGNATURE)
    begun = after_no_epochs(compile_program(program, activation="relu"), *given)
    found = equivalent(begun, to_program(rules, LARGER))
    assert found.equivalent is True
    event("derives something" if rules else "derives nothing")


@given(on_a_grid, data_and_targets)
def test_so_is_any_network_with_relu_on_a_grid(network: Network, given: tuple[Dataset, Dataset]) -> None:
    begun = after_no_epochs(network, *given)
    data, _ = given
    assert predicted(begun, data) == predicted(widened(network, LARGER), data)
    assert equivalent(begun, widened(network, LARGER)).equivalent is True


@given(st.lists(chains(SIGNATURE, 2), max_size=3), st.lists(chains(SIGNATURE, 2), max_size=3))
def test_rules_are_kept_lost_and_gained_as_programs_say(old: list[TreeRule], new: list[TreeRule]) -> None:
    before, after = (compile_program(to_program(rules, SIGNATURE)) for rules in (old, new))
    found = rule_diff(before, after)
    same = equivalent(before, after).equivalent
    assert found.complete and not found.undecided
    assert (not found.gained and not found.lost) == same
    for results, by in ((found.gained, after), (found.lost, before)):
        other = before if by is after else after
        for result in results:
            assert result.counterexample is not None and result.fact is not None
            assert result.fact in predicted(by, result.counterexample)
            assert result.fact not in predicted(other, result.counterexample)
