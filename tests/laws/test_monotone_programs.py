"""More facts never give fewer conclusions without `not`, and the names of constants do not matter."""

import re

from hypothesis import given
from hypothesis import strategies as st

from isolog.datalog.checks import Rounds
from isolog.datalog.printer import print_program
from isolog.datalog.syntax import Program
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from support.renaming import renamed
from support.small_programs import AUXILIARY, CONSTANTS, DATA, small_datasets, small_programs

ANY = (*DATA, *AUXILIARY)
rounds_allowed = st.sampled_from([1, "fixpoint"])


@given(small_programs(negation=False, invention=False), small_datasets(ANY), small_datasets(ANY), rounds_allowed)
def test_more_facts_never_fewer_conclusions(program: Program, few: Dataset, more: Dataset, rounds: Rounds) -> None:
    assert run(program, few, rounds=rounds) <= run(program, few | more, rounds=rounds)


@given(small_programs("fixpoint", invention=False), small_datasets(ANY), st.permutations("abcxy"), rounds_allowed)
def test_isomorphic_data_give_isomorphic_results(
    program: Program, dataset: Dataset, images: list[str], rounds: Rounds
) -> None:
    """Constants of the program keep their names, the others change them for others."""
    named = {*re.findall(r"\b[abc]\b", print_program(program))}
    others = [name for name in CONSTANTS if name not in named]
    images = [name for name in images if name not in named]
    renaming = dict(zip(others, images)) | {name: name for name in named}
    result = run(program, renamed(dataset, renaming), rounds=rounds)
    assert result == renamed(run(program, dataset, rounds=rounds), renaming)
