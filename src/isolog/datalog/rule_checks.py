"""The checks of a single rule: its counts, and the variables under `not`."""

from __future__ import annotations

from collections.abc import Iterator

from isolog.datalog.scope import ANONYMOUS, ScopedRule, free_variables, positive_variables, scoped, shared_variables
from isolog.datalog.syntax import BodyLiteral, Count, Negation, Rule, literal_variables
from isolog.errors import Finding
from isolog.facts.terms import Variable


def rule_errors(rule: Rule) -> Iterator[Finding]:
    """What is wrong with the rule."""
    yield from _count_errors(rule.body, free_variables(rule.head))
    negations = list(_negations(rule.body))
    if negations:
        yield from _negation_errors(negations, scoped(rule))


def joined_counts(rule: Rule) -> Iterator[Finding]:
    """A warning for each variable that occurs in several counts and nowhere else in the rule."""
    yield from _joined(rule.body, free_variables(rule.head))


def _negation_errors(written: list[Negation], explicit: ScopedRule) -> Iterator[Finding]:
    """The variables under `not`, in the rule as it is written, that are bound by no atom and no counting."""
    body = explicit.rule.body
    bound = {ANONYMOUS, *positive_variables(body), *(count.variable for count in explicit.outer)}
    for negation, renamed in zip(written, _negations(body), strict=True):
        pairs = zip(literal_variables(negation), literal_variables(renamed), strict=True)
        for name in dict.fromkeys(variable.name for variable, own in pairs if own not in bound):
            message = f"`{name}` occurs under `not`, but in no positive atom"
            hint = f"write `_` for any term at all, or bind `{name}` by an atom"
            yield Finding("E225", message, negation.span, hint)


def _count_errors(literals: tuple[BodyLiteral, ...], enclosing: dict[Variable, None]) -> Iterator[Finding]:
    counts = [literal for literal in literals if isinstance(literal, Count)]
    visible = enclosing | {variable: None for literal in literals if counts for variable in free_variables(literal)}
    for count in counts:
        name = count.variable.name
        if count.variable in visible:
            yield Finding("E226", f"`{name}` is counted here and used outside", count.span, "rename one of them")
        if count.at_least < 1:
            message, hint = f"`>= {count.at_least}` holds of every count", "leave the count out"
            yield Finding("E227", message, count.span, hint)
        yield from _count_errors(count.body, visible | {count.variable: None})


def _joined(literals: tuple[BodyLiteral, ...], enclosing: dict[Variable, None]) -> Iterator[Finding]:
    direct, joint = shared_variables(literals)
    visible = enclosing | direct | joint
    counts = [literal for literal in literals if isinstance(literal, Count)]
    for variable in (v for v in joint if v not in enclosing):
        span = next(count.span for count in counts if variable in free_variables(count))
        message = f"`{variable.name}` occurs in several counts and nowhere else, so it has one value in all of them"
        yield Finding("E231", message, span, "give it another name in each count to have it local")
    for count in counts:
        yield from _joined(count.body, visible | {count.variable: None})


def _negations(literals: tuple[BodyLiteral, ...]) -> Iterator[Negation]:
    for literal in literals:
        match literal:
            case Negation():
                yield literal
            case Count():
                yield from _negations(literal.body)
            case _:
                pass
