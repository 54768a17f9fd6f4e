"""Test settings: how many examples the laws try, what some tests need, and the demo that several look at."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout
from pathlib import Path
from shutil import which

import pytest
from hypothesis import HealthCheck, settings

from support.browser import CHROMIUM
from support.demo import Demo

slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True, suppress_health_check=slow_is_fine)
settings.register_profile("full", max_examples=2000, deadline=None, suppress_health_check=slow_is_fine)
settings.load_profile(os.environ.get("ISOLOG_LAWS", "quick"))


_NEEDS = {
    "data": (lambda: bool(os.environ.get("ISOLOG_DATA")), "on real data", "ISOLOG_DATA does not name their folder"),
    "java": (lambda: which("java") is not None, "on Spark", "there is no Java"),
    "clone": (lambda: bool(os.environ.get("CI")), "in a fresh clone", "CI is not set, and they install everything"),
    "browser": (CHROMIUM.is_file, "in a browser", f"there is no {CHROMIUM}"),
}
_LEFT_OUT = pytest.StashKey[dict[str, int]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests whose needs are not met are not selected; the summary says how many."""
    config.stash[_LEFT_OUT] = {}
    for mark, (is_there, _, _) in _NEEDS.items():
        left_out = [] if is_there() else [item for item in items if item.get_closest_marker(mark)]
        if left_out:
            items[:] = [item for item in items if item not in set(left_out)]
            config.stash[_LEFT_OUT][mark] = len(left_out)
            config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says how many tests were left out, and why."""
    for mark, count in config.stash.get(_LEFT_OUT, {}).items():
        _, what, why = _NEEDS[mark]
        terminalreporter.write_line(f"{count} tests {what} left out: {why}")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo, run once."""
    from isolog.cli.app import main

    place, before = tmp_path_factory.mktemp("demo"), Path.cwd()
    with redirect_stdout(io.StringIO()) as out:
        os.chdir(place)
        try:
            assert main(["demo"]) == 0
        finally:
            os.chdir(before)
    return Demo(out.getvalue(), place)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the real data; only tests marked `data` may ask for it."""
    folder = Path(os.environ["ISOLOG_DATA"])
    assert folder.is_dir(), f"ISOLOG_DATA names {folder}, which is not a folder"
    return folder
