"""Matching (paper §2): the substitutions that make the body of a rule true in a set of facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from isolog.datalog.scope import ANONYMOUS, ScopedRule, positive_variables, shared_variables
from isolog.datalog.substitution import substitute, substitute_atom
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, literal_variables
from isolog.engines.fact_index import Binding, FactIndex
from isolog.facts.terms import Atom, Term, Variable

_Variables: TypeAlias = tuple[Variable, ...]


def consequences(rule: ScopedRule, facts: FactIndex) -> Iterator[Atom]:
    """T_r: the head under every substitution for which the body is true, perhaps with repetitions."""
    head = rule.rule.head
    for binding in _Matcher(rule, facts).solutions(tuple(literal_variables(head))):
        yield substitute_atom(head, binding.__getitem__)


def substitutions(rule: ScopedRule, facts: FactIndex) -> Iterator[Binding]:
    """The substitutions for which the body is true, of the variables that are not local to a count."""
    direct, joint = shared_variables([rule.rule.head, *rule.rule.body])
    return _Matcher(rule, facts).solutions((*direct, *joint))


@dataclass(frozen=True, slots=True)
class _Body:
    """A conjunction: atoms, tests with the variables that they need bound, and counts."""

    atoms: tuple[Atom, ...]
    tests: tuple[tuple[Inequality | Negation, _Variables], ...]
    counts: tuple[_Count, ...]


@dataclass(frozen=True, slots=True)
class _Count:
    """A count: the variables that it needs bound, those that it shares with what is around it, and its body."""

    needs: _Variables
    outer: _Variables
    counted: Variable
    body: _Body
    at_least: int


class _Matcher:
    """A rule against a set of facts."""

    def __init__(self, rule: ScopedRule, facts: FactIndex) -> None:
        self.rule = rule
        self.facts = facts

    def solutions(self, wanted: _Variables) -> Iterator[Binding]:
        """Values of the wanted variables, and perhaps of others, for which the body is true."""
        return self.extensions(_body(self.rule.rule.body, self.rule.outer), {}, wanted)

    def extensions(self, body: _Body, binding: Binding, wanted: _Variables) -> Iterator[Binding]:
        """The extensions of the binding that make the body true; no more than one if all that is wanted is bound."""
        found = self.search(body, binding, wanted)
        return found if _unbound(wanted, binding) else islice(found, 1)

    def search(self, body: _Body, binding: Binding, wanted: _Variables) -> Iterator[Binding]:
        """The same in full. Tests go first, then the atom with the fewest candidates, then a count; a variable that
        nothing else binds takes all the values that it may have."""
        tests: list[tuple[Inequality | Negation, _Variables]] = []
        for test, needs in body.tests:
            if _unbound(needs, binding):
                tests.append((test, needs))
            elif not self.holds(test, binding):
                return
        atoms, counts = body.atoms, body.counts
        ready = next((count for count in counts if not _unbound(count.needs, binding)), None)
        if atoms:
            chosen = min(atoms, key=lambda atom: len(self.facts.candidates(atom, binding)))
            atoms = tuple([atom for atom in atoms if atom is not chosen])
            found = self.facts.matches(chosen, binding)
        elif ready is not None:
            counts = tuple([count for count in counts if count is not ready])
            found = self.groups(ready, binding)
        else:
            needs = [variable for _, needs in tests for variable in needs]
            needs += [variable for count in counts for variable in count.needs]
            unbound = _unbound((*needs, *wanted), binding)
            if not unbound:
                yield binding
                return
            found = ({**binding, unbound[0]: term} for term in self.range(unbound[0]))
        for extended in found:
            yield from self.extensions(_Body(atoms, tuple(tests), counts), extended, wanted)

    def holds(self, test: Inequality | Negation, binding: Binding) -> bool:
        """Whether an inequality or a negated atom is true under a binding of its variables."""
        if isinstance(test, Negation):
            return next(self.facts.matches(test.atom, binding), None) is None
        return substitute(test.left, binding.__getitem__) != substitute(test.right, binding.__getitem__)

    def groups(self, count: _Count, binding: Binding) -> Iterator[Binding]:
        """The extensions of the binding to the outer variables of the count that leave it enough values."""
        values: dict[tuple[Term, ...], set[Term]] = {}
        for inner in self.extensions(count.body, binding, (*count.outer, count.counted)):
            around = tuple([inner[variable] for variable in count.outer])
            values.setdefault(around, set()).add(inner[count.counted])
        for around, terms in values.items():
            if len(terms) >= count.at_least:
                yield {**binding, **dict(zip(count.outer, around, strict=True))}

    def range(self, variable: Variable) -> Iterable[Term]:
        """What a variable may be as far as no atom tells."""
        return self.facts.terms if variable in self.rule.unsafe else self.facts.subterms()


def _body(literals: tuple[BodyLiteral, ...], outer: Mapping[Count, _Variables]) -> _Body:
    tests = [literal for literal in literals if isinstance(literal, Inequality | Negation)]
    counts: list[_Count] = []
    for count in literals:
        if isinstance(count, Count):
            bound_inside = {*positive_variables(count.body)}
            needs = tuple(variable for variable in outer[count] if variable not in bound_inside)
            body = _body(count.body, outer)
            counts.append(_Count(needs, outer[count], count.variable, body, count.at_least))
    return _Body(
        tuple(literal for literal in literals if isinstance(literal, Atom)),
        tuple((test, tuple(v for v in literal_variables(test) if v != ANONYMOUS)) for test in tests),
        tuple(counts),
    )


def _unbound(variables: Iterable[Variable], binding: Binding) -> list[Variable]:
    return [variable for variable in variables if variable not in binding]
