"""Which encodings there are, by name, and the canonical signature of the networks made for each (paper §3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from isolog.encodings.all_pairs import all_pairs
from isolog.encodings.canonical import canonical
from isolog.encodings.encoding import Encoding
from isolog.encodings.indigo import indigo
from isolog.encodings.kgnn import kgnn
from isolog.encodings.modifiers import MODIFIERS, modify, most_frequent
from isolog.encodings.names import Name, parse_name
from isolog.encodings.pairs import pairs, pairs_printed
from isolog.encodings.paths import near_pairs, paths
from isolog.encodings.source import Options, Source
from isolog.encodings.user_defined import TEXTS, user_defined
from isolog.errors import Finding, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature

Builder: TypeAlias = Callable[[Source, int | None, Options], Encoding]


def _plain(build: Callable[[Source], Encoding]) -> Builder:
    """An encoding whose name takes no number."""

    def built(source: Source, number: int | None, options: Options) -> Encoding:
        if number is not None:
            raise UnsupportedError(Finding("E307", f"the encoding `{source.name}` is not implemented: a number"))
        return build(source)

    return built


def _pairs(source: Source, number: int | None, options: Options) -> Encoding:
    return pairs(source) if number in (None, 1) else near_pairs(source, number)


def _paths(source: Source, number: int | None, options: Options) -> Encoding:
    if number == 1:
        raise UnsupportedError(Finding("E307", "a path has at least two links: `paths`, `paths:3`, …"))
    return paths(source, number or 2, options)


BASES: dict[str, Builder] = {
    "canonical": _plain(canonical),
    "pairs": _pairs,
    "pairs-printed": _plain(pairs_printed),
    "indigo": _plain(indigo),
    "paths": _paths,
    "all-pairs": _plain(all_pairs),
    "kgnn": _plain(kgnn),
}


def find_encoding(name: str, signature: Signature, options: Options | None = None) -> Encoding:
    """The encoding of datasets over the user's signature; `options` stand beside the name in `model.json`.

    >>> find_encoding("pairs+inverses", Signature.of(["A"], ["r"])).features
    ('A/1', 'r/2', 'inv:r/2')
    """
    options = options or {}
    if any(key in options for key in TEXTS):
        return user_defined(name, signature, options)
    parsed = _parse(name)
    source = Source(name, signature)
    for modifier, _ in parsed.modifiers:
        source = modify(source, modifier, options)
    return BASES[parsed.base](source, parsed.number, options)


def canonical_signature(signature: Signature, encoding: str, options: Options) -> Signature:
    """The features, as unary, and the colours, as binary predicates of the graphs that encode such datasets.

    >>> canonical_signature(Signature.of(["A"], ["r"]), "canonical", {}).binary
    ('r',)
    """
    return find_encoding(encoding, signature, options).canonical


def resolve(name: str, dataset: Dataset, apart: Dataset | None = None) -> tuple[str, Options]:
    """The name and the options that a model stores for an encoding asked for by name, on the data it is trained on.

    `nominals:N` becomes `nominals` with the N constants in most facts, but for those in facts of `apart`.

    >>> from isolog.facts.terms import Atom
    >>> resolve("pairs+nominals:1", Dataset.from_facts([Atom("r", ("a", "b")), Atom("r", ("c", "b"))]))
    ('pairs+nominals', {'nominals': ('b',)})
    """
    parsed = _parse(name)
    numbers = dict(parsed.modifiers)
    options: dict[str, object] = {}
    if "nominals" in numbers:
        options["nominals"] = most_frequent(dataset, numbers["nominals"] or DEFAULT_NOMINALS, apart)
    base = parsed.base if parsed.number is None else f"{parsed.base}:{parsed.number}"
    return "+".join([base, *numbers]), options


DEFAULT_NOMINALS = 100


def _parse(name: str) -> Name:
    return parse_name(name, BASES, MODIFIERS)
