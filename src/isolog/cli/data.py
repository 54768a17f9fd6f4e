"""Reading and writing the facts that a verb is given, with a progress bar where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts

_WORTH_WATCHING = 5_000_000


@dataclass(frozen=True, slots=True)
class Formats:
    """What `--format IN[:OUT]` says."""

    read: str | None = None
    write: str | None = None

    @classmethod
    def parse(cls, text: str | None) -> Formats:
        """Either side may be empty: the suffix decides there."""
        read, _, write = (text or "").partition(":")
        return cls(read or None, write or None)


def read_data(path: str, formats: Formats, quiet: bool, literals: Literal["terms", "names"] = "terms") -> Dataset:
    """The facts of a file, with a progress bar for a large one on a terminal."""
    with _progress(path, quiet) as advance:
        return read_facts(path, format=formats.read, literals=literals, progress=advance)


@contextmanager
def _progress(path: str, quiet: bool) -> Generator[Callable[[int], None] | None, None, None]:
    file = Path(path)
    size = file.stat().st_size if file.is_file() else 0
    if quiet or size < _WORTH_WATCHING or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"reading {file.name}", total=size)
        yield lambda done: bar.update(task, completed=done)
