"""How far apart the facts may be that make a vertex, by encoding: what need not be looked at to explain a fact."""

from __future__ import annotations

import math

from isolog.encodings.encoding import Encoding

_FROM_OWN_TERMS = ("canonical", "pairs", "pairs:1", "pairs-printed", "indigo", "paths", "paths:2")
_SPANS = {"canonical": 0, "pairs": 1, "pairs-printed": 1, "indigo": 1, "paths": 2}


def is_made_of_own_terms(encoding: Encoding) -> bool:
    """Whether vertices, their features and edges come from facts about the terms of the vertices alone."""
    return encoding.lay_out is not None and _base(encoding) in _FROM_OWN_TERMS


def span(encoding: Encoding) -> float:
    """How many links apart the terms of a vertex are at most; infinite where any two terms may make a vertex.

    >>> from isolog.encodings.registry import find_encoding
    >>> from isolog.facts.signature import Signature
    >>> [span(find_encoding(name, Signature.of([], ["r"]))) for name in ("pairs:3+inverses", "all-pairs")]
    [3, inf]
    """
    name, _, number = _base(encoding).partition(":")
    if encoding.lay_out is None or name not in _SPANS:
        return math.inf
    return int(number) if number else _SPANS[name]


def _base(encoding: Encoding) -> str:
    return encoding.name.partition("+")[0]
