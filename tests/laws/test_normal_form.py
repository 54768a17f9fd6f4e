"""Normal forms are equal iff the rules are equal up to variable renaming, which trying all bijections tells."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from isolog.datalog.normal import normal_form
from isolog.datalog.rule_checks import rule_errors
from isolog.datalog.scope import scoped
from isolog.datalog.substitution import rename_literal, rename_rule
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Program, Rule, literal_variables
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Predicate, Variable
from support.small_programs import ANONYMOUS, VARIABLES, small_datasets, small_rules

FEW = (Predicate("A", 1), Predicate("r", 2))
Outer = Mapping[Count, tuple[Variable, ...]]
Names = Mapping[Variable, Variable]

few_rules = small_rules(FEW[:1], FEW, invention=False)


@st.composite
def rewritten(draw: st.DrawFn, rule: Rule) -> Rule:
    """The same rule, as far as variable renaming goes, written differently."""
    images = dict(zip(VARIABLES, draw(st.permutations([Variable("P"), Variable("X"), Variable("Y")]))))
    rule = rename_rule(rule, lambda variable: images.get(variable, variable))
    return Rule(rule.head, draw(shuffled(rule.body)))


@st.composite
def shuffled(draw: st.DrawFn, body: tuple[BodyLiteral, ...]) -> tuple[BodyLiteral, ...]:
    """The literals in another order, some of them twice, inequalities perhaps the other way round."""
    copies = [draw(turned(literal)) for literal in body]
    named = [
        literal for literal in body if ANONYMOUS not in literal_variables(literal) and not isinstance(literal, Count)
    ]
    copies += draw(st.lists(st.sampled_from(named).flatmap(turned), max_size=2)) if named else []
    return tuple(draw(st.permutations(copies)))


def turned(literal: BodyLiteral) -> st.SearchStrategy[BodyLiteral]:
    """The literal, written differently."""
    match literal:
        case Inequality():
            return st.sampled_from([literal, Inequality(literal.right, literal.left)])
        case Count():
            return shuffled(literal.body).map(lambda body: Count(literal.variable, body, literal.at_least))
        case _:
            return st.just(literal)


def equal_up_to_renaming(one: Rule, other: Rule) -> bool:
    """Whether some bijection makes the heads and the sets of conjuncts equal."""
    a, b = scoped(one), scoped(other)
    return any(
        rename_rule(Rule(a.rule.head), names.__getitem__).head == b.rule.head
        and same_conjuncts(a.rule.body, b.rule.body, names, a.outer, b.outer)
        for names in bijections(own((a.rule.head, *a.rule.body), a.outer), own((b.rule.head, *b.rule.body), b.outer))
    )


def same_conjuncts(
    one: tuple[BodyLiteral, ...], other: tuple[BodyLiteral, ...], names: Names, a: Outer, b: Outer
) -> bool:
    """Whether the sets of conjuncts are equal under the renaming of what is not local to them."""
    alike = [[same(left, right, names, a, b) for right in other] for left in one]
    return all(map(any, alike)) and all(map(any, zip(*alike))) and bool(one) == bool(other)


def same(left: BodyLiteral, right: BodyLiteral, names: Names, a: Outer, b: Outer) -> bool:
    """Whether two literals are equal under the renaming, and under some renaming of what is local to them."""
    if isinstance(left, Count) and isinstance(right, Count):
        local_left = own(left.body, a) - {*a[left], left.variable}
        local_right = own(right.body, b) - {*b[right], right.variable}
        return left.at_least == right.at_least and any(
            same_conjuncts(left.body, right.body, {**names, **local, left.variable: right.variable}, a, b)
            for local in bijections(local_left, local_right)
        )
    if isinstance(left, Count) or isinstance(right, Count):
        return False
    renamed = rename_literal(left, lambda variable: names.get(variable, variable))
    return renamed == right or (isinstance(renamed, Inequality) and Inequality(renamed.right, renamed.left) == right)


def own(literals: Iterable[BodyLiteral], outer: Outer) -> set[Variable]:
    """The variables of the literals that are not local to a count among them."""
    found = {v for one in literals for v in (outer[one] if isinstance(one, Count) else literal_variables(one))}
    return found - {ANONYMOUS}


def bijections(one: set[Variable], other: set[Variable]) -> Iterator[dict[Variable, Variable]]:
    """All bijections between two sets of variables."""
    left = sorted(one, key=lambda variable: variable.name)
    if len(one) == len(other):
        yield from (dict(zip(left, images)) for images in permutations(other))


@given(few_rules.flatmap(lambda rule: st.tuples(st.just(rule), rewritten(rule))))
def test_rules_written_differently_have_one_normal_form(pair: tuple[Rule, Rule]) -> None:
    one, other = pair
    assert equal_up_to_renaming(one, other)
    assert normal_form(one) == normal_form(other)


@given(small_rules())
def test_the_normal_form_is_the_rule_written_differently(rule: Rule) -> None:
    form = normal_form(rule)
    assert equal_up_to_renaming(rule, form)
    assert normal_form(form) == form
    assert not list(rule_errors(form))


graphs = st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=4, max_size=7)


@given(graphs, graphs, st.booleans())
def test_normal_forms_tell_graphs_apart(
    edges: list[tuple[int, int]], others: list[tuple[int, int]], directed: bool
) -> None:
    one, other = graph_rule(edges, directed), graph_rule(others, directed)
    assert (normal_form(one) == normal_form(other)) == equal_up_to_renaming(one, other)


def graph_rule(edges: list[tuple[int, int]], directed: bool) -> Rule:
    """A rule whose body is the graph: regular ones need more than counting neighbours."""
    pairs = [(Variable(f"V{a}"), Variable(f"V{b}")) for a, b in edges]
    return Rule(Atom("p"), tuple(Atom("r", pair) if directed else Inequality(*pair) for pair in pairs))


@given(small_rules(), small_datasets())
def test_the_normal_form_means_the_same(rule: Rule, dataset: Dataset) -> None:
    assert run(Program((normal_form(rule),)), dataset) == run(Program((rule,)), dataset)
