"""Facts in files of every format: the suffix says which, `.gz` and `.xz` compress the text formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Literal as OneOf
from typing import TypeAlias

from isolog.errors import Finding, Findings, InputError
from isolog.facts.dataset import Dataset
from isolog.facts.dl import read_dl
from isolog.facts.saving import open_target
from isolog.facts.streams import COMPRESSIONS, STANDARD, Progress, Source, blocks, open_source
from isolog.facts.tabular import csv_lines, read_csv, read_tsv, tsv_lines
from isolog.facts.terms import Atom, Function, Literal, Term
from isolog.facts.text import print_atom

Literals: TypeAlias = OneOf["terms", "names"]

FORMATS = ("tsv", "csv", "nt", "ttl", "parquet", "dl")
_SUFFIXES = {".txt": "tsv", **{f".{format}": format for format in FORMATS}}
_LINES_A_WRITE = 10_000


def read_facts(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    literals: Literals = "terms",
    progress: Progress | None = None,
) -> Dataset:
    """The facts of a file, `-` for standard input; everything that is wrong with it comes in one error.

    `literals="names"` reads each literal as the name that is its lexical form. `progress` hears now and then
    how many bytes of the file were read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_facts(Dataset.from_facts([Atom("parent", ("ann", "bob"))]), f"{folder}/family.nt.gz")
    ...     list(read_facts(f"{folder}/family.nt.gz"))
    [Atom(name='parent', arguments=('ann', 'bob'))]
    """
    name = os.fspath(path)
    if os.path.isdir(name):
        raise InputError(Finding("E110", f"`{name}`: is a folder", hint="name a file in it"))
    if literals not in ("terms", "names"):
        raise InputError(Finding("E116", f"literals are read as `terms` or as `names`, not as `{literals}`"))
    kind = format_of(name, format)
    if kind == "parquet":
        from isolog.facts.parquet import read_parquet

        return read_parquet(name, literals == "names", progress)
    with open_source(name, progress) as source:
        return _reader(kind)(source, literals == "names")


def write_facts(dataset: Dataset, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Writes the facts in the order of their lines; the file is written completely or left as it was.

    What the format cannot say is refused.
    """
    name = os.fspath(path)
    kind = format_of(name, format)
    if kind == "parquet":
        from isolog.facts.parquet import write_parquet

        write_parquet(dataset, name)
        return
    lines = sorted(_lines(dataset, kind))
    end = "\r\n" if kind == "csv" else "\n"
    with open_target(name) as stream:
        for start in range(0, len(lines), _LINES_A_WRITE):
            stream.write("".join([line + end for line in lines[start : start + _LINES_A_WRITE]]).encode())


def format_of(path: str, format: str | None = None) -> str:
    """The format of a file: the given one if any, else the one that the suffix says.

    >>> format_of("graph.nt.xz"), format_of("facts.txt"), format_of("-"), format_of("facts.data", "csv")
    ('nt', 'tsv', 'tsv', 'csv')
    """
    if format is None and path == STANDARD:
        return "tsv"
    place = PurePath(path)
    compressed = place.suffix.lower() in COMPRESSIONS
    suffix = (place.with_suffix("") if compressed else place).suffix
    kind = format if format in FORMATS else None if format else _SUFFIXES.get(suffix.lower())
    if kind is None:
        says = f"the suffix `{suffix}` says no known format" if suffix else "no suffix says the format"
        message = f"unknown format `{format}`" if format else f"`{path}`: {says}"
        known = ", ".join(f"`{name}`" for name in FORMATS)
        raise InputError(Finding("E111", message, hint=f"known are {known}; a file of text may end in `.gz` or `.xz`"))
    if kind == "parquet" and (compressed or path == STANDARD):
        hint = "Parquet compresses its columns itself" if compressed else "use a file whose name ends in `.parquet`"
        raise InputError(Finding("E111", f"`{path}`: Parquet is read and written as an uncompressed file", hint=hint))
    return kind


def _reader(kind: str) -> Callable[[Source, bool], Dataset]:
    match kind:
        case "tsv":
            return read_tsv
        case "csv":
            return read_csv
        case "nt":
            from isolog.facts.ntriples import read_ntriples

            return read_ntriples
        case "ttl":
            from isolog.facts.rdf import read_turtle

            return read_turtle
        case _:
            return _read_dl


def _lines(dataset: Dataset, kind: str) -> Iterator[str]:
    match kind:
        case "tsv":
            return tsv_lines(dataset)
        case "csv":
            return csv_lines(dataset)
        case "dl":
            return (f"{print_atom(fact)}." for fact in dataset)
        case _:
            from isolog.facts.rdf import ntriples_lines

            return ntriples_lines(dataset)


def _read_dl(source: Source, literals_as_names: bool) -> Dataset:
    findings = Findings()
    text = (line for block in blocks(source, findings) for line in block.text.removesuffix("\n").split("\n"))
    facts = read_dl(text, source.name, findings)
    if literals_as_names:
        facts = (Atom(fact.name, tuple(map(_as_name, fact.arguments)), fact.span) for fact in facts)
    dataset = Dataset.from_facts(facts)
    findings.raise_any()
    return dataset


def _as_name(term: Term) -> Term:
    match term:
        case Literal():
            return term.lexical
        case Function():
            return Function(term.symbol, tuple(map(_as_name, term.arguments)))
        case _:
            return term
