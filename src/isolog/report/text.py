"""Explanations and proof trees as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from isolog.correspondence.explain import Explanation
from isolog.correspondence.proof_tree import DATA, Tree, proof_tree
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
