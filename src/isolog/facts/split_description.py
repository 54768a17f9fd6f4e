"""`split.yaml`: which files of a folder are which part of a split."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias, cast

from isolog.errors import Finding, Findings, InputError
from isolog.facts.streams import COMPRESSIONS, unusable
from isolog.source import Span

DESCRIPTION = "split.yaml"
Files: TypeAlias = dict[tuple[str, str], list[Path]]
"""Per part and kind (`graph`, `pos`, `neg`) the files whose facts it has."""

_KEYS = {
    "graph": [("train", "graph"), ("valid", "graph"), ("test", "graph")],
    "targets": [("train", "pos")],
    "valid": [("valid", "pos")],
    "test": [("test", "pos")],
    "negatives": [("test", "neg")],
}
_BY_PART = {"graph": "graph", "negatives": "neg"}


def described(description: Path, folder: Path) -> Files:
    """The files that the description names, in the folder; what is wrong with it comes in one error.

    A value is a file or a list of files; those of `graph` and `negatives` may be given per part. One `graph`
    serves all parts, `negatives` alone are those of test. A file may be stored compressed.
    """
    findings = Findings()
    files: Files = {}
    for key, value in _read(description).items():
        if key not in _KEYS:
            close = get_close_matches(key, _KEYS, 1)
            hint = f"did you mean `{close[0]}`?" if close else f"the keys are {', '.join(f'`{k}`' for k in _KEYS)}"
            findings.add("E144", f"unknown key `{key}`", Span(str(description)), hint)
        elif isinstance(value, dict) and key in _BY_PART:
            for part, names in cast(dict[str, object], value).items():
                if part in ("train", "valid", "test"):
                    files[part, _BY_PART[key]] = _files(f"{key}.{part}", names, folder, description, findings)
                else:
                    hint = "the parts are `train`, `valid` and `test`"
                    findings.add("E144", f"unknown part `{key}.{part}`", Span(str(description)), hint)
        else:
            named = _files(key, value, folder, description, findings)
            files |= dict.fromkeys(_KEYS[key], named)
    if not len(findings) and not any(kind == "graph" for _, kind in files):
        findings.add("E144", "the key `graph` is missing", Span(str(description)), "it names the facts that are given")
    findings.raise_any()
    return files


def _read(description: Path) -> dict[str, object]:
    import yaml  # few runs read a description

    try:
        text = description.read_text("utf-8")
        value = yaml.safe_load(text)
    except OSError as error:
        raise unusable(str(description), error) from error
    except UnicodeDecodeError as error:
        hint = "convert the file to UTF-8, with `iconv` for example"
        raise InputError(
            Finding("E113", f"byte {error.start + 1:,} is not UTF-8", Span(str(description)), hint)
        ) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Span(str(description), mark.line + 1, mark.column + 1) if mark is not None else Span(str(description))
        problem = getattr(error, "problem", None) or "the text is not YAML"
        raise InputError(Finding("E144", f"broken YAML: {problem}", place, "a line is `key: file`")) from error
    if not isinstance(value, dict):
        raise InputError(Finding("E144", "the file has no keys", Span(str(description)), "a line is `key: file`"))
    return {str(key): each for key, each in cast(dict[object, object], value).items()}


def _files(key: str, value: object, folder: Path, description: Path, findings: Findings) -> list[Path]:
    names = cast(list[object], value) if isinstance(value, list) else [value]
    found: list[Path] = []
    for name in names:
        if not isinstance(name, str):
            hint = "write its name, in quotes if it looks like a number"
            findings.add("E144", f"`{key}` must name a file, or a list of files", Span(str(description)), hint)
            continue
        path = stored(folder / name)
        if path is None:
            message = f"`{key}` names `{name}`, which is not in `{folder}`"
            findings.add("E144", message, Span(str(description)), "it may be stored there as it is, as `.gz` or `.xz`")
        else:
            found.append(path)
    return found


def stored(path: Path) -> Path | None:
    """The file of that name, plain or compressed, if there is one."""
    candidates = [path, *(path.with_name(path.name + suffix) for suffix in COMPRESSIONS)]
    return next((candidate for candidate in candidates if candidate.is_file()), None)
