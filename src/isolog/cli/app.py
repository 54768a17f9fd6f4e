"""The command line application: which verbs there are, and how errors end."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module

import typer

from isolog import __version__
from isolog.errors import IsologError

VERBS = (
    "demo",
    "inspect",
    "predict",
    "run",
    "convert",
    "stats",
    "split",
    "values",
    "capacity",
    "captures",
    "extract",
    "compile",
    "export",
    "equivalent",
    "train",
    "evaluate",
    "explain",
    "report",
)

app = typer.Typer(
    name="isolog",
    help="Graph neural networks that are Datalog programs.",
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"isolog {__version__}")
        raise typer.Exit


@app.callback()
def _common(  # pyright: ignore[reportUnusedFunction]  typer registers it
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


def load() -> typer.Typer:
    """The application with every verb; each is a module of its own, whose `command` is the function."""
    if not app.registered_commands:
        for verb in VERBS:
            module = import_module(f"isolog.cli.{verb}")
            app.command(verb)(module.command)
    return app


def main(arguments: list[str] | None = None) -> int:
    """Runs one command line and returns its exit code; no exception escapes."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        return load()(arguments or ["--help"], prog_name="isolog", standalone_mode=False) or 0
    except typer.TyperException as error:
        print(f"E600 {error.format_message()}", file=sys.stderr)
        print(f"  hint: {_help_line(error)}", file=sys.stderr)
        return error.exit_code
    except IsologError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print("E601 interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output is gone, as with `isolog … | head`: nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:
        traceback.print_exc()
        print("E700 this is a bug in isolog: please report it with the lines above", file=sys.stderr)
        return 70


def _help_line(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "isolog"
    return f"`{path} --help` shows what the command takes"
