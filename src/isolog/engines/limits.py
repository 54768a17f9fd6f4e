"""The errors for evaluations that have no end, or none within the bounds."""

from __future__ import annotations

from isolog.errors import Finding, LimitError
from isolog.facts.terms import Predicate


def too_deep(predicate: Predicate, deepest: int, rounds: int, derived: int) -> LimitError:
    """Function terms that are nested deeper than a fixpoint may nest them."""
    message = f"in round {rounds}, after {derived:,} facts, `{predicate}` nests functions more than {deepest} deep"
    hint = "if the recursion has an end, raise `max_term_depth`; one round has no such bound"
    return LimitError(Finding("E401", message, hint=hint))
