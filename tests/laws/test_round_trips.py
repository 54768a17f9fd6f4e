"""compile(P)(D) = P(D), extract(compile(P)) ≡ P and compile(extract(N)) ≡ N, to depth 4 and with counts to 5.

Each program is compiled with every activation that it can have, and each network is in the class of Def. 6.
"""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import event, given
from hypothesis import strategies as st

from isolog.correspondence.compile import ActivationChoice, compile_program
from isolog.correspondence.equivalence import equivalent
from isolog.correspondence.extract import extract
from isolog.datalog.syntax import Program
from isolog.datalog.tree_rules import to_program
from isolog.datalog.treelike import TreeRule
from isolog.engines.reference import run
from isolog.errors import UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.classes import class_report
from isolog.networks.network import Network
from support.strategies import networks
from support.trees import deep_rules, near, predicted, widest

SIGNATURE = Signature.of(["A", "B"], ["r", "s"])
SINGLE = Signature.of(["A"], ["r"])
CHOICES: tuple[ActivationChoice, ...] = ("relu", "clipped")
programs = st.booleans().flatmap(lambda chain: st.lists(deep_rules(SIGNATURE, chain), min_size=1, max_size=3))


def compiled_every_way(program: Program) -> Iterator[Network]:
    """The networks with ReLU, where there is one, and with the clipped activation."""
    for activation in CHOICES:
        try:
            network = compile_program(program, signature=SIGNATURE, activation=activation)
        except UnsupportedError as error:
            if activation != "relu" or not {finding.code for finding in error.findings} <= {"E480", "E481"}:
                raise
            event("no chains")
            continue
        assert class_report(network).is_monotonic_max_sum
        yield network


def tell(rules: list[TreeRule]) -> None:
    """How deep the rules go, and how far they count, for the statistics."""
    event(f"depth {max(rule.body.depth for rule in rules)}")
    event(f"count {max(widest(rule.body) for rule in rules)}")


@given(programs, st.data())
def test_a_network_derives_what_its_program_derives(rules: list[TreeRule], draws: st.DataObject) -> None:
    tell(rules)
    program = to_program(rules, SIGNATURE)
    data = draws.draw(near(rules[0].body, SIGNATURE))
    expected = run(program, data)
    event("derives something" if len(expected) else "derives nothing")
    for network in compiled_every_way(program):
        assert predicted(network, data) == expected


@given(programs)
def test_the_program_comes_back(rules: list[TreeRule]) -> None:
    tell(rules)
    program = to_program(rules, SIGNATURE)
    for network in compiled_every_way(program):
        back = extract(network, form="layered")
        assert back.complete and equivalent(back.program, program).equivalent is True


@given(networks(SINGLE) | networks(SIGNATURE, max_layers=2, max_hidden=2))
def test_the_network_comes_back(network: Network) -> None:
    event(f"{len(network.layers)} layers")
    found = extract(network, form="layered")
    back = compile_program(found.program, signature=network.signature)
    assert class_report(back).is_monotonic_max_sum
    assert equivalent(network, back).equivalent is True
