"""What is shown while a network is trained: loss, score, the weights that are not zero, and the size of the program."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isolog.learning.settings import Settings
    from isolog.learning.train import Report, Size
    from isolog.learning.training import Moment


@contextmanager
def watched(quiet: bool) -> Generator[Report]:
    """What hears of the moments of a training: a bar on a terminal, silence elsewhere."""
    if quiet or not sys.stderr.isatty():
        from isolog.learning.train import silent

        yield silent
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)

        def report(settings: Settings, moment: Moment, size: Size) -> None:
            bar.update(task, description=told(settings, moment, size()), completed=moment.epoch, total=settings.epochs)

        yield report


def told(settings: Settings, moment: Moment, nodes: int | None) -> str:
    """A line about a moment of a training.

    >>> from types import SimpleNamespace as Some
    >>> told(Some(sparsity=0.2, bits=1), Some(loss=0.5, score=0.9, nonzero=1200), 34)
    'λ 0.2 bits 1  loss 0.500  score 0.900  1,200 weights  34 concepts'
    """
    line = f"λ {settings.sparsity} bits {settings.bits}  loss {moment.loss:.3f}  score {moment.score:.3f}"
    return f"{line}  {moment.nonzero:,} weights" + ("" if nodes is None else f"  {nodes:,} concepts")
