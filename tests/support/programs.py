"""Random programs with everything that the language has, under the oddest names."""

from __future__ import annotations

from hypothesis import strategies as st

from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Function, Literal, Predicate, Term, Variable

NAMESPACES = ("http://ex.org/", "http://ex.org/a", "urn:x#", "n", "")
_odd_names = ["", "not", "true", "Ann", "_", "_x", "_:b1", "a b", "<>", "été", "01", "count", "http://ex.org/part-of"]
_text = st.text(max_size=5)
_local = st.from_regex(r"[\w-]{0,4}", fullmatch=True)

names = st.one_of(
    st.sampled_from(["a", "b", "parent", "Person"]),
    st.sampled_from(_odd_names),
    st.builds(str.__add__, st.sampled_from(NAMESPACES), _local),
    _text,
)
literals = st.one_of(
    st.builds(Literal, _text),
    st.builds(Literal, _text, language=st.sampled_from(["en", "de-AT", "x-1"])),
    st.builds(Literal, _text, datatype=names),
)
variables = st.sampled_from(["X", "Y", "Z1", "_x", "Long_name"]).map(Variable)
anonymous = st.just(Variable("_"))


def terms(leaves: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    """The leaves, and function terms over them."""
    return st.recursive(
        leaves, lambda inner: st.builds(Function, names, st.lists(inner, max_size=3).map(tuple)), max_leaves=4
    )


ground_terms = terms(names | literals)
head_terms = terms(names | literals | variables)
body_terms = terms(names | literals | variables | anonymous)


def atoms(arguments: st.SearchStrategy[Term]) -> st.SearchStrategy[Atom]:
    """Atoms with such arguments."""
    return st.builds(Atom, names, st.lists(arguments, max_size=3).map(tuple))


facts = atoms(ground_terms)
_flat = st.one_of(
    atoms(body_terms), st.builds(Inequality, body_terms, body_terms), st.builds(Negation, atoms(body_terms))
)
body_literals: st.SearchStrategy[BodyLiteral] = st.recursive(
    _flat,
    lambda inner: st.builds(Count, variables, st.lists(inner, max_size=2).map(tuple), st.integers(0, 10**9)),
    max_leaves=4,
)
rules = st.builds(Rule, atoms(head_terms), st.lists(body_literals, max_size=4).map(tuple))
_predicates = st.builds(Predicate, names, st.integers(0, 12))
programs = st.builds(
    Program,
    st.lists(rules, max_size=4).map(tuple),
    st.frozensets(_predicates, max_size=20),
    st.none() | st.lists(_predicates, max_size=20, unique=True).map(lambda found: Signature(tuple(found))),
    st.dictionaries(
        st.sampled_from(["", "ex", "Ex", "n1", "not", "_y"]), st.sampled_from(NAMESPACES) | _text, max_size=3
    )
    .map(dict.items)
    .map(tuple),
)
