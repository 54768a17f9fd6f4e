"""Files as streams of bytes and of whole lines of text, decompressed by their suffix."""

from __future__ import annotations

import gzip
import lzma
import sys
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, TypeAlias, cast

from isolog.errors import Finding, Findings, InputError
from isolog.source import Span

Progress: TypeAlias = Callable[[int], None]

STANDARD = "-"
COMPRESSIONS = (".gz", ".xz")
_BLOCK = 1 << 16
_PROGRESS_STEP = 1 << 20
# pyoxigraph gives up at a line of this many bytes, so that every format has the same bound.
LONGEST_LINE = 1 << 24
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes:
        """At most so many bytes."""
        ...


class Block(NamedTuple):
    """Whole lines of a text, the first of them numbered `line`; only the last block may end within a line."""

    text: str
    line: int
    last: bool


class Source:
    """The decompressed bytes of a file, without a byte order mark; what goes wrong is an error that names it."""

    def __init__(self, name: str, stream: _Readable) -> None:
        self.name = name
        self._stream = stream
        self._fresh = True

    def read(self, size: int = -1, /) -> bytes:
        """At most so many of the next bytes, none at the end."""
        try:
            data = self._stream.read(size)
        except EOFError as error:
            hint = "it was cut off, probably by a copy or a download that did not finish"
            raise InputError(Finding("E112", f"`{self.name}` ends within its compressed data", hint=hint)) from error
        except (gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
            hint = "the suffixes `.gz` and `.xz` are for files compressed that way"
            raise InputError(Finding("E112", f"`{self.name}` cannot be decompressed: {error}", hint=hint)) from error
        except OSError as error:
            raise unusable(self.name, error) from error
        if self._fresh:
            self._fresh = False
            data = data.removeprefix(_BYTE_ORDER_MARK)
        return data


class _Tap:
    """A raw stream that tells how many bytes were read from it so far."""

    def __init__(self, raw: BinaryIO, progress: Progress | None) -> None:
        self._raw = raw
        self._progress = progress
        self._read = self._told = 0

    def read(self, size: int = -1, /) -> bytes:
        """At most so many of the next bytes, counted."""
        data = self._raw.read(size)
        self._read += len(data)
        if self._progress is not None and (not data or self._read - self._told >= _PROGRESS_STEP):
            self._told = self._read
            self._progress(self._read)
        return data


@contextmanager
def open_source(path: str, progress: Progress | None = None) -> Generator[Source]:
    """The contents of a file, `-` for standard input; `progress` hears how many (compressed) bytes were read."""
    try:
        opened = nullcontext(sys.stdin.buffer) if path == STANDARD else open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise unusable(path, error) from error
    with opened as raw:
        tap = _Tap(raw, progress)
        stream = cast(BinaryIO, tap)  # reading needs no more of a stream than `read`
        match Path(path).suffix.lower():
            case ".gz":
                yield Source(path, gzip.GzipFile(fileobj=stream, mode="rb"))
            case ".xz":
                yield Source(path, lzma.LZMAFile(stream))  # noqa: SIM115
            case _:
                yield Source("standard input" if path == STANDARD else path, tap)


def unusable(name: str, error: OSError) -> InputError:
    """The error for a file that the system does not let us read or write."""
    reason = error.strerror or str(error)
    return InputError(Finding("E110", f"`{name}`: {reason[:1].lower()}{reason[1:]}", hint=_remedy(name, error)))


def _remedy(name: str, error: OSError) -> str | None:
    folder = Path(name).parent
    if isinstance(error, PermissionError):
        return "the user who runs this has no right to it"
    if not isinstance(error, FileNotFoundError):
        return None
    if not folder.is_dir():
        return f"there is no folder `{folder}`"
    close = get_close_matches(Path(name).name, [path.name for path in folder.iterdir()], 1)
    return f"did you mean `{folder / close[0]}`?" if close else f"it was looked for in `{folder.resolve()}`"


def blocks(source: Source, findings: Findings, quoted: bool = False) -> Iterator[Block]:
    """The text, block by block; with `quoted`, no block ends between the `"` that open and close a field.

    Bytes that are not UTF-8 and NUL characters are findings; the text goes on after them.
    """
    line, offset, held = 1, 0, b""
    data = source.read(_BLOCK)
    while data:
        following = source.read(_BLOCK)
        held += data
        cut = held.rfind(b"\n") + 1 if following else len(held)
        if following and quoted and held.count(b'"', 0, cut) % 2:
            cut = 0
        if cut:
            yield Block(_decoded(held[:cut], line, offset, source.name, findings), line, not following)
            line += held.count(b"\n", 0, cut)
            offset += cut
        held = held[cut:]
        if len(held) > LONGEST_LINE:
            hint = 'is a `"` not closed?' if quoted else "is this a text file?"
            place = Span(source.name, line)
            raise InputError(Finding("E115", f"a line of more than {LONGEST_LINE:,} bytes", place, hint))
        data = following


def _decoded(data: bytes, line: int, offset: int, name: str, findings: Findings) -> str:
    if b"\0" not in data:
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    for number, text in enumerate(data.split(b"\n"), line):
        shown = text.decode(errors="replace")
        if "\0" in shown:
            place = Span(name, number, shown.index("\0") + 1, 1, shown)
            findings.add("E114", "a NUL character", place, "is this a text file?")
        try:
            text.decode()
        except UnicodeDecodeError as error:
            place = Span(name, number, len(text[: error.start].decode()) + 1, 1, shown)
            message = f"byte {offset + error.start:,} of the text is not UTF-8"
            findings.add("E113", message, place, "convert the file to UTF-8, with `iconv` for example")
        offset += len(text) + 1
    return data.decode(errors="replace")
