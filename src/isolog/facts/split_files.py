"""Splits in folders: in the benchmark layout, or in any other that a `split.yaml` describes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from isolog.errors import Finding, Findings, InputError
from isolog.facts.dataset import Dataset
from isolog.facts.files import Literals, read_facts, write_facts
from isolog.facts.saving import folder_replacement
from isolog.facts.signature import Signature
from isolog.facts.split import PARTS, Part, Split
from isolog.facts.split_description import DESCRIPTION, Files, described, stored
from isolog.facts.streams import blocks, open_source
from isolog.facts.tabular import parse_tsv_field, print_tsv_field
from isolog.facts.terms import Predicate
from isolog.source import Span

PREDICATES = "predicates.csv"
_KINDS = ("graph", "pos", "neg")


def read_split(
    folder: str | os.PathLike[str], *, description: str | os.PathLike[str] | None = None, literals: Literals = "terms"
) -> Split:
    """The split in a folder: as `description` says, or the `split.yaml` in it, or else in the benchmark layout.

    The benchmark layout has `train_graph.tsv`, `train_pos.tsv`, `train_neg.tsv`, the same for valid and test, and
    `predicates.csv`. Any of them may be absent or compressed. Without `predicates.csv`, the signature is that of
    the facts to learn from. What is wrong in any of the files comes in one error.
    """
    place = Path(folder)
    if not place.is_dir():
        wrong = "is a file, and a split is a folder" if place.exists() else "no such folder"
        hint = "`isolog split` makes a split of a file of facts"
        raise InputError(Finding("E142", f"`{place}`: {wrong}", hint=hint))
    yaml = Path(description) if description is not None else place / DESCRIPTION
    files = described(yaml, place) if description is not None or yaml.is_file() else _benchmark(place)
    findings: list[Finding] = []

    def attempt(read: Callable[[Path], Dataset], paths: Iterable[Path]) -> Dataset:
        facts = Dataset.empty()
        for path in paths:
            try:
                facts |= read(path)
            except InputError as error:
                findings.extend(error.findings)
        return facts

    read = {kind: attempt(lambda path: read_facts(path, literals=literals), paths) for kind, paths in files.items()}
    listed = stored(place / PREDICATES)
    signature = None
    try:
        signature = None if listed is None else _read_predicates(listed)
    except InputError as error:
        findings.extend(error.findings)
    if findings:
        raise InputError(findings)
    parts = [Part(*(read.get((part, kind), Dataset.empty()) for kind in _KINDS)) for part in PARTS]
    if signature is None:
        signature = Signature.from_dataset(parts[0].graph | parts[0].positives)
    return Split(signature, *parts)


def write_split(split: Split, folder: str | os.PathLike[str], *, replace: bool = False) -> None:
    """Makes a folder in the benchmark layout, as a whole or not at all.

    Nothing may be there yet, or with `replace` nothing but files that have such names.
    """
    written = {PREDICATES, *(f"{part}_{kind}.tsv" for part in PARTS for kind in _KINDS)} if replace else ()
    with folder_replacement(Path(folder), written, "a split") as new:
        lines = [f"{print_tsv_field(name)},{arity}\n" for name, arity in split.signature.predicates]
        (new / PREDICATES).write_text("".join(lines), encoding="utf-8")
        for name, part in split.parts.items():
            for kind, facts in zip(_KINDS, (part.graph, part.positives, part.negatives), strict=True):
                if len(facts):
                    write_facts(facts, new / f"{name}_{kind}.tsv")


def _benchmark(folder: Path) -> Files:
    found = {(part, kind): stored(folder / f"{part}_{kind}.tsv") for part in PARTS for kind in _KINDS}
    if not any(found[part, "graph"] for part in PARTS):
        hint = f"write a `{DESCRIPTION}` with the keys `graph`, `targets`, `valid`, `test`, `negatives`"
        raise InputError(Finding("E142", f"`{folder}` has no `train_graph.tsv`, so it is no split", hint=hint))
    return {place: [path] for place, path in found.items() if path is not None}


def _read_predicates(path: Path) -> Signature:
    findings, predicates = Findings(), dict[Predicate, None]()
    with open_source(str(path)) as source:
        lines = "".join(block.text for block in blocks(source, findings)).replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        name, _, arity = line.rpartition(",")
        if name and arity in ("1", "2"):
            predicates[Predicate(str(parse_tsv_field(name)), int(arity))] = None
        elif line:
            hint = "a line is a name, a comma, and the arity 1 or 2"
            findings.add("E143", "not a predicate", Span(str(path), number, 1, len(line), line), hint)
    findings.raise_any()
    return Signature(tuple(predicates))
