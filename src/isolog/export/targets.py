"""Export: a program, and data if wanted, as text for another system; what that system cannot say is an error."""

from __future__ import annotations

from importlib import import_module
from typing import Literal as OneOf
from typing import TypeAlias, get_args

from isolog.datalog.checks import Rounds
from isolog.datalog.syntax import Program
from isolog.errors import Finding, InputError, UnsupportedError
from isolog.facts.dataset import Dataset

Target: TypeAlias = OneOf["souffle", "nemo", "asp", "sparql", "owl", "sql"]
TARGETS: tuple[Target, ...] = get_args(Target)
_RECURSIVE = ("souffle", "nemo", "asp")


def export_program(program: Program, to: str, *, rounds: Rounds = 1, data: Dataset | None = None) -> str:
    """The text that makes the other system derive what the program derives; its first lines say how to use it.

    With `data`, the facts are part of the text. Everything that the other system cannot say comes in one error.

    >>> from isolog.datalog.parser import parse
    >>> text = export_program(parse("grandparent(X, Z) :- parent(X, Y), parent(Y, Z)."), "asp")
    >>> [line for line in text.splitlines() if line.startswith("out_")]
    ['out_grandparent(X,Z) :- in_parent(X,Y), in_parent(Y,Z).']
    """
    if to not in TARGETS:
        known = ", ".join(f"`{name}`" for name in TARGETS)
        raise InputError(Finding("E530", f"no export to `{to}`", hint=f"known are {known}"))
    if rounds != 1 and to not in _RECURSIVE:
        hint = "one round can be exported to it; " + ", ".join(f"`{name}`" for name in _RECURSIVE) + " know recursion"
        raise UnsupportedError(Finding("E531", f"`{to}` derives one round only", hint=hint))
    return import_module(f"isolog.export.{to}").export(program, rounds, data)
