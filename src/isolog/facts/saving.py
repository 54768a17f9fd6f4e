"""Files and folders that are written as a whole or not at all: at the end, a new one takes the target's place."""

from __future__ import annotations

import gzip
import lzma
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Collection, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from isolog.errors import Finding, InputError
from isolog.facts.streams import STANDARD, unusable
from isolog.source import Span


@contextmanager
def replacement(path: str) -> Generator[Path]:
    """A path to write to; the file there takes the target's place if nothing was raised, else it is removed.

    A target that is no regular file, such as `/dev/null`, is written to directly.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise InputError(Finding("E110", f"`{path}`: is a folder", hint="name a file in it"))
    if target.exists() and not target.is_file():
        yield target
        return
    temporary = target.with_name(f".isolog-{os.urandom(8).hex()}")
    try:
        yield temporary
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except OSError as error:
        raise unusable(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def open_target(path: str) -> Generator[BinaryIO]:
    """A stream of bytes into the file, compressed by its suffix; `-` is standard output.

    The same bytes in give the same bytes out.
    """
    if path == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replacement(path) as temporary, open(temporary, "wb") as raw:
        match Path(path).suffix.lower():
            case ".gz":
                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as compressed:
                    yield cast(BinaryIO, compressed)
            case ".xz":
                with lzma.LZMAFile(raw, "wb") as compressed:
                    yield cast(BinaryIO, compressed)
            case _:
                yield raw


@contextmanager
def folder_replacement(path: Path, names: Collection[str] = (), what: str = "") -> Generator[Path]:
    """A new folder to write to, which takes the target's place if nothing was raised.

    The target is absent, empty, or holds nothing but files of these names, as `what` does.
    """
    target = path.resolve()
    if target.exists() and not target.is_dir():
        hint = "remove it, or choose another name"
        raise InputError(Finding("E330", "there is a file of that name already", Span(str(target)), hint))
    present = {entry.name for entry in target.iterdir()} if target.exists() else set[str]()
    if not present <= set(names):
        message = "the folder is not empty" + (f", and it is not just {what}" if names else "")
        hint = f"remove it, or choose another name; it has {', '.join(f'`{name}`' for name in sorted(present)[:5])}"
        raise InputError(Finding("E330", message, Span(str(target)), hint))
    token = secrets.token_hex(8)
    new, old = (target.with_name(f".isolog-{token}-{word}") for word in ("new", "old"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        new.mkdir()
        yield new
        _swap(new, target, old)
    except OSError as error:
        raise unusable(str(path), error) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _swap(new: Path, target: Path, old: Path) -> None:
    if not target.exists():
        new.rename(target)
        return
    target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old)
