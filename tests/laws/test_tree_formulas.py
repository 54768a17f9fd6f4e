"""Tree-like formulas and rules: to and from text, equal up to renaming, true where the rules fire, implied likewise."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from isolog.datalog.enumerate_trees import tree_formulas as all_formulas
from isolog.datalog.normal import normal_form
from isolog.datalog.parser import parse_rule
from isolog.datalog.printer import print_rule
from isolog.datalog.recognise import recognise, why_not_tree_like
from isolog.datalog.substitution import rename_rule
from isolog.datalog.syntax import Program, Rule
from isolog.datalog.tree_implication import implies_any, sibling_quotients
from isolog.datalog.tree_rules import to_rule
from isolog.datalog.treelike import TreeClass, TreeFormula, TreeRule, is_d_f_tree_like, least_fan_out
from isolog.engines.reference import run
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Variable
from support.programs import rules as wild_rules
from support.strategies import datasets
from support.trees import derived, holds, tree_formulas, tree_rules

SIGNATURE = Signature.of(["A", "B"], ["r", "s"])
NARROW = Signature.of(["A", "B"], ["r"])
rules = tree_rules(SIGNATURE, max_depth=3, max_children=4)
small_bodies = tree_formulas(NARROW, max_depth=2, max_children=3)


@st.composite
def rewritten(draw: st.DrawFn, rule: Rule) -> Rule:
    """The rule with other names and another order."""
    variables = {v: Variable(f"V{n}") for n, v in enumerate(draw(st.permutations(variables_of(rule))))}
    renamed = rename_rule(rule, lambda variable: variables[variable])
    return Rule(renamed.head, tuple(draw(st.permutations(renamed.body))))


def variables_of(rule: Rule) -> list[Variable]:
    found: dict[Variable, None] = {}
    rename_rule(rule, lambda variable: found.setdefault(variable) or variable)
    return list(found)


@given(rules, st.booleans())
def test_from_and_to_rules(rule: TreeRule, counts: bool) -> None:
    written = to_rule(rule, counts=counts)
    assert recognise(written) == recognise(parse_rule(print_rule(written))) == rule


@given(st.data(), rules)
def test_renaming_and_reordering_change_nothing(data: st.DataObject, rule: TreeRule) -> None:
    written = to_rule(rule, counts=False)
    other = data.draw(rewritten(written))
    assert recognise(other) == rule
    assert normal_form(other) == normal_form(written)


def test_different_formulas_have_different_normal_forms() -> None:
    formulas = list(islice(all_formulas(TreeClass(("A",), ("r",), depth=2, fan_out=2)), 1500))
    assert len({normal_form(to_rule(TreeRule("A", body), counts=False)) for body in formulas}) == len(formulas)


@given(tree_formulas(NARROW, 1, 3), tree_formulas(NARROW, 1, 3))
def test_equal_iff_their_normal_forms_are(one: TreeFormula, other: TreeFormula) -> None:
    forms = [normal_form(to_rule(TreeRule("A", body), counts=False)) for body in (one, other)]
    assert (one == other) == (forms[0] == forms[1])


@given(st.lists(rules, max_size=3), datasets(SIGNATURE, constants=4, facts=14), st.booleans())
def test_rules_fire_where_their_bodies_hold(program: list[TreeRule], data: Dataset, counts: bool) -> None:
    written = Program(tuple(to_rule(rule, counts=counts) for rule in program))
    assert run(written, data) == derived(program, data)


@given(st.data(), tree_rules(NARROW, 2, 3), datasets(NARROW, constants=4, facts=12))
def test_what_is_recognised_means_the_same(data: st.DataObject, rule: TreeRule, facts: Dataset) -> None:
    """Rules that are nearly tree-like: two variables made one, literals dropped."""
    written = data.draw(rewritten(to_rule(rule, counts=False)))
    merged = dict(zip(*[iter(data.draw(st.lists(st.sampled_from(variables_of(written)), max_size=2)))] * 2))
    kept = tuple(literal for literal in written.body if data.draw(st.integers(0, 7)))
    near = rename_rule(Rule(written.head, kept), lambda variable: merged.get(variable, variable))
    if not why_not_tree_like(near):
        assert run(Program((near,)), facts) == derived([recognise(near)], facts)


@given(wild_rules)
def test_any_rule_is_recognised_or_explained(rule: Rule) -> None:
    try:
        found = why_not_tree_like(rule)
    except LimitError as error:
        found = error.findings
    assert all("E240" <= finding.code <= "E249" or finding.code == "E410" for finding in found)
    assert all(finding.hint for finding in found)
    if not found:
        assert recognise(rule).head == rule.head.name


@given(rules, st.integers(0, 2))
def test_the_least_fan_out_is_the_least(rule: TreeRule, deeper: int) -> None:
    d = rule.body.depth + deeper
    f = least_fan_out(rule.body, d)
    assert is_d_f_tree_like(rule.body, d, f)
    assert f == 0 or not is_d_f_tree_like(rule.body, d, f - 1)


@given(small_bodies, st.lists(small_bodies, min_size=1, max_size=3))
def test_implication_is_exact(body: TreeFormula, others: list[TreeFormula]) -> None:
    """The body's own sibling quotients, as datasets, are all the witnesses that there can be."""
    witnesses = [tree_dataset(quotient) for quotient in sibling_quotients(body)]
    assert all(holds(body, "n0", witness) for witness in witnesses)
    everywhere = all(any(holds(other, "n0", witness) for other in others) for witness in witnesses)
    assert implies_any(body, others) == everywhere


@given(small_bodies, st.lists(small_bodies, min_size=1, max_size=3), datasets(NARROW, constants=4, facts=16))
def test_what_is_implied_holds_too(body: TreeFormula, others: list[TreeFormula], data: Dataset) -> None:
    if implies_any(body, others):
        for term in data.terms:
            assert not holds(body, term, data) or any(holds(other, term, data) for other in others)


def tree_dataset(tree: TreeFormula) -> Dataset:
    """The tree with a constant per variable, the root's being `n0`; the root is the target of an edge, too."""
    facts = [Atom("r", ("source", "n0"))]
    pending = [(tree, "n0")]
    names = (f"n{n}" for n in range(1, tree.variables))
    while pending:
        formula, name = pending.pop()
        facts += [Atom(label, (name,)) for label in formula.labels]
        for group in formula.groups:
            for child in group.children:
                pending.append((child, next(names)))
                facts.append(Atom(group.colour, (name, pending[-1][1])))
    return Dataset.from_facts(facts)
