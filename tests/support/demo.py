"""What a run of the demo left."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Demo:
    """What `isolog demo` printed, and the folder that it was started in."""

    text: str
    place: Path

    @property
    def report(self) -> Path:
        """The report that it wrote."""
        return self.place / "isolog-demo" / "report.html"
