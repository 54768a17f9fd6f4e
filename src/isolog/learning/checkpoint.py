"""Training that survives being killed: the state of all runs so far, written every so often."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path
from pickle import UnpicklingError  # what torch raises; nothing is unpickled but tensors and plain values
from typing import Any

import torch

from isolog.errors import Finding, InputError
from isolog.facts.saving import replacement
from isolog.learning.training import Moment, Run

TIMED = 5
"""So many epochs tell how long one takes."""


class Checkpoint:
    """What was done so far, in a file if there is one; a run that is taken up again ends as it would have ended.

    `start` is the hash of the network that the training starts from, if it does.
    """

    def __init__(self, path: Path | None, resume: bool = False, start: str | None = None) -> None:
        self.path, self.start = path, start
        self.done: list[dict[str, Any]] = []
        self.current: dict[str, Any] | None = None
        self.seconds = 0.0
        if resume and path is not None and path.is_file():
            self._read(path)

    def complete(self, number: int, run: Run, begin: float, until: float, progress: Callable[[Moment], None]) -> None:
        """Brings the run to its end, from where its state was saved if it was; with fewer epochs if all of them would
        take longer than `until`, a time of the clock that `begin` is one of, too."""
        if number < len(self.done):
            run.resume(self.done[number])
            return
        if self.current is not None:
            run.resume(self.current)
        started, first = time.monotonic(), run.epoch
        while not run.finished():
            moment = run.advance()
            if run.epoch - first == TIMED:
                now = time.monotonic()
                run.fit((until - now) / (now - started) * TIMED)
            if moment is not None:
                progress(moment)
                self._save(run.state(), begin)
        self.done.append(run.state())
        self.current = None

    def remove(self) -> None:
        """Forgets everything: the work is done."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _save(self, state: dict[str, Any], begin: float) -> None:
        if self.path is None:
            return
        buffer = io.BytesIO()
        saved = {"done": self.done, "current": state, "seconds": time.monotonic() - begin, "start": self.start}
        torch.save(saved, buffer)
        with replacement(str(self.path)) as file:
            file.write_bytes(buffer.getvalue())

    def _read(self, path: Path) -> None:
        try:
            saved = torch.load(path, weights_only=True)
            self.done, self.current, self.seconds = saved["done"], saved["current"], saved["seconds"]
        except (OSError, RuntimeError, KeyError, EOFError, TypeError, UnpicklingError) as error:
            hint = "remove it, or train without --resume"
            raise InputError(Finding("E641", f"`{path}` is no checkpoint of a training", hint=hint)) from error
        if saved.get("start") != self.start:
            hint = "give the same `--from` as before, or train without --resume"
            raise InputError(Finding("E649", f"`{path}` is of a training with another start", hint=hint))
