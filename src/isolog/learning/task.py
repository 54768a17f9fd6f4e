"""What there is to learn from a split: the encoding, and the examples that facts and targets become under it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from isolog.encodings.encoding import Encoding
from isolog.encodings.registry import find_encoding, resolve
from isolog.errors import Finding, InputError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature, restrict
from isolog.facts.split import Part, Split
from isolog.learning.evidence import taken_away
from isolog.learning.examples import Examples, examples, share_told
from isolog.learning.settings import Settings
from isolog.learning.start import Start
from isolog.learning.thinning import thinned


def encoding_of(data: Split, name: str, start: Start | None) -> tuple[Encoding, Mapping[str, Any]]:
    """The encoding with its options: that of the network to start from, if there is one."""
    if start is not None:
        chosen = start.network.encoding
        return find_encoding(chosen.name, start.network.signature, dict(chosen.options)), dict(chosen.options)
    targets = data.train.positives
    classified = targets.only([predicate for predicate in targets.predicates if predicate.arity == 1])
    name, options = resolve(chosen_encoding(name, targets), data.train.graph, apart=classified)
    return find_encoding(name, data.signature, options), options


def chosen_encoding(name: str, targets: Dataset) -> str:
    """The encoding that `auto` stands for: `pairs` where facts about two things are to be derived."""
    if name != "auto":
        return name
    return "pairs" if any(predicate.arity == 2 for predicate in targets.predicates) else "canonical+inverses"


def examples_of(data: Split, encoding: Encoding, settings: Settings) -> Examples:
    """The examples of the part to learn from, and, if the split has false facts to choose by, how many are told."""
    signature = encoding.signature
    known, wanted = (restrict(facts, signature) for facts in (data.train.graph, data.train.positives))
    valid, false = (
        restrict(facts, signature, ignore_unknown=True) for facts in (data.valid.graph, data.valid.negatives)
    )
    found = _examples(encoding, known, wanted, settings)
    share = share_told(encoding, valid, false) if len(false) else None
    return found if share is None else replace(found, false_told=share)


def _examples(encoding: Encoding, graph: Dataset, targets: Dataset, settings: Settings) -> Examples:
    """The examples; where the input has facts of the targets' predicates, some are taken away to judge by.

    What is taken away without targets is all that tells what is to be derived; targets are mostly about told terms.
    """
    most, seed = settings.most_vertices, settings.seed
    if len(targets) and not any(len(graph.tables.get(predicate, ())) for predicate in targets.predicates):
        return thinned(examples(encoding, graph, targets), most, seed)
    taken = taken_away(encoding, graph, settings.taken, seed, told=len(targets) > 0)
    return thinned(examples(encoding, graph - taken, targets, taken), most, seed)


def require_targets(found: Examples, encoding: Encoding, targets: Dataset) -> None:
    """Refuses to train on nothing, or on what the encoding cannot derive."""
    derivable = any(encoding.output(predicate) is not None for predicate in targets.predicates)
    if len(found.positives) or (len(found.known) and (derivable or not len(targets))):
        return
    message = f"none of the {len(targets):,} targets can be derived with the encoding `{encoding.name}`"
    hint = "`pairs:2` and `paths` reach targets that no fact links"
    if not derivable:
        hint = "`pairs` derives facts about two things; rules to start from are compiled for it by `compile --encoding`"
    raise InputError(Finding("E640", message, hint=hint))


def hold_out(facts: Dataset, seed: int = 0, share: float = 0.1) -> Split:
    """A split of facts without targets: a share of them, at random, is to be derived from the others."""
    chance = np.random.default_rng(seed)
    tables = {}
    for predicate, table in facts.tables.items():
        if predicate.arity <= 2:
            tables[predicate] = table[np.sort(chance.permutation(len(table))[: int(len(table) * share)])]
    targets = Dataset.from_tables(facts.vocabulary, tables)
    nothing = Dataset.empty()
    rest = Part(nothing, nothing, nothing)
    return Split(Signature.from_dataset(facts), Part(facts - targets, targets, nothing), rest, rest)
