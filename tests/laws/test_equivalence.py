"""`equivalent` decides like P_N by the letter and exact implication, says yes to what is equal by construction, and
its witnesses tell the two apart."""

from hypothesis import assume, given, reject
from hypothesis import strategies as st

from isolog.correspondence.compile import compile_program
from isolog.correspondence.concepts_of_network import concepts_of_network
from isolog.correspondence.equivalence import equivalent
from isolog.correspondence.program_of_network import program_of_network, theorem_class
from isolog.correspondence.truncate import truncate
from isolog.datalog.count_trees import has_more_formulas
from isolog.datalog.syntax import Program
from isolog.datalog.tree_rules import to_program
from isolog.errors import InputError, UnsupportedError
from isolog.facts.terms import Predicate
from isolog.networks.network import MAX, SUM, MaxKSum, Network
from support.comparing import all_datasets, check_witness, derive, imply_each_other, layered, mutated, without_functions
from support.small_programs import small_programs
from support.strategies import ACTIVATIONS, datasets, networks, small_signatures
from support.trees import tree_rules

MOST_RULES = 300
SMALL = (SUM, MAX, MaxKSum(2))


@st.composite
def pairs_of_networks(draw: st.DrawFn) -> tuple[Network, Network]:
    """Two networks over one signature; half of the time they differ by one weight at most."""
    signature = draw(small_signatures)
    one = draw(networks(signature, 2, 2, activations=ACTIVATIONS))
    return one, draw(st.one_of(mutated(one), networks(signature, 2, 2, activations=ACTIVATIONS)))


@given(pairs_of_networks(), st.data())
def test_networks_that_are_equivalent_agree_and_others_are_told_apart(
    pair: tuple[Network, Network], data: st.DataObject
) -> None:
    one, other = pair
    result = equivalent(one, other)
    assert result.equivalent is not None
    if result.equivalent:
        for _ in range(5):
            dataset = data.draw(datasets(one.signature))
            assert derive(one, dataset) == derive(other, dataset)
    else:
        check_witness(one, other, result)


@given(st.data())
def test_networks_are_decided_as_by_the_letter(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    one = data.draw(networks(signature, 2, 1, SMALL, ACTIVATIONS, integral=True))
    other = data.draw(st.one_of(mutated(one), networks(signature, 2, 1, SMALL, ACTIVATIONS, integral=True)))
    for network in (one, other):
        assume(not has_more_formulas(theorem_class(network), MOST_RULES, len(signature.unary)))
    rules = [program_of_network(network, most_rules=MOST_RULES).reduced_rules for network in (one, other)]
    result = equivalent(one, other)
    assert result.equivalent == imply_each_other(*rules, signature)
    for network, by_letter in zip((one, other), rules, strict=True):
        assert equivalent(network, to_program(by_letter, signature)).equivalent


@given(st.data())
def test_tree_like_programs_are_decided_by_implication(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    rules = st.lists(tree_rules(signature, 2, 2), max_size=3)
    one, other = data.draw(rules), data.draw(rules)
    if data.draw(st.booleans()):
        other = [*other, *one][: data.draw(st.integers(1, 6))]
    first, second = (to_program(each, signature) for each in (one, other))
    result = equivalent(first, second)
    assert result.equivalent == imply_each_other(one, other, signature)
    if not result.equivalent:
        check_witness(first, second, result)


@given(small_signatures.flatmap(lambda s: networks(s, 3, 2, activations=ACTIVATIONS)))
def test_layered_programs_and_truncations_are_equivalent(network: Network) -> None:
    assume(len(concepts_of_network(network).concepts) <= 800)
    program = layered(network)
    assert equivalent(network, program).equivalent
    assert equivalent(program, truncate(network)).equivalent


@given(st.data())
def test_compiled_programs_are_equivalent(data: st.DataObject) -> None:
    signature = data.draw(small_signatures)
    program = to_program(data.draw(st.lists(tree_rules(signature, inequalities=False), min_size=1, max_size=3)))
    assert equivalent(program, compile_program(program)).equivalent


EVERY = all_datasets([Predicate("A", 1), Predicate("r", 2)], ["a", "d"])


flat_programs = small_programs(negation=False, invention=False).map(without_functions)


@given(flat_programs, flat_programs, st.data())
def test_general_programs_are_told_apart_iff_they_differ(one: Program, other: Program, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        other = Program((*one.rules, *other.rules[1:]), one.auxiliary)
    try:
        result = equivalent(one, other, seconds=1)
    except (InputError, UnsupportedError):
        # A variable in place of a function term may bind less; auxiliary predicates beyond trees are not compared.
        reject()
    if result.equivalent is False:
        check_witness(one, other, result)
    elif result.equivalent:
        assert all(derive(one, dataset) == derive(other, dataset) for dataset in EVERY)
