"""Terms, predicates and atoms (paper §2): the words that facts and rules are made of.

A name is a plain `str`. RDF literals, variables and function terms have classes of their own, so that the
literal `"ann"` never equals the name `ann`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from isolog.source import Span

XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


@dataclass(frozen=True, slots=True)
class Literal:
    """An RDF literal; its lexical form is not interpreted, and `xsd:string` is no datatype.

    Language tags are compared without regard to case, as RDF says.

    >>> Literal("42", datatype=XSD_STRING) == Literal("42"), Literal("no", "EN") == Literal("no", "en")
    (True, True)
    """

    lexical: str
    language: str | None = None
    datatype: str | None = None

    def __post_init__(self) -> None:
        if self.datatype == XSD_STRING:
            object.__setattr__(self, "datatype", None)
        if self.language is not None:
            object.__setattr__(self, "language", self.language.lower())


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a rule; every occurrence of `_` stands for a variable of its own."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function term such as `g(a, b)`; ground when its arguments are."""

    symbol: str
    arguments: tuple[Term, ...]


Term: TypeAlias = str | Literal | Variable | Function


class Predicate(NamedTuple):
    """A predicate is a name with an arity: `A/1` and `A/2` differ."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


@dataclass(frozen=True, slots=True)
class Atom:
    """`name(arguments)`; a fact is an atom without variables. Where it was written does not matter for equality."""

    name: str
    arguments: tuple[Term, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def predicate(self) -> Predicate:
        """The predicate, arity included.

        >>> str(Atom("parent", ("ann", "bob")).predicate)
        'parent/2'
        """
        return Predicate(self.name, len(self.arguments))


def variables_of(term: Term) -> Iterator[Variable]:
    """The variables of a term, once per occurrence, from left to right."""
    match term:
        case Variable():
            yield term
        case Function():
            for argument in term.arguments:
                yield from variables_of(argument)
        case _:
            return


def is_ground(term: Term) -> bool:
    """Whether the term contains no variable."""
    return next(variables_of(term), None) is None


def term_depth(term: Term) -> int:
    """How deep function symbols are nested: 0 for a constant or variable.

    >>> term_depth(Function("f", (Function("g", ("a", "b")),)))
    2
    """
    if isinstance(term, Function):
        return 1 + max((term_depth(argument) for argument in term.arguments), default=0)
    return 0
