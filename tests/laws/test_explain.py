"""Explanations: the fewest facts, a rule that is captured, a proof that re-checks; and what is missing, if anything."""

from itertools import combinations, islice

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.cli.explain import explanation_json
from isolog.correspondence.explain import Explainer, Explanation
from isolog.correspondence.hitting import smallest_hitting_sets
from isolog.correspondence.proofs import recheck
from isolog.correspondence.smallest_sets import answered, minimal_set, smallest_set
from isolog.correspondence.transformation import network_encoding, operator, predict
from isolog.correspondence.user_capture import constants_of
from isolog.correspondence.why_not import Way, why_not
from isolog.datalog.printer import print_rule
from isolog.datalog.syntax import Program, rule_variables
from isolog.engines.reference import run
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom
from isolog.networks.exact import trace
from isolog.networks.network import Network
from support.encoded import encoded_networks
from support.letter_capture import captured_by_the_letter
from support.strategies import datasets, signatures_and_networks

SIGNATURE = Signature.of(["A"], ["r", "s"])
ENCODINGS = [
    "pairs",
    "pairs-printed+inverses",
    "pairs+nominals",
    "pairs:2",
    "indigo",
    "paths",
    "paths:3",
    "canonical+nominals",
    "all-pairs",
]


def fewest(network: Network, data: Dataset, fact: Atom) -> int:
    """How many facts of the data derive the fact, by trying all sets of facts."""
    facts = list(data)
    return next(
        size
        for size in range(len(facts) + 1)
        if any(fact in predict(network, Dataset.from_facts(part)) for part in combinations(facts, size))
    )


def proves(found: Explanation) -> bool:
    """Whether the proof ends with the value that the network has there, when it sees the facts that are used alone."""
    around = found.proof.around
    root = around.vertex(found.fact)
    assert root is not None and around.encoded.dataset == Dataset.from_facts(found.facts)
    network, step = around.network, found.proof.root
    exact = trace(network, around.encoded.graph)[-1][root][step.unit]
    return step.vertex == root and network.layers[-1].activation(step.value) == exact


def check(network: Network, data: Dataset, found: Explanation) -> None:
    used = Dataset.from_facts(found.facts)
    assert used <= data and found.user_atoms == len(used)
    assert found.fact in predict(network, used)
    assert found.minimal and len(used) == fewest(network, data, found.fact)
    assert recheck(found.proof) and proves(found)
    assert found.fact in run(Program((found.rule,)), used)
    if len(rule_variables(found.rule)) <= 3:
        known, _ = constants_of([network_encoding(network).encoder])
        assert captured_by_the_letter(operator(network), found.rule, sorted(known, key=repr)), print_rule(found.rule)


@given(signatures_and_networks, st.data())
def test_explanations_of_canonical_networks(network: Network, draws: st.DataObject) -> None:
    data = draws.draw(datasets(network.signature, constants=4, facts=7))
    derived = list(predict(network, data))
    explainer = Explainer(network, data)
    assert None not in explainer.smallest(derived)
    for found in islice(explainer.all(derived), 3):
        check(network, data, found)


@pytest.mark.parametrize("name", ENCODINGS)
@given(draws=st.data())
def test_explanations_under_an_encoding(name: str, draws: st.DataObject) -> None:
    network = draws.draw(encoded_networks(name, SIGNATURE))
    data = draws.draw(datasets(SIGNATURE, constants=4, facts=5))
    derived = list(predict(network, data))
    explainer = Explainer(network, data)
    assert None not in explainer.smallest(derived)
    for found in islice(explainer.all(derived), 3):
        check(network, data, found)


@pytest.mark.parametrize("name", ["pairs", "pairs+nominals", "paths", "canonical+nominals"])
@given(draws=st.data())
def test_explanations_of_one_shape_are_what_each_alone_would_be(name: str, draws: st.DataObject) -> None:
    network = draws.draw(encoded_networks(name, SIGNATURE))
    data = draws.draw(datasets(SIGNATURE, constants=5, facts=7))
    derived = list(predict(network, data))
    together = Explainer(network, data).all(derived)
    for fact, one in zip(derived[:6], together, strict=False):
        other = Explainer(network, data).explain(fact)
        assert other is not None and explanation_json(one) == explanation_json(other)
        assert one.proof.facts == other.proof.facts and recheck(one.proof)
        assert one.proof.around.by_term == other.proof.around.by_term


@given(signatures_and_networks, st.data())
def test_side_by_side_and_one_by_one_find_as_few(network: Network, draws: st.DataObject) -> None:
    data = draws.draw(datasets(network.signature, constants=4, facts=7))
    explainer, derived = Explainer(network, data), list(predict(network, data))
    alone = [explainer.explain(fact) for fact in derived]
    for one, other in zip(alone, explainer.smallest(derived), strict=True):
        assert one is not None and other is not None
        assert len(one.facts) == len(other.facts) and one.minimal and other.minimal


@given(signatures_and_networks, st.data())
def test_what_is_not_derived_has_no_explanation(network: Network, draws: st.DataObject) -> None:
    data = draws.draw(datasets(network.signature, constants=3, facts=5))
    derived, explainer = predict(network, data), Explainer(network, data)
    candidates = [Atom(name, (term,)) for name in network.features for term in [*data.terms, "elsewhere"]]
    assert [explainer.explain(fact) is not None for fact in candidates] == [fact in derived for fact in candidates]


@given(signatures_and_networks, st.data())
def test_what_is_missing_derives_the_fact_and_no_part_of_it_does(network: Network, draws: st.DataObject) -> None:
    data = draws.draw(datasets(network.signature, constants=3, facts=4))
    fact = Atom(draws.draw(st.sampled_from(network.features)), (draws.draw(st.sampled_from(["c0", "c1", "other"])),))
    assume(fact not in predict(network, data))
    try:
        found = why_not(Explainer(network, data), fact, seconds=0.2)
    except LimitError:
        return
    ways = [Way(found.missing, found.explanation), *found.others]
    for missing, explanation in ((way.missing, way.explanation) for way in ways):
        assert fact in predict(network, data | Dataset.from_facts(missing))
        for left_out in missing:
            fewer = Dataset.from_facts(each for each in missing if each != left_out)
            assert fact not in predict(network, data | fewer)
        assert set(missing) <= set(explanation.facts) <= {*data, *missing}
        assert not found.proven or len(missing) >= len(found.missing)
    assert len({way.explanation.rule for way in ways}) == len(ways)


families = st.lists(st.integers(1, 63), min_size=1, max_size=6)


@given(families)
def test_hitting_sets_are_the_smallest(sets: list[int]) -> None:
    found = list(smallest_hitting_sets(sets, 6))
    hitting = [each for each in range(64) if all(each & one for one in sets)]
    least = min(each.bit_count() for each in hitting)
    assert sorted(found) == [each for each in hitting if each.bit_count() == least]


@given(families)
def test_the_smallest_set_of_a_monotone_property(generators: list[int]) -> None:
    def holds(parts: object) -> list[bool]:
        return [any(part & each == each for each in generators) for part in parts]  # type: ignore[attr-defined]

    found = answered(smallest_set(range(6), 10.0), holds)
    assert found is not None and found.proven
    assert found.chosen.bit_count() == min(each.bit_count() for each in generators)
    minimal = answered(minimal_set(range(6)), holds)
    assert minimal in generators and not any(each != minimal and minimal & each == each for each in generators)
