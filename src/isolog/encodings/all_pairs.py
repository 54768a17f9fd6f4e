"""`all-pairs` (paper §3.2, rules ext:1 to ext:4 and so on for all combinations): g(x, y) for any two terms.

Its graphs grow with the square of the number of constants, and say so beforehand.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from isolog.datalog.syntax import Rule
from isolog.encodings.encoding import Encoding, Layout, Size
from isolog.encodings.links import Pairs, X
from isolog.encodings.pairs import AROUND_CONSTANT, AROUND_PAIR, COLOURS, SORTS, pair_edges, pair_layout
from isolog.encodings.source import Frame, Source, assemble, canonical_names
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom, Variable


def all_pairs(source: Source) -> Encoding:
    """As `pairs`, as if any two terms of the data were linked."""
    both = source.free_name("both")
    y = Variable("Y")
    any_two = Rule(Atom(both, (X, y)))
    source = source.with_auxiliary([any_two])
    frame = Frame(COLOURS, SORTS, (AROUND_CONSTANT, AROUND_PAIR), pair_edges(both, both))
    meanings = source.meanings(unary=0, binary=1)

    def size(dataset: Dataset) -> Size:
        pairs = len(dataset.term_numbers) ** 2
        return Size(len(dataset.term_numbers) + pairs, 6 * pairs)

    return replace(assemble(source, frame, meanings, canonical_names(meanings), _lay_out), size=size)


def _lay_out(dataset: Dataset) -> Layout:
    count = len(dataset.term_numbers)
    terms = np.arange(count)
    everything = Pairs(count, np.repeat(terms, count), np.tile(terms, count))
    return pair_layout(everything, everything)
