"""Random programs over few predicates and terms, so that their rules fire and every meaning can be tried out."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from isolog.datalog.checks import Rounds, check
from isolog.datalog.rule_checks import rule_errors
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule
from isolog.errors import InputError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Function, Predicate, Term, Variable

DATA = (Predicate("A", 1), Predicate("B", 1), Predicate("r", 2), Predicate("go", 0))
AUXILIARY = (Predicate("h", 1), Predicate("k", 2))
CONSTANTS = ("a", "b", "c")
VARIABLES = tuple(map(Variable, "XYZ"))
ANONYMOUS = Variable("_")


def _with_functions(leaves: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    f, g = (
        st.builds(lambda x: Function("f", (x,)), leaves),
        st.builds(lambda x, y: Function("g", (x, y)), leaves, leaves),
    )
    return st.one_of(leaves, leaves, leaves, leaves, f, g)


_ground = _with_functions(st.sampled_from(CONSTANTS))
_variables = st.sampled_from(VARIABLES)
_flat: st.SearchStrategy[Term] = st.one_of(_variables, _variables, _variables, st.sampled_from(CONSTANTS))
_patterns: st.SearchStrategy[Term] = _with_functions(
    st.one_of(_variables, _variables, st.sampled_from((*CONSTANTS, ANONYMOUS)))
)


def _atoms(predicates: tuple[Predicate, ...], terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Atom]:
    return st.sampled_from(predicates).flatmap(
        lambda predicate: st.tuples(*[terms] * predicate.arity).map(lambda row: Atom(predicate.name, row))
    )


def small_datasets(predicates: tuple[Predicate, ...] = DATA, max_size: int = 6) -> st.SearchStrategy[Dataset]:
    """Datasets with few terms, some of them function terms."""
    return st.lists(_atoms(predicates, _ground), max_size=max_size).map(Dataset.from_facts)


def _literals(read: tuple[Predicate, ...], negation: bool) -> st.SearchStrategy[BodyLiteral]:
    atoms = _atoms(read, _patterns)
    plain = [atoms, atoms, st.builds(Inequality, _patterns, _patterns)]
    if negation:
        plain.append(st.builds(Negation, atoms))
    flat = st.one_of(plain)
    return st.recursive(
        st.one_of(flat, flat, flat),
        lambda inner: st.builds(Count, _variables, st.lists(inner, max_size=3).map(tuple), st.integers(1, 3)),
        max_leaves=3,
    )


@st.composite
def small_rules(
    draw: st.DrawFn,
    heads: tuple[Predicate, ...] = DATA,
    read: tuple[Predicate, ...] = DATA,
    negation: bool = True,
    invention: bool = True,
) -> Rule:
    """A rule that passes the checks; with `invention` its head may have function terms."""
    head = draw(_atoms(heads, _with_functions(_flat) if invention else _flat))
    body: list[BodyLiteral] = []
    for literal in sorted(
        draw(st.lists(_literals(read, negation), max_size=4)), key=lambda one: not isinstance(one, Atom)
    ):
        if not list(rule_errors(Rule(head, (*body, literal)))):
            body.append(literal)
    return Rule(head, tuple(draw(st.permutations(body))))


@st.composite
def small_programs(draw: st.DrawFn, rounds: Rounds = 1, negation: bool = True, invention: bool = True) -> Program:
    """A program that may be applied for so many rounds; some have auxiliary predicates."""
    auxiliary = draw(st.sampled_from([(), (), AUXILIARY[:1], AUXILIARY]))
    read = (*DATA, *auxiliary)
    rules = [draw(small_rules((predicate,), read, negation, invention)) for predicate in auxiliary]
    rules += draw(st.lists(small_rules(read, read, negation, invention), min_size=1, max_size=3))
    program = Program(tuple(draw(st.permutations(rules))), frozenset(auxiliary))
    assume(_passes(program, rounds))
    return program


def _passes(program: Program, rounds: Rounds) -> bool:
    try:
        check(program, rounds)
    except InputError:
        return False
    return True
