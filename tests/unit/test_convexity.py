"""Datasets that ReLU networks cannot tell apart the right way, and no claim where there are none."""

import pytest

from isolog.correspondence.convexity import Inseparable, inseparable
from isolog.datalog.parser import parse
from isolog.datalog.tree_rules import tree_rules
from isolog.engines.reference import run
from isolog.facts.text import print_atom
from support.inseparable import INSEPARABLE, PLAIN


def datasets(text: str) -> Inseparable | None:
    rules = tree_rules(parse(text))
    return inseparable(rules[0], rules)


def test_the_datasets_of_the_plain_rule() -> None:
    found = datasets(PLAIN)
    assert found is not None and print_atom(found.fact) == "U(a)"
    assert sorted(map(print_atom, found.derived)) == ["A(b)", "B(c)", "E(a, b)", "E(a, c)"]
    assert sorted(map(print_atom, found.not_derived)) == ["A(c)", "B(c)", "E(a, b)", "E(a, c)"]


@pytest.mark.parametrize("text", INSEPARABLE)
def test_the_program_tells_them_apart(text: str) -> None:
    found = datasets(text)
    assert found is not None
    assert found.fact in run(parse(text), found.derived)
    assert found.fact not in run(parse(text), found.not_derived)


def test_nothing_is_claimed_where_a_second_rule_fires_after_the_exchange() -> None:
    assert datasets(PLAIN + "U(X) :- E(X, Y1), A(Y1), B(Y1), E(X, Y2), Y1 != Y2.") is None
