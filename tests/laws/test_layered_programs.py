"""A layered program derives exactly what its network derives, and read back it says the same."""

from hypothesis import given
from hypothesis import strategies as st

import isolog
from isolog.concepts.dag import BOTTOM
from isolog.concepts.evaluate import evaluate
from isolog.concepts.from_rules import concepts_of_program
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.datalog.parser import parse
from isolog.encodings.canonical import encode
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures
from support.trees import predicted

MOST_RULES = 60
any_networks = small_signatures.flatmap(
    lambda s: networks(s, max_layers=4, max_hidden=2, activations=ACTIVATIONS)
).filter(lambda network: isolog.extract(network, form="layered").rules <= MOST_RULES)


@given(st.data(), any_networks)
def test_it_derives_what_the_network_derives(data: st.DataObject, network: isolog.Network) -> None:
    found = isolog.extract(network, form="layered")
    facts = data.draw(datasets(network.signature))
    assert isolog.run(found.program, facts) == predicted(network, facts)
    assert parse(str(found)) == found.program


@given(st.data(), any_networks)
def test_read_back_it_says_the_same(data: st.DataObject, network: isolog.Network) -> None:
    extraction = concepts_of_network(network)
    program = isolog.extract(network, form="layered").program
    features = {name: number for number, name in enumerate(network.features)}
    colours = {name: number for number, name in enumerate(network.colours)}
    back = concepts_of_program(extraction.concepts, program, features, colours)
    graph = encode(data.draw(datasets(network.signature)), network.signature)
    nodes = [head[0] for head in extraction.heads]
    again = [back.get(name, BOTTOM) for name in network.features]
    found = evaluate(extraction.concepts, {*nodes, *again}, graph)
    assert all((found[node] == found[read]).all() for node, read in zip(nodes, again, strict=True))


@given(any_networks)
def test_every_auxiliary_predicate_is_explained_where_it_begins(network: isolog.Network) -> None:
    found = isolog.extract(network, form="layered")
    explained = [remark.split(":")[0] for remark in found.remarks if remark]
    assert sorted(explained) == sorted(predicate.name for predicate in found.program.auxiliary)
    defined = [rule.head.name for rule in found.program]
    for name in explained:
        place = defined.index(name)
        assert found.remarks[place].startswith(f"{name}: ")
