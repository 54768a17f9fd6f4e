"""docs/cli.md is what the commands say of themselves."""

from pathlib import Path

from isolog.cli.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_page_is_in_step_with_the_commands() -> None:
    assert PAGE.read_text("utf-8") == reference(), "run `make docs`"
