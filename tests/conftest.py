"""Test settings: how many examples the laws try, and the real data that some tests read."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import which

import pytest
from hypothesis import HealthCheck, settings

slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True, suppress_health_check=slow_is_fine)
settings.register_profile("full", max_examples=2000, deadline=None, suppress_health_check=slow_is_fine)
settings.load_profile(os.environ.get("ISOLOG_LAWS", "quick"))

NEEDS = {
    "data": (bool(os.environ.get("ISOLOG_DATA")), "on real data", "ISOLOG_DATA does not name their folder"),
    "java": (which("java") is not None, "on Spark", "there is no Java"),
}
"""Per marker whether its tests can run here, what they are, and why not."""

_LEFT_OUT = pytest.StashKey[dict[str, int]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What cannot run here is not selected; the summary says how many tests that are."""
    counts: dict[str, int] = {}
    for marker, (is_there, _, _) in NEEDS.items():
        left_out = [] if is_there else [item for item in items if item.get_closest_marker(marker)]
        if left_out:
            items[:] = [item for item in items if item not in set(left_out)]
            counts[marker] = len(left_out)
            config.hook.pytest_deselected(items=left_out)
    config.stash[_LEFT_OUT] = counts


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says how many tests were left out, and for want of what."""
    for marker, count in config.stash.get(_LEFT_OUT, {}).items():
        _, what, why = NEEDS[marker]
        terminalreporter.write_line(f"{count} tests {what} left out: {why}")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the real data; only tests marked `data` may ask for it."""
    folder = Path(os.environ["ISOLOG_DATA"])
    assert folder.is_dir(), f"ISOLOG_DATA names {folder}, which is not a folder"
    return folder
