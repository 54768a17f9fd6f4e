"""The reference engine derives what the definitions say, round by round and in the limit."""

from hypothesis import given

from isolog.datalog.substitution import substitute_atom
from isolog.datalog.syntax import Program, Rule
from isolog.engines.reference import derivations, run
from isolog.facts.dataset import Dataset
from support.by_definition import one_round, with_auxiliary
from support.small_programs import AUXILIARY, DATA, small_datasets, small_programs, small_rules

ANY = (*DATA, *AUXILIARY)


@given(small_programs(), small_datasets(ANY))
def test_one_round_is_what_all_substitutions_give(program: Program, dataset: Dataset) -> None:
    assert set(run(program, dataset)) == one_round(program, set(dataset))


@given(small_programs("fixpoint", invention=False), small_datasets(ANY))
def test_the_least_model_is_a_fixpoint(program: Program, dataset: Dataset) -> None:
    limit = run(program, dataset, rounds="fixpoint")
    assert run(program, dataset | limit) == limit


@given(small_programs("fixpoint", invention=False), small_datasets(ANY))
def test_the_least_model_is_stable(program: Program, dataset: Dataset) -> None:
    """With `not` asked of the least model itself, rounds that start at the input arrive at it: a stratified program
    has one such model."""
    limit = {*run(program, dataset, rounds="fixpoint")}
    settled = with_auxiliary(program, {*dataset} | limit)
    facts = {*dataset}
    while not (derived := one_round(program, facts, settled)) <= facts:
        facts |= derived
    assert derived == limit


@given(small_programs("fixpoint", negation=False, invention=False), small_datasets(ANY))
def test_without_not_rounds_arrive_at_the_least_model(program: Program, dataset: Dataset) -> None:
    facts = dataset
    while not (derived := run(program, facts)) <= facts:
        facts |= derived
    assert run(program, dataset, rounds="fixpoint") == derived


@given(small_rules(), small_datasets())
def test_derivations_are_distinct_and_give_all_facts(rule: Rule, dataset: Dataset) -> None:
    found = [*derivations(rule, dataset)]
    assert len(found) == len({frozenset(binding.items()) for binding in found})
    assert {substitute_atom(rule.head, binding.__getitem__) for binding in found} == {*run(Program((rule,)), dataset)}
