"""Safetensors files: the arrays of a network from and to bytes, exactly, and what can be wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save

from isolog.errors import Findings
from isolog.networks.exact_array import as_integers
from isolog.networks.json_node import nearest
from isolog.networks.network import Weights
from isolog.source import Span

_INTEGERS = {f"{kind}{8 * size}": f"<{kind.lower()}{size}" for kind in "IU" for size in (1, 2, 4, 8)}
_FLOATS = {f"F{8 * size}": f"<f{size}" for size in (2, 4, 8)}


def read_tensors(data: bytes, file: str, findings: Findings) -> dict[str, Weights] | None:
    """The numbers in a safetensors file: int64, Python integers beyond, or float64.

    None when the file is broken. A tensor of another type or with a number that is not finite is a finding.
    """
    try:
        raw: list[tuple[str, dict[str, Any]]] = deserialize(data)
    except SafetensorError as error:
        reason = str(error).removeprefix("Error while deserializing: ")
        findings.add("E320", f"broken tensor file: {reason}", Span(file), "it is cut short, or no safetensors file")
        return None
    arrays: dict[str, Weights] = {}
    for name, tensor in sorted(raw, key=lambda pair: pair[0]):
        array = _decoded(tensor["dtype"], tensor["data"])
        if array is None:
            hint = f"a tensor has integers ({', '.join(_INTEGERS)}) or binary numbers (BF16, {', '.join(_FLOATS)})"
            findings.add("E324", f"`{name}` holds {tensor['dtype']}", Span(file), hint)
            array = np.zeros(tensor["shape"])
        arrays[name] = array.reshape(tensor["shape"])
        _check_finite(name, arrays[name], file, findings)
    return arrays


def read_notes(data: bytes) -> tuple[str, ...]:
    """The notes in the metadata of a safetensors file that is not broken, one per line."""
    length = int.from_bytes(data[:8], "little")
    notes = json.loads(data[8 : 8 + length]).get("__metadata__", {}).get("notes", "")
    return tuple(notes.split("\n")) if notes else ()


def print_tensors(arrays: Mapping[str, NDArray[Any]], notes: Iterable[str]) -> bytes:
    """The safetensors file with these arrays and notes; the same input gives the same bytes."""
    in_order = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    text = "\n".join(notes)
    return save(in_order, {"notes": text} if text else None)


def check_names(
    tensors: Iterable[str], known: Sequence[Sequence[str]], required: Iterable[str], file: str, findings: Findings
) -> None:
    """Finds the tensors that are missing and those that are not known, given the names of each layer."""
    present = set(tensors)
    names = [name for layer in known for name in layer]
    for name in required:
        if name not in present:
            hint = "an absent `A` or `B` is zero, but each layer has its bias"
            findings.add("E322", f"the tensor `{name}` is missing", Span(file), hint)
    for name in sorted(present.difference(names)):
        match = re.match(r"[ABb](\d{1,9})", name, re.ASCII)
        beyond = match is not None and not 1 <= int(match[1]) <= len(known)
        hint = f"the last layer is layer {len(known)}" if beyond else nearest(name, names)
        findings.add("E321", f"unknown tensor `{name}`", Span(file), hint)


def check_shapes(
    tensors: Mapping[str, Weights],
    known: Sequence[Sequence[str]],
    sizes: Sequence[int | None],
    file: str,
    findings: Findings,
) -> None:
    """Finds the tensors whose shape does not fit the sizes δ_0, …, δ_L of the layers, as far as those are known."""
    for layer, names in enumerate(known, 1):
        for name in names:
            wanted = sizes[layer : layer + 1] if name == names[-1] else (sizes[layer], sizes[layer - 1])
            shape = tensors[name].shape if name in tensors else wanted
            fits = len(shape) == len(wanted) and all(w is None or w == s for w, s in zip(wanted, shape))
            if not fits:
                below = "features" if layer == 1 else f"units in layer {layer - 1}"
                hint = f"rows are the units of layer {layer}, columns the {below}"
                message = f"`{name}` has shape {_shape(shape)}, and {_shape(wanted)} is needed"
                findings.add("E323", message, Span(file), hint)


def _decoded(dtype: str, data: bytes) -> Weights | None:
    if dtype in _INTEGERS:
        array = np.frombuffer(data, _INTEGERS[dtype])
        return as_integers(array.astype(object)) if dtype == "U64" else array.astype(np.int64)
    if dtype == "BF16":
        return (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return np.frombuffer(data, _FLOATS[dtype]).astype(np.float64) if dtype in _FLOATS else None


def _check_finite(name: str, array: Weights, file: str, findings: Findings) -> None:
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return
    wrong = np.argwhere(~np.isfinite(array))
    place = ",".join(str(index + 1) for index in wrong[0])
    hint = "weights are finite numbers: was the model saved after its training diverged?"
    also = f", the first of {len(wrong):,} entries that are not finite" if len(wrong) > 1 else ""
    findings.add("E325", f"`{name}[{place}]` is {array[tuple(wrong[0])]}{also}", Span(file), hint)


def _shape(sizes: Iterable[int | None]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in sizes)}]"
