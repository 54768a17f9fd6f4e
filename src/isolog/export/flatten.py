"""From programs to flat ones: counts become relations, variables that nothing binds get their range written out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from itertools import count as integers

from isolog.datalog.checks import Rounds, check
from isolog.datalog.scope import ANONYMOUS, ScopedRule, scoped
from isolog.datalog.stratify import TERMS as ALL_TERMS
from isolog.datalog.stratify import auxiliary_dependencies, dependencies, strata
from isolog.datalog.substitution import rename_literal, substitute, substitute_atom
from isolog.datalog.syntax import BodyLiteral, Count, Inequality, Negation, Program, Rule, rule_variables
from isolog.export.flat import TERMS, Conjunction, Definition, Enough, FlatProgram, Names, Part, Relation, Role
from isolog.facts.terms import Atom, Predicate, Term, Variable, is_ground, variables_of

MOST_SPELLED_OUT = 12
_PLAIN = re.compile(r"[A-Z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*")


def flatten(
    program: Program, rounds: Rounds = 1, *, project_negations: bool = False, native_counts: bool = False
) -> FlatProgram:
    """The flat program that derives the same; a program that fails the checks is refused.

    With `project_negations` no absent part has a `_`. For more than one round, counts of up to `MOST_SPELLED_OUT` are
    spelled out with that many variables, which systems evaluate in recursion, unless they have `native_counts`.

    >>> from isolog.datalog.parser import parse
    >>> flat = flatten(parse("p(X) :- #count{Y : r(X, Y)} >= 2."))
    >>> [definition.head.relation.name for definition in flat.definitions]
    ['values_1', 'enough_1', 'out_p']
    """
    check(program, rounds)
    writer = _Flattening(program, rounds, project_negations, native_counts)
    order = [p for stratum in strata(program.auxiliary, auxiliary_dependencies(program)) for p in sorted(stratum)]
    local = [rule for predicate in order for rule in program if rule.head.predicate == predicate]
    for rule in [*local, *(rule for rule in program if rule.head.predicate not in program.auxiliary)]:
        writer.rule(rule)
    return writer.finished()


class _Flattening:
    def __init__(self, program: Program, rounds: Rounds, project_negations: bool, native_counts: bool) -> None:
        self.program = program
        self.rounds: Rounds = rounds
        self.project_negations = project_negations
        self.spell_out = rounds == "fixpoint" and not native_counts
        self.heads = dict.fromkeys(rule.head.predicate for rule in program) if rounds == "fixpoint" else {}
        self.names = Names()
        self.reads: dict[Predicate, Relation] = {}
        self.derives: dict[Predicate, Relation] = {}
        self.definitions: list[Definition] = []

    def rule(self, rule: Rule) -> None:
        """Adds the definitions that the rule needs, then its own."""
        scopes = scoped(_plainly_named(rule))
        head = scopes.rule.head
        if head.predicate in self.program.auxiliary:
            relation = self.names.relation(Role.LOCAL, head.predicate)
        else:
            relation = self.derived(head.predicate)
        _RuleFlattening(self, scopes, rule).define(Part(relation, head.arguments), scopes.rule.body)

    def derived(self, predicate: Predicate) -> Relation:
        """The relation that the rules about a predicate fill."""
        return self.derives.setdefault(predicate, self.names.relation(Role.DERIVED, predicate))

    def read(self, predicate: Predicate) -> Relation:
        """The relation that bodies read for a predicate."""
        if predicate in self.program.auxiliary:
            return self.names.relation(Role.LOCAL, predicate)
        given = self.reads.setdefault(predicate, self.names.relation(Role.DATA, predicate))
        return self.names.relation(Role.KNOWN, predicate) if predicate in self.heads else given

    def finished(self) -> FlatProgram:
        """The flat program, what several rounds need included."""
        parts = [part for d in self.definitions if isinstance(d, Conjunction) for part in d.parts]
        reads_terms = any(part.relation == TERMS for part in parts)
        new_terms = {each.on for each in dependencies(self.program) if each.head == ALL_TERMS}
        for predicate in (head for head in self.heads if head not in self.program.auxiliary):
            row = _row(predicate.arity)
            output = Part(self.derived(predicate), row)
            if predicate in self.reads:
                known = Part(self.read(predicate), row)
                self.definitions += [Conjunction(known, (Part(self.reads[predicate], row),))]
                self.definitions += [Conjunction(known, (output,))]
            if reads_terms and predicate in new_terms:
                self.definitions += [Conjunction(Part(TERMS, (term,)), (output,)) for term in row]
        return FlatProgram(self.program, self.rounds, tuple(self.definitions), self.reads, self.derives, reads_terms)


class _RuleFlattening:
    """One rule; its variables have one scope each, and names that all systems allow."""

    def __init__(self, whole: _Flattening, scopes: ScopedRule, origin: Rule) -> None:
        self.whole, self.scopes, self.origin = whole, scopes, origin
        taken = {variable.name for variable in rule_variables(scopes.rule)}
        self.fresh = (Variable(name) for name in (f"V{n}" for n in integers(1)) if name not in taken)

    def define(self, head: Part, body: Sequence[BodyLiteral]) -> None:
        """Adds the definition of the head by the body, unless the body is false whatever the data are."""
        parts = [self.part(literal) for literal in body if isinstance(literal, Atom)]
        parts += [self.count(literal) for literal in body if isinstance(literal, Count)]
        absent = [self.absent(literal.atom) for literal in body if isinstance(literal, Negation)]
        pairs = [(literal.left, literal.right) for literal in body if isinstance(literal, Inequality)]
        if any(left == right for left, right in pairs):
            return
        different = tuple(pair for pair in pairs if not all(map(is_ground, pair)))
        self.define_with(head, parts, absent, different)

    def define_with(
        self, head: Part, parts: list[Part], absent: list[Part], different: tuple[tuple[Term, Term], ...]
    ) -> None:
        """Adds the definition, with the range of each variable that no part binds."""
        bound = {variable for part in parts for term in part.arguments for variable in variables_of(term)}
        used = [*head.arguments, *(term for pair in different for term in pair)]
        used += [term for part in absent for term in part.arguments]
        for variable in dict.fromkeys(variable for term in used for variable in variables_of(term)):
            if variable not in bound and variable != ANONYMOUS:
                parts = [*parts, self.range(variable)]
        whole = Conjunction(head, tuple(parts), tuple(absent), different, self.origin)
        self.whole.definitions.append(_unnamed(whole))

    def part(self, atom: Atom) -> Part:
        """The atom as it is read."""
        return Part(self.whole.read(atom.predicate), atom.arguments)

    def absent(self, atom: Atom) -> Part:
        """The negated atom, or the negated projection of it."""
        part = self.part(atom)
        variables = [v for term in part.arguments for v in variables_of(term)]
        if not self.whole.project_negations or ANONYMOUS not in variables:
            return part
        named = tuple(dict.fromkeys(v for v in variables if v != ANONYMOUS))
        head = Part(self.whole.names.local("some", len(named)), named)
        self.whole.definitions.append(Conjunction(head, (part,), origin=self.origin))
        return head

    def count(self, count: Count) -> Part:
        """The part that says of the outer variables what the count says."""
        outer = self.scopes.outer[count]
        values = Part(self.whole.names.local("values", len(outer) + 1), (*outer, count.variable))
        self.define(values, count.body)
        if count.at_least == 1:
            return Part(values.relation, (*outer, next(self.fresh)))
        enough = Part(self.whole.names.local("enough", len(outer)), outer)
        if self.whole.spell_out and count.at_least <= MOST_SPELLED_OUT:
            members = [next(self.fresh) for _ in range(count.at_least)]
            parts = [Part(values.relation, (*outer, member)) for member in members]
            self.define_with(enough, parts, [], tuple(combinations(members, 2)))
        else:
            self.whole.definitions.append(Enough(enough, values, count.at_least, self.origin))
        return enough

    def range(self, variable: Variable) -> Part:
        """What a variable may be that no part binds: any term of the data, or whatever an atom elsewhere binds."""
        if variable in self.scopes.unsafe:
            return Part(TERMS, (variable,))
        atom = next(atom for atom in _positive(self.scopes.rule.body) if _occurs(variable, atom))
        others: dict[Variable, Variable] = {variable: variable}

        def apart(other: Variable) -> Variable:
            return others.setdefault(other, next(self.fresh))

        return self.part(substitute_atom(atom, apart))


def _positive(body: Sequence[BodyLiteral]) -> Iterator[Atom]:
    for literal in body:
        if isinstance(literal, Atom):
            yield literal
        elif isinstance(literal, Count):
            yield from _positive(literal.body)


def _occurs(variable: Variable, atom: Atom) -> bool:
    return any(variable in variables_of(term) for term in atom.arguments)


def _row(arity: int) -> tuple[Variable, ...]:
    return tuple(Variable(f"V{place}") for place in range(1, arity + 1))


def _plainly_named(rule: Rule) -> Rule:
    """The rule with every variable named as all systems allow; `_` is left under `not` only."""
    taken = {variable.name for variable in rule_variables(rule) if _PLAIN.fullmatch(variable.name)}
    fresh = (Variable(name) for name in (f"X{number}" for number in integers(1)) if name not in taken)
    names = {ANONYMOUS: ANONYMOUS}

    def named(variable: Variable) -> Variable:
        return variable if variable.name in taken else names.setdefault(variable, next(fresh))

    def spread(variable: Variable) -> Variable:
        return next(fresh) if variable == ANONYMOUS else named(variable)

    def plain(literal: BodyLiteral) -> BodyLiteral:
        match literal:
            case Negation():
                return rename_literal(literal, lambda variable: names.get(variable) or named(variable))
            case Count():
                body = tuple(map(plain, literal.body))
                return Count(named(literal.variable), body, literal.at_least, literal.span)
            case _:
                return rename_literal(literal, spread)

    return Rule(substitute_atom(rule.head, spread), tuple(map(plain, rule.body)), rule.span)


def _unnamed(whole: Conjunction) -> Conjunction:
    """The conjunction with `_` for each variable that occurs once, in a part."""
    terms = [term for part in (whole.head, *whole.parts, *whole.absent) for term in part.arguments]
    terms += [term for pair in whole.different for term in pair]
    times = Counter(variable for term in terms for variable in variables_of(term))

    def seen(variable: Variable) -> Variable:
        return ANONYMOUS if times[variable] == 1 else variable

    def shown(part: Part) -> Part:
        return Part(part.relation, tuple(substitute(term, seen) for term in part.arguments))

    return Conjunction(whole.head, tuple(map(shown, whole.parts)), whole.absent, whole.different, whole.origin)
