"""Test settings: how many examples the laws try, and the real data that some tests read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True, suppress_health_check=slow_is_fine)
settings.register_profile("full", max_examples=2000, deadline=None, suppress_health_check=slow_is_fine)
settings.load_profile(os.environ.get("ISOLOG_LAWS", "quick"))

_LEFT_OUT = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without ISOLOG_DATA, tests on real data are not selected; the summary says how many."""
    if os.environ.get("ISOLOG_DATA"):
        return
    left_out = [item for item in items if item.get_closest_marker("data")]
    items[:] = [item for item in items if item not in set(left_out)]
    config.stash[_LEFT_OUT] = len(left_out)
    config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says how many tests were left out for want of real data."""
    left_out = config.stash.get(_LEFT_OUT, 0)
    if left_out:
        terminalreporter.write_line(f"{left_out} tests on real data left out: ISOLOG_DATA does not name their folder")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the real data; only tests marked `data` may ask for it."""
    folder = Path(os.environ["ISOLOG_DATA"])
    assert folder.is_dir(), f"ISOLOG_DATA names {folder}, which is not a folder"
    return folder
