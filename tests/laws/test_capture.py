"""The fast capture test is Lemma 1; captured rules are sound on every dataset, others have a least counterexample."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.correspondence.capture import CaptureResult, captures, captures_all, captures_tree_rules
from isolog.correspondence.lemma1 import failing_instance
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Program, Rule
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeRule, group, tree_formula
from isolog.encodings import canonical
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Predicate, Term, Variable
from isolog.networks import exact
from isolog.networks.network import SUM, MaxKSum, Network
from support.strategies import ACTIVATIONS, AGGREGATIONS, datasets, networks, small_signatures
from support.trees import derived, predicted, tree_formulas

COUNTED = Variable("N")
any_signatures = st.one_of(small_signatures, small_signatures, st.just(Signature.of(["U1", "U2"])))


def small_networks(signature: Signature) -> st.SearchStrategy[Network]:
    """A network over the signature, with any of the activations, most of its layers adding up."""
    return networks(signature, 3, 2, [SUM, SUM, MaxKSum(2), *AGGREGATIONS], ACTIVATIONS)


@st.composite
def tight_networks(draw: st.DrawFn, rule: Rule, signature: Signature) -> Network:
    """Such a network, whose thresholds are a part of the value that it gives to the head on the body itself."""
    network = draw(small_networks(signature))
    facts = [Atom(atom.name, tuple(map(str, atom.arguments))) for atom in rule.body_atoms]
    dataset = Dataset.from_facts(fact for fact in facts if fact.predicate in signature)
    constant = str(rule.head.arguments[0])
    if rule.head.predicate.arity == 2 or constant not in dataset.terms:
        return network
    values = exact.trace(network, canonical.encode(dataset, signature))[-1][dataset.terms.index(constant)]
    part = draw(st.sampled_from([Fraction(1), Fraction(3, 4), Fraction(2, 3), Fraction(1, 2)]))
    return Network.canonical(signature, network.layers, [max(value * part, Fraction(1, 4)) for value in values])


@st.composite
def small_tree_rules(draw: st.DrawFn, signature: Signature) -> TreeRule:
    """A tree-like rule with so few variables that all their partitions can be tried; often with many siblings."""
    body = draw(tree_formulas(signature))
    if draw(st.booleans()):
        colour, child = draw(st.sampled_from(signature.binary)), tree_formulas(signature, 1, 1)
        groups = [group(colour, *draw(st.lists(child, min_size=1, max_size=2))) for _ in range(draw(st.integers(2, 3)))]
        body = tree_formula(body.labels, groups)
    assume(body.variables <= 5)
    return TreeRule(draw(st.sampled_from(signature.unary)), body)


@st.composite
def networks_and_tree_rules(draw: st.DrawFn) -> tuple[Network, TreeRule]:
    """A network and a small tree-like rule, often with siblings that may coincide."""
    signature = draw(small_signatures)
    rule = draw(small_tree_rules(signature))
    return draw(tight_networks(to_rule(rule, counts=False), signature)), rule


def atoms(predicates: Sequence[Predicate], terms: Sequence[Term]) -> st.SearchStrategy[Atom]:
    """An atom over the terms."""
    rows = {arity: st.tuples(*[st.sampled_from(terms)] * arity) for arity in (1, 2)}
    return st.sampled_from(predicates).flatmap(lambda p: st.builds(Atom, st.just(p.name), rows[p.arity]))


@st.composite
def rules(draw: st.DrawFn, signature: Signature) -> Rule:
    """A rule with any body, tree-like or not; its head may be unsafe, binary, or about a constant. Often there are
    siblings that may coincide."""
    terms = [*map(Variable, "XYZ"), *draw(st.sampled_from(["", "", "a", "ab"]))]
    term, colours = st.sampled_from(terms), [p for p in signature.predicates if p.arity == 2]
    literals: list[st.SearchStrategy[BodyLiteral]] = [atoms(signature.predicates, terms)] * 3
    literals.append(st.builds(Inequality, term, term))
    if colours:
        inside = st.tuples(atoms(colours, [*terms, COUNTED]))
        literals.append(st.builds(Count, st.just(COUNTED), inside, st.integers(1, 2)))
    labels = [p for p in signature.predicates if p.arity == 1]
    body = draw(st.lists(st.one_of(literals), max_size=4))
    if not colours or not draw(st.integers(0, 2)):
        return Rule(draw(atoms(labels * 2 + colours, terms)), tuple(body))
    colour, (x, y, z, *_) = draw(st.sampled_from(colours)).name, terms
    siblings = [Atom(colour, (x, y)), Atom(colour, (x, z)), *draw(st.lists(atoms(labels, [y, z]), max_size=3))]
    return Rule(draw(atoms(labels, [x])), (*siblings, *body))


@st.composite
def networks_and_rules(draw: st.DrawFn) -> tuple[Network, Rule]:
    """A network and any rule over its predicates."""
    signature = draw(any_signatures)
    rule = draw(rules(signature))
    return draw(tight_networks(rule, signature)), rule


def check_counterexample(network: Network, result: CaptureResult) -> None:
    """The rule derives the fact and the network does not; without any one fact the rule does not derive it, either."""
    program, dataset, fact = Program((result.rule,)), result.counterexample, result.fact
    assert dataset is not None and fact is not None
    assert fact in run(program, dataset)
    assert fact not in (dataset if fact.predicate.arity == 2 else predicted(network, dataset))
    assert not any(fact in run(program, dataset - Dataset.from_facts([superfluous])) for superfluous in dataset)


def check_by_the_letter(network: Network, rule: Rule) -> None:
    """The fast test decides like Lemma 1, and shows why not."""
    result = captures(network, rule)
    assert result.captured == (failing_instance(network, rule) is None)
    if not result.captured:
        check_counterexample(network, result)


@given(networks_and_tree_rules())
def test_tree_like_rules_are_decided_as_by_the_letter(example: tuple[Network, TreeRule]) -> None:
    network, rule = example
    check_by_the_letter(network, to_rule(rule))
    assert captures_tree_rules(network, [rule]) == [captures(network, to_rule(rule, counts=False)).captured]


@given(networks_and_rules())
def test_other_rules_are_decided_as_by_the_letter(example: tuple[Network, Rule]) -> None:
    check_by_the_letter(*example)


@given(networks_and_rules(), st.data())
def test_captured_rules_are_sound(example: tuple[Network, Rule], data: st.DataObject) -> None:
    network, rule = example
    dataset = data.draw(datasets(network.signature))
    sound = run(Program((rule,)), dataset) <= predicted(network, dataset) | dataset
    assert sound or not captures(network, rule).captured


@given(networks_and_tree_rules(), st.data())
def test_captured_tree_like_rules_are_sound(example: tuple[Network, TreeRule], data: st.DataObject) -> None:
    network, rule = example
    dataset = data.draw(datasets(network.signature))
    sound = derived([rule], dataset) <= predicted(network, dataset)
    assert sound or captures_tree_rules(network, [rule]) == [False]


@given(
    small_signatures.flatmap(
        lambda s: st.tuples(small_networks(s), st.lists(small_tree_rules(s), min_size=2, max_size=3))
    )
)
def test_a_batch_is_decided_like_its_rules_one_by_one(example: tuple[Network, list[TreeRule]]) -> None:
    network, batch = example
    written = [to_rule(rule) for rule in batch]
    together = captures_all(network, written)
    assert together == [captures(network, rule) for rule in written]
    assert captures_tree_rules(network, batch) == [result.captured for result in together]
