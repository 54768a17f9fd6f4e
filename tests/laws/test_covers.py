"""A cover derives on its data exactly what the network derives there, by rules that hold everywhere."""

from hypothesis import given
from hypothesis import strategies as st

import isolog
from isolog.concepts import cover as covering
from isolog.correspondence.capture import captures_tree_rules
from isolog.datalog.tree_rules import tree_rules
from isolog.networks.network import MAX, SUM, MaxKSum
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures
from support.tiny_networks import likely_networks
from support.trees import predicted

any_networks = small_signatures.flatmap(
    lambda s: st.one_of(likely_networks(s, (SUM, MaxKSum(2), MAX)), networks(s, 3, 2, activations=ACTIVATIONS))
)


@given(st.data(), any_networks, st.sampled_from([0, 2, 300]))
def test_a_cover_derives_what_the_network_derives(
    data: st.DataObject, network: isolog.Network, candidates: int
) -> None:
    facts = data.draw(datasets(network.signature))
    usual, covering.MOST_CANDIDATES = covering.MOST_CANDIDATES, candidates
    try:
        found = isolog.extract(network, form="cover", data=facts)
    finally:
        covering.MOST_CANDIDATES = usual
    derived = predicted(network, facts)
    assert found.complete and isolog.run(found.program, facts) == derived
    assert all(captures_tree_rules(network, tree_rules(found.program)))
    assert found.support is not None and list(found.support) == [
        len(isolog.run(isolog.Program((rule,), signature=found.program.signature), facts)) for rule in found.program
    ]
    for place in range(found.rules):
        others = isolog.Program(tuple(rule for n, rule in enumerate(found.program) if n != place))
        assert isolog.run(others, facts) != derived


@given(st.data(), any_networks)
def test_a_budget_leaves_out_rules_and_says_so(data: st.DataObject, network: isolog.Network) -> None:
    facts = data.draw(datasets(network.signature))
    found = isolog.extract(network, form="cover", data=facts, max_atoms=3, max_rules=2, expand_counts=True)
    derived = isolog.run(found.program, facts)
    assert found.rules <= 2 and all(len(rule.body_atoms) <= 3 for rule in found.program)
    assert derived <= predicted(network, facts)
    assert found.complete == (derived == predicted(network, facts))
