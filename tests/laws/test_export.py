"""Exported programs derive elsewhere what they derive here, one round and least model, whatever the names."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from isolog.datalog.checks import Rounds, check
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule
from isolog.engines.reference import run
from isolog.errors import InputError, UnsupportedError
from isolog.export.targets import export_program
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Function, Literal, Predicate, Term
from support.export_runners import RUN
from support.programs import literals, names
from support.small_programs import AUXILIARY, DATA, small_datasets, small_programs

ANY = (*DATA, *AUXILIARY)
WORDS = ("a", "b", "c", "A", "B", "r", "go", "h", "k", "f", "g")


class Translation:
    """New names for what a program or dataset speaks of; without function terms and facts without arguments if the
    target has none."""

    def __init__(self, predicates: dict[str, str], constants: dict[str, str | Literal], triples: bool, flat: bool):
        self.predicates, self.constants, self.triples, self.flat = predicates, constants, triples, flat

    def term(self, term: Term) -> Term:
        match term:
            case str():
                return self.constants.get(term, term)
            case Function():
                if self.flat:
                    return self.term(term.arguments[-1])
                return Function(self.predicates[term.symbol], tuple(map(self.term, term.arguments)))
            case _:
                return term

    def atom(self, atom: Atom) -> Atom:
        name = self.predicates.get(atom.name, atom.name)
        if self.triples and not atom.arguments:
            return Atom(name, (self.term("a"),))
        return Atom(name, tuple(map(self.term, atom.arguments)))

    def literal(self, literal: BodyLiteral) -> BodyLiteral:
        match literal:
            case Atom():
                return self.atom(literal)
            case Inequality():
                return Inequality(self.term(literal.left), self.term(literal.right))
            case Negation():
                return Negation(self.atom(literal.atom))
            case Count():
                return Count(literal.variable, tuple(map(self.literal, literal.body)), literal.at_least)

    def program(self, program: Program) -> Program:
        rules = tuple(Rule(self.atom(rule.head), tuple(map(self.literal, rule.body))) for rule in program)
        auxiliary = frozenset(Predicate(self.predicates[name], arity) for name, arity in program.auxiliary)
        return Program(rules, auxiliary)


@st.composite
def translations(draw: st.DrawFn, triples: bool, flat: bool) -> Translation:
    """Half of them change nothing but the shape, the others give everything the oddest names."""
    if draw(st.booleans()):
        return Translation({word: word for word in WORDS}, {}, triples, flat)
    odd = draw(st.lists(names, min_size=len(WORDS), max_size=len(WORDS), unique=True))
    constants = draw(st.lists(names | literals, min_size=3, max_size=3, unique=True))
    return Translation(dict(zip(WORDS, odd)), dict(zip("abc", constants)), triples, flat)


def agrees(target: str, program: Program, dataset: Dataset, rounds: Rounds) -> None:
    """The system derives what the reference engine derives, unless it cannot say it."""
    try:
        check(program, rounds)
    except InputError:
        assume(False)
    try:
        text = export_program(program, target, rounds=rounds, data=dataset)
    except UnsupportedError:
        assume(False)
    expected = set(run(program, dataset, rounds=rounds))
    if target == "sparql":
        expected = {fact for fact in expected if not isinstance(fact.arguments[0], Literal)}
    assert RUN[target](program, text, rounds) == expected


@pytest.mark.parametrize("target", sorted(RUN))
@given(st.data())
def test_one_round(target: str, data: st.DataObject) -> None:
    new = data.draw(translations(triples=target in ("sparql", "sql"), flat=target != "asp"))
    program = new.program(data.draw(small_programs()))
    dataset = Dataset.from_facts(map(new.atom, data.draw(small_datasets(ANY))))
    agrees(target, program, dataset, 1)


@pytest.mark.parametrize("target", ["asp", "nemo", "souffle"])
@given(st.data())
def test_least_model(target: str, data: st.DataObject) -> None:
    new = data.draw(translations(triples=False, flat=target != "asp"))
    program = new.program(data.draw(small_programs("fixpoint", invention=False)))
    dataset = Dataset.from_facts(map(new.atom, data.draw(small_datasets(ANY))))
    agrees(target, program, dataset, "fixpoint")
