"""Terms in SQL: constants as the data have them, function terms as text that can be put together and taken apart.

`g(s, t)` is the text `<{`, the number of `g` (5 digits), the arity (3), the depth (5), the length of each argument (9),
then the arguments. No constant starts with `<{`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program
from isolog.facts.terms import Atom, Function, Term, Variable, is_ground

Quote: TypeAlias = Callable[[str], str]
_MARK = "<{"
_DEPTH, _LENGTHS, _LENGTH = 11, 16, 9


@dataclass(frozen=True, slots=True)
class Terms:
    """How ground terms are written: `word` is a constant as the data have it, `quote` makes it an expression."""

    word: Callable[[Term], str]
    quote: Quote
    symbols: dict[str, int] = field(default_factory=dict[str, int])

    def encode(self, term: Term) -> str:
        """The text of a ground term.

        >>> Terms(str, str).encode(Function("f", ("a", "bc")))
        '<{0000000200001000000001000000002abc'
        """
        if not isinstance(term, Function):
            return self.word(term)
        parts = [self.encode(argument) for argument in term.arguments]
        depth = 1 + max(map(_depth_of_text, parts), default=0)
        lengths = "".join([f"{len(part):0{_LENGTH}}" for part in parts])
        return f"{self._head(term)}{depth:05}{lengths}{''.join(parts)}"

    def decode(self, text: str, constant: Callable[[str], Term]) -> Term:
        """The term with this text; `constant` reads the words."""
        if not text.startswith(_MARK):
            return constant(text)
        symbol, arity = int(text[2:7]), int(text[7:10])
        name = next(name for name, number in self.symbols.items() if number == symbol)
        starts = _LENGTHS - 1
        place = starts + _LENGTH * arity
        arguments: list[Term] = []
        for start in range(starts, place, _LENGTH):
            end = place + int(text[start : start + _LENGTH])
            arguments.append(self.decode(text[place:end], constant))
            place = end
        return Function(name, tuple(arguments))

    def expression(self, term: Term, values: Callable[[Variable], str]) -> str:
        """The term as an SQL expression over the values of its variables."""
        if isinstance(term, Variable):
            return values(term)
        if is_ground(term) or not isinstance(term, Function):
            return self.quote(self.encode(term))
        parts = [self.expression(argument, values) for argument in term.arguments]
        depths = [depth(part) for part in parts]
        deepest = depths[0] if len(depths) == 1 else f"greatest({', '.join(depths)})"
        lengths = [_digits(f"length({part})", _LENGTH) for part in parts]
        pieces = [self.quote(self._head(term)), _digits(f"1 + {deepest}", 5), *lengths, *parts]
        return f"concat({', '.join(pieces)})"

    def is_made(self, term: Function, expression: str) -> str:
        """The condition that the value has the symbol and the arity of the function term."""
        head = self._head(term)
        return f"substring({expression}, 1, {len(head)}) = {self.quote(head)}"

    def part(self, term: Function, expression: str, place: int) -> str:
        """The argument at the place, counted from 0, of a value that has the symbol of the function term."""
        lengths = [
            f"CAST(substring({expression}, {_LENGTHS + _LENGTH * before}, {_LENGTH}) AS INTEGER)"
            for before in range(place + 1)
        ]
        start = " + ".join([str(_LENGTHS + _LENGTH * len(term.arguments)), *lengths[:-1]])
        return f"CASE WHEN {self.is_made(term, expression)} THEN substring({expression}, {start}, {lengths[-1]}) END"

    def _head(self, term: Function) -> str:
        number = self.symbols.setdefault(term.symbol, len(self.symbols))
        return f"{_MARK}{number:05}{len(term.arguments):03}"


def depth(expression: str) -> str:
    """How deep functions are nested in a value of text."""
    number = f"CAST(substring({expression}, {_DEPTH}, 5) AS INTEGER)"
    return f"CASE WHEN substring({expression}, 1, 2) = '{_MARK}' THEN {number} ELSE 0 END"


def is_function(expression: str) -> str:
    """The condition that the value is a function term."""
    return f"substring({expression}, 1, 2) = '{_MARK}'"


def has_functions(program: Program) -> bool:
    """Whether some rule has a function term."""
    literals = [literal for rule in program for literal in (rule.head, *rule.body)]
    return any(isinstance(term, Function) for term in _terms(literals))


def _terms(literals: Sequence[BodyLiteral]) -> Iterator[Term]:
    for literal in literals:
        match literal:
            case Atom():
                yield from literal.arguments
            case Inequality():
                yield from (literal.left, literal.right)
            case Negation():
                yield from literal.atom.arguments
            case Count():
                yield from _terms(literal.body)


def _depth_of_text(text: str) -> int:
    return int(text[_DEPTH - 1 : _DEPTH + 4]) if text.startswith(_MARK) else 0


def _digits(number: str, width: int) -> str:
    """The number as so many digits."""
    return f"substring(concat({10**width} + {number}, ''), 2, {width})"
