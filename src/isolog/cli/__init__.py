"""The command line: one file per verb, which parses, calls and prints."""

from __future__ import annotations

import sys


def main() -> None:
    """The entry point of the `isolog` command."""
    from isolog.cli.app import main as run_command_line

    sys.exit(run_command_line())
