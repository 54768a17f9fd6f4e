"""Which encodings there are, by name, and the canonical signature of the networks made for each (paper §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from isolog.errors import Finding, UnsupportedError
from isolog.facts.signature import Signature

Options: TypeAlias = Mapping[str, Any]


def _canonical(signature: Signature, options: Options) -> Signature:
    return signature


ENCODINGS: dict[str, Callable[[Signature, Options], Signature]] = {"canonical": _canonical}


def canonical_signature(signature: Signature, encoding: str, options: Options) -> Signature:
    """The features, as unary, and the colours, as binary predicates of the graphs that encode such datasets.

    >>> canonical_signature(Signature.of(["A"], ["r"]), "canonical", {}).binary
    ('r',)
    """
    if encoding not in ENCODINGS:
        hint = "the encodings are " + ", ".join(f"`{name}`" for name in ENCODINGS)
        raise UnsupportedError(Finding("E307", f"the encoding `{encoding}` is not implemented", hint=hint))
    return ENCODINGS[encoding](signature, options)
