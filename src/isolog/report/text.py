"""Explanations and proof trees as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from isolog.correspondence.explain import Explanation
from isolog.correspondence.proof_tree import DATA, Tree, proof_tree
from isolog.correspondence.why_not import Missing, Way
from isolog.datalog.printer import print_rule
from isolog.facts.text import print_atom


def explanation_lines(explanation: Explanation, *, proof: bool = True) -> Iterator[str]:
    """The fact, the rule, the facts that it is used with, and how the network adds them up."""
    yield print_atom(explanation.fact)
    yield f"  by  {print_rule(explanation.rule)}"
    for fact in explanation.facts:
        yield f"  on  {print_atom(fact)}"
    count = len(explanation.facts)
    facts = "one fact" if count == 1 else f"{count} facts"
    yield f"  no fewer than {facts} will do" if explanation.minimal else f"  {facts}; whether fewer do is not settled"
    if proof:
        yield ""
        yield from tree_lines(proof_tree(explanation.proof))


def missing_lines(found: Missing) -> Iterator[str]:
    """The closest rules for a fact that is not derived: what each lacks, and what it finds in the data."""
    fact, ways = print_atom(found.fact), [Way(found.missing, found.explanation), *found.others]
    for place, way in enumerate(ways):
        count = len(way.missing)
        lacks = "one fact more" if count == 1 else f"{count} facts more"
        yield f"{fact} would be derived with {lacks}" if place == 0 else f"or with {lacks}"
        yield f"  by  {print_rule(way.explanation.rule)}"
        yield from (f"  +   {print_atom(each)}" for each in way.missing)
        yield from (f"  on  {print_atom(each)}" for each in way.explanation.facts if each not in way.missing)
        if place == 0:
            yield "  no fewer will do" if found.proven else "  whether fewer do is not settled"


def tree_lines(tree: Tree) -> Iterator[str]:
    """The tree, what is concluded above what it is drawn from.

    >>> print(*tree_lines(Tree("c", "a and b", (Tree("a", DATA), Tree("b", DATA)))), sep="\\n")
    c   (a and b)
    ├─ a
    └─ b
    """
    waiting = [("", "", tree)]
    while waiting:
        lead, branch, each = waiting.pop()
        yield f"{lead}{branch}{each.conclusion}" + ("" if each.by == DATA else f"   ({each.by})")
        below = lead + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        last = len(each.premises) - 1
        rows = [(below, "└─ " if place == last else "├─ ", premise) for place, premise in enumerate(each.premises)]
        waiting += reversed(rows)
