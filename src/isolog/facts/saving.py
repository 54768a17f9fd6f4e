"""Files that are written as a whole or not at all: a temporary file beside the target takes its place at the end."""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from isolog.errors import Finding, InputError
from isolog.facts.streams import STANDARD, unusable


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
