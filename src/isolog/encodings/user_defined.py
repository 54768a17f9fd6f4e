"""Encodings that users define: P_enc and P_dec as Datalog text, and the sorts as YAML.

colours: [near]
features: [person/1, likes/2]     # in the order of the network's inputs; may be left out
sorts:
  f:                              # vertices f(X); `symbol` and `arity` may say otherwise
    features: [person/1]
    neighbours: {near: {sort: f, at_most: 3}}
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import yaml

from isolog.datalog.checks import check
from isolog.datalog.parser import parse
from isolog.datalog.stratify import body_atoms
from isolog.datalog.syntax import Negation, Program
from isolog.encodings.blocks import Shape
from isolog.encodings.encoding import Encoding
from isolog.encodings.source import Options
from isolog.errors import Finding, Findings, InputError
from isolog.facts.signature import Signature
from isolog.facts.terms import Function, Predicate, Term
from isolog.graphs.sorts import Neighbourhood, Sort

TEXTS = ("encode", "decode", "sorts")
_SORT_KEYS = {"symbol", "arity", "features", "neighbours"}
_NEIGHBOUR_KEYS = {"sort", "at_least", "at_most"}


@dataclass(frozen=True, slots=True)
class _Sorts:
    """What the YAML says."""

    features: tuple[str, ...]
    colours: tuple[str, ...]
    sorts: tuple[Sort, ...]
    shapes: tuple[Shape, ...]


def user_defined(name: str, signature: Signature, options: Options) -> Encoding:
    """The encoding in the texts `encode`, `decode` and `sorts`, checked; an error has everything that is wrong.

    That its sorts hold is not checked here: `correspondence/sort_claims.py` proves or tests it.
    """
    missing = [key for key in TEXTS if not isinstance(options.get(key), str)]
    if missing:
        shown = ", ".join(f"`{key}`" for key in missing)
        raise InputError(Finding("E270", f"the encoding `{name}` lacks {shown}", hint="all three are texts"))
    encode, decode = (parse(cast(str, options[key]), f"{name}: {key}") for key in TEXTS[:2])
    encode = Program(encode.rules, encode.auxiliary, signature, encode.prefixes)
    check(encode)
    check(decode)
    found = _read_sorts(name, cast(str, options["sorts"]), signature)
    monotone = not any(isinstance(each, Negation) for rule in (*encode, *decode) for each in rule.body)
    encoding = Encoding(
        name,
        signature,
        found.features,
        found.colours,
        found.sorts,
        found.shapes,
        encode,
        decode,
        is_monotone=monotone,
    )
    findings = Findings()
    for message in (*_wrong_encoder(encoding), *_wrong_decoder(encoding)):
        findings.add("E271", f"the encoding `{name}`: {message}")
    findings.raise_any()
    return encoding


def _wrong_encoder(encoding: Encoding) -> Iterator[str]:
    """Canonical predicates without a rule, heads that are none, and terms that are of no sort."""
    canonical = set(encoding.canonical.predicates)
    heads = {rule.head.predicate for rule in encoding.encoder} - encoding.encoder.auxiliary
    yield from (
        f"no rule derives `{predicate}`" for predicate in encoding.canonical.predicates if predicate not in heads
    )
    yield from (f"`{predicate}` is neither a feature nor a colour" for predicate in sorted(heads - canonical))
    for rule in encoding.encoder:
        if rule.head.predicate in canonical:
            found = [_sort_of(encoding, term) for term in rule.head.arguments]
            yield from (f"no sort has vertices like `{t}`" for t, s in zip(rule.head.arguments, found) if s is None)
            if None not in found:
                yield from _against_sorts(encoding, rule.head.name, cast(list[int], found))


def _against_sorts(encoding: Encoding, name: str, found: list[int]) -> Iterator[str]:
    """What a rule with this head and vertices of these sorts says against the declared sorts."""
    source = encoding.sorts[found[0]]
    if len(found) == 1:
        if encoding.features.index(name) not in source.features:
            yield f"a rule gives the feature `{name}` to the sort `{source.name}`, which is not declared to have it"
        return
    allowed = source.neighbours[encoding.colours.index(name)]
    target = encoding.sorts[found[1]].name
    if allowed is None or encoding.sorts[allowed.sort].name != target:
        yield f"a rule gives the sort `{source.name}` undeclared neighbours: along `{name}`, of the sort `{target}`"


def _wrong_decoder(encoding: Encoding) -> Iterator[str]:
    known = {*encoding.canonical.predicates, *encoding.decoder.auxiliary}
    read = {atom.predicate for rule in encoding.decoder for atom, _ in body_atoms(rule.body)}
    yield from (f"the decoder reads `{predicate}`, which the graphs do not have" for predicate in sorted(read - known))


def _sort_of(encoding: Encoding, term: Term) -> int | None:
    shape = Shape(term.symbol, len(term.arguments)) if isinstance(term, Function) else Shape(None, 1)
    return encoding.shapes.index(shape) if shape in encoding.shapes else None


def _read_sorts(name: str, text: str, signature: Signature) -> _Sorts:
    try:
        document = yaml.safe_load(text)
        return _sorts(document, signature)
    except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        hint = "`colours` is a list, `sorts` has per sort `features` and `neighbours`; docs/encodings.md shows one"
        message = f"the sorts of the encoding `{name}` are not understood: {str(error) or type(error).__name__}"
        raise InputError(Finding("E270", message, hint=hint)) from error


def _sorts(document: Any, signature: Signature) -> _Sorts:
    _only(document, {"colours", "features", "sorts"}, "the file")
    given = (*(Predicate(n, 1) for n in signature.unary), *(Predicate(n, 2) for n in signature.binary))
    features = tuple(document.get("features", map(str, given)))
    colours = tuple(document["colours"])
    names = list(document["sorts"])
    sorts: list[Sort] = []
    shapes: list[Shape] = []
    for sort, said in document["sorts"].items():
        said = said or {}
        _only(said, _SORT_KEYS, f"the sort `{sort}`")
        around = said.get("neighbours", {})
        _only(around, set(colours), f"the neighbours of `{sort}`")
        own = frozenset(features.index(feature) for feature in said.get("features", ()))
        sorts.append(Sort(sort, own, tuple(_neighbourhood(around.get(colour), names) for colour in colours)))
        shapes.append(Shape(said.get("symbol", sort), int(said.get("arity", 1))))
    return _Sorts(features, colours, tuple(sorts), tuple(shapes))


def _neighbourhood(said: Any, names: list[str]) -> Neighbourhood | None:
    if said is None:
        return None
    _only(said, _NEIGHBOUR_KEYS, "a neighbourhood")
    return Neighbourhood(names.index(said["sort"]), int(said.get("at_least", 0)), said.get("at_most", math.inf))


def _only(found: Any, known: set[str], what: str) -> None:
    unknown = sorted(set(found) - known)
    if unknown:
        raise ValueError(f"{what} has `{unknown[0]}`, and the keys are {', '.join(sorted(known))}")
