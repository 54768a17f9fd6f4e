"""What the concepts of an extraction mean in the network: a name and a sentence for every one that says something.

A concept is a unit that reaches a level, neighbours where one does, or what is left of a unit's weighted sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from isolog.concepts.dag import AND, COUNT, LABEL, Concepts, Node
from isolog.correspondence.concepts_of_network import Extraction
from isolog.correspondence.levels import Unit
from isolog.facts.text import print_predicate_name
from isolog.graphs.sorts import Sorts
from isolog.networks.network import Network

_NOT_PLAIN = re.compile(r"\W+", re.ASCII)
_LONGEST = 24


class Meaning(NamedTuple):
    """A name for an auxiliary predicate, and what it says of a vertex."""

    name: str
    text: str


def meanings(extraction: Extraction) -> dict[Node, Meaning]:
    """Per concept that the network has a use for, what it means there; the same concept may have other uses, too."""
    found: dict[Node, Meaning] = {}
    for node, meaning in (*_levels(extraction), *_rests(extraction)):
        found.setdefault(node, meaning)
    return _combined(extraction.concepts, extraction.network, found)


def _levels(extraction: Extraction) -> Iterator[tuple[Node, Meaning]]:
    """Units that reach a value which somebody asked for, those of low layers first."""
    network, regression = extraction.network, extraction.regression
    grid = regression.grid
    asked = {
        (question.unit, Fraction(question.value, grid.value_scale(question.unit.layer)))
        for question in regression.steps.questions
    }
    last = len(network.layers)
    for output, nodes in enumerate(extraction.heads):
        asked |= {(Unit(last, output, sort), network.thresholds[output]) for sort in range(len(nodes))}
    for unit, value in sorted(asked, key=lambda pair: (pair[0].layer, pair[0].index, pair[0].sort, pair[1])):
        node = regression.known(unit, value)
        if node is not None:
            name = f"{_unit_name(unit, extraction.sorts)}_at_least_{_number(value)}"
            yield node, Meaning(name, f"{_unit_text(network, extraction.sorts, unit)} is at least {value}")


def _rests(extraction: Extraction) -> Iterator[tuple[Node, Meaning]]:
    """What the inputs of a unit from some step on must add up to."""
    grid, sorts = extraction.regression.grid, extraction.sorts
    owners = {step: (unit, steps[0] - step) for unit, steps in extraction.regression.steps.of_units() for step in steps}
    for step, (_, wanted, node) in extraction.regression.solved():
        unit, place = owners[step]
        amount = Fraction(wanted, grid.scales[unit.layer - 1].argument)
        name = f"{_unit_name(unit, sorts)}_rest_{place}_at_least_{_number(amount)}"
        whole = _unit_text(extraction.network, sorts, unit)
        yield node, Meaning(name, f"of what adds up to {whole}, all after question {place} comes to {amount} or more")


def _combined(concepts: Concepts, network: Network, found: dict[Node, Meaning]) -> dict[Node, Meaning]:
    """The meanings, with those of counts and conjunctions over them."""
    for node in range(len(concepts)):
        kind = concepts.kinds[node]
        if kind == LABEL:
            label = network.features[concepts.left[node]]
            found[node] = Meaning(_plain(label), print_predicate_name(label))
        elif node not in found and kind == COUNT:
            number, colour = concepts.quantity(node)
            inner = found.get(concepts.left[node])
            name, text = ("anything", "anything") if inner is None else inner
            many = f"{number} neighbours" if number > 1 else "1 neighbour"
            along = network.colours[colour]
            said = f"at least {many} by {print_predicate_name(along)} with: {text}"
            found[node] = Meaning(f"has_{number}_{_plain(along)}_{name}", said)
        elif node not in found and kind == AND:
            one, other = (found.get(part) for part in concepts.parts(node))
            if one is not None and other is not None and max(len(one.text), len(other.text)) < 4 * _LONGEST:
                found[node] = Meaning("both", f"{one.text}; and {other.text}")
    return found


def _unit_name(unit: Unit, sorts: Sorts) -> str:
    at = f"_{_plain(sorts[unit.sort].name)}" if len(sorts) > 1 else ""
    return f"unit_{unit.layer}_{unit.index + 1}{at}"


def _unit_text(network: Network, sorts: Sorts, unit: Unit) -> str:
    at = f" at a vertex of sort {sorts[unit.sort].name}" if len(sorts) > 1 else ""
    named = f" ({print_predicate_name(network.features[unit.index])})" if unit.layer == len(network.layers) else ""
    return f"unit {unit.index + 1} of layer {unit.layer}{named}{at}"


def _number(value: Fraction) -> str:
    sign = "minus_" if value < 0 else ""
    below = f"_over_{value.denominator}" if value.denominator > 1 else ""
    return f"{sign}{abs(value.numerator)}{below}"


def _plain(name: str) -> str:
    """The last part of a name, as far as it can stand in another one."""
    return _NOT_PLAIN.sub("_", re.split(r"[/#]", name.rstrip("/#"))[-1])[:_LONGEST].strip("_")
