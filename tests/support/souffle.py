"""A reader for the part of Soufflé that exports use: the text becomes a program of this project, which can be run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule
from isolog.engines.reference import run
from isolog.facts.dataset import Dataset
from isolog.facts.tabular import parse_tsv_field
from isolog.facts.terms import Atom, Literal, Term, Variable

_TOKEN = re.compile(r'\s*(?://[^\n]*\n\s*)*("(?:[^"\\\n]|\\["\\ntr])*"|:-|!=|>=|\.?[A-Za-z_]\w*|\d+|[(){},.:=!])')
_ESCAPE = re.compile(r"\\(.)")
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r"}
_STARTS_WITH_QUOTE = "starts with a quote"


class SouffleReader:
    """Declarations are collected and checked against use; symbols are names, whatever stands in them."""

    def __init__(self, text: str) -> None:
        self.tokens, position = list[str](), 0
        while (match := _TOKEN.match(text, position)) is not None:
            self.tokens.append(match[1])
            position = match.end()
        assert not text[position:].strip(), text[position : position + 80]
        self.arities: dict[str, int] = {}
        self.outputs: list[str] = []
        self.rules: list[Rule] = []
        while self.tokens:
            self.clause()

    def take(self, *expected: str) -> str:
        token = self.tokens.pop(0)
        assert not expected or token in expected, (token, expected, self.tokens[:10])
        return token

    def clause(self) -> None:
        match self.tokens[0]:
            case ".decl":
                self.take()
                name, columns = self.take(), list(self.columns())
                assert name not in self.arities and len(set(columns)) == len(columns)
                self.arities[name] = len(columns)
            case ".output":
                self.take()
                self.outputs.append(self.take())
            case _:
                head, body = self.atom(), list[BodyLiteral]()
                while self.take(":-", ",", ".") != ".":
                    body.append(self.literal())
                self.rules.append(Rule(head, tuple(body)))

    def columns(self) -> Iterator[str]:
        self.take("(")
        while self.tokens[0] != ")":
            yield self.take()
            self.take(":")
            self.take("symbol")
            if self.tokens[0] == ",":
                self.take()
        self.take(")")

    def atom(self) -> Atom:
        name, arguments = self.take(), list[Term]()
        self.take("(")
        while self.tokens[0] != ")":
            arguments.append(self.term())
            if self.tokens[0] == ",":
                self.take()
        self.take(")")
        assert self.arities[name] == len(arguments), name
        return Atom(name, tuple(arguments))

    def term(self) -> Term:
        token = self.take()
        if token[0] != '"':
            return Variable(token)
        return _ESCAPE.sub(lambda escape: _CHARACTERS.get(escape[1], escape[1]), token[1:-1])

    def literal(self) -> BodyLiteral:
        if self.tokens[0] == "!":
            self.take()
            return Negation(self.atom())
        if self.tokens[0] == "count":
            return self.count()
        if self.tokens[0] == "substr":
            _, _, variable, *rest = (self.take() for _ in range(10))
            assert rest == [",", "0", ",", "1", ")", "=", '"\\""']
            return Atom(_STARTS_WITH_QUOTE, (Variable(variable),))
        if self.tokens[1] == "(":
            return self.atom()
        left = self.term()
        self.take("!=")
        return Inequality(left, self.term())

    def count(self) -> Count:
        """Soufflé counts the tuples of the atom: the values of its last argument, since the others are bound."""
        for token in ("count", ":", "{"):
            self.take(token)
        atom = self.atom()
        self.take("}")
        self.take(">=")
        counted = atom.arguments[-1]
        assert isinstance(counted, Variable)
        return Count(counted, (atom,), int(self.take()))


def derived(text: str) -> dict[str, set[tuple[str | Literal, ...]]]:
    """What is derived for each output relation, symbols read as fields of TSV."""
    reader = SouffleReader(text)
    facts = [rule.head for rule in reader.rules if not rule.body]
    symbols = {term for fact in facts for term in fact.arguments if isinstance(term, str)}
    quoted = [Atom(_STARTS_WITH_QUOTE, (symbol,)) for symbol in symbols if symbol[:1] == '"']
    model = run(Program(tuple(reader.rules)), Dataset.from_facts(quoted), rounds="fixpoint")
    return {
        name: {tuple(parse_tsv_field(str(term)) for term in fact.arguments) for fact in model if fact.name == name}
        for name in reader.outputs
    }
