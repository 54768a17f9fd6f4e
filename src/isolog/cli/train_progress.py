"""What is shown while a network is trained: loss, score, and the weights that are not zero."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isolog.learning.settings import Settings
    from isolog.learning.train import Report
    from isolog.learning.training import Moment


@contextmanager
def watched(quiet: bool) -> Generator[Report]:
    """What hears of the moments of a training: a bar on a terminal, silence elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield lambda settings, moment: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)

        def report(settings: Settings, moment: Moment) -> None:
            text = (
                f"λ {settings.sparsity} bits {settings.bits}  loss {moment.loss:.3f}  score {moment.score:.3f}  "
                f"{moment.nonzero:,} weights"
            )
            bar.update(task, description=text, completed=moment.epoch, total=settings.epochs)

        yield report
