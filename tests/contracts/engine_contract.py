"""The contract of engines: whatever a program runs on, it derives the facts that the reference engine derives.

A new engine is tested by two lines:

    class TestMine(EngineContract):
        engine = Mine()

What it does not do is declared as a gap, whose reason starts with `not yet`, `engine cannot` or `never`; the tests see
to it that the gap is really there, and that the error names a way out.
"""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolog.datalog.parser import parse
from isolog.datalog.syntax import Program
from isolog.engines.engine import Engine, Options
from isolog.engines.reference import Reference
from isolog.errors import InputError, LimitError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from support.corpus import CASES, Case
from support.small_programs import AUXILIARY, DATA, small_datasets, small_programs

REASONS = ("not yet: ", "engine cannot: ", "never: ")
ANY = (*DATA, *AUXILIARY)


class EngineContract:
    """What every engine passes; `gap` says why it does not evaluate a program, `examples` how many random ones."""

    engine: ClassVar[Engine]
    examples: ClassVar[int | None] = None

    def gap(self, program: Program) -> str | None:
        """No gaps, unless the engine declares some."""
        return None

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
    def test_corpus(self, case: Case, request: pytest.FixtureRequest) -> None:
        reason = self.gap(case.program()) if case.facts is not None or case.codes == ["E401"] else None
        if reason is not None:
            assert reason.startswith(REASONS)
            request.applymarker(pytest.mark.xfail(raises=UnsupportedError, reason=reason, strict=True))
        case.check(self.engine)

    def test_random_programs(self) -> None:
        examples = settings(max_examples=self.examples) if self.examples else settings()

        @examples
        @given(small_programs(), small_datasets(ANY))
        def one_round(program: Program, dataset: Dataset) -> None:
            self.agrees(program, dataset, Options())

        @examples
        @given(st.booleans().flatmap(lambda deep: small_programs("fixpoint", invention=deep)), small_datasets(ANY))
        def fixpoint(program: Program, dataset: Dataset) -> None:
            self.agrees(program, dataset, Options("fixpoint", max_term_depth=2))

        one_round()
        fixpoint()

    def agrees(self, program: Program, dataset: Dataset, options: Options) -> None:
        """The engine and the reference engine derive the same, or reach the same limit."""
        if self.gap(program) is None:
            assert _outcome(self.engine, program, dataset, options) == _outcome(Reference(), program, dataset, options)

    def test_the_input_stays_as_it_is(self) -> None:
        dataset = Dataset.from_facts([Atom("r", ("a", "b")), Atom("A", ("b",))])
        before = list(dataset)
        derived = self.engine.run(parse("A(X) :- r(X, Y), A(Y)."), dataset, Options("fixpoint"))
        assert list(derived) == [Atom("A", ("a",))] and list(dataset) == before

    def test_checks_come_first(self) -> None:
        with pytest.raises(InputError, match="E225"):
            self.engine.run(parse("p(X) :- not q(X)."), Dataset.empty())

    def test_it_has_a_name(self) -> None:
        assert self.engine.name == self.engine.name.lower()


def _outcome(engine: Engine, program: Program, dataset: Dataset, options: Options) -> Dataset | str:
    try:
        return engine.run(program, dataset, options)
    except LimitError as error:
        return error.findings[0].code
