"""Model folders: `model.json` beside `weights.safetensors`, read exactly and written atomically."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from isolog.errors import Finding, Findings, InputError, UnsupportedError
from isolog.facts.saving import folder_replacement
from isolog.facts.streams import unusable
from isolog.networks.exact_array import ExactArray, narrowest, unite
from isolog.networks.json_node import read_json
from isolog.networks.model_json import Description, parse_description, print_description
from isolog.networks.network import Layer, Network, Weights, tensor_names
from isolog.networks.tensors import check_names, check_shapes, print_tensors, read_notes, read_tensors
from isolog.source import Span

_DESCRIPTION, _WEIGHTS = "model.json", "weights.safetensors"
RECORD = "training.json"
"""How the network came about, where it was trained; reports read it."""


def read_model(path: str | Path) -> Network:
    """The network in a model folder; everything that is wrong with the folder is reported at once."""
    folder = Path(path)
    _check_folder(folder)
    findings = Findings()
    description = parse_description(read_json(folder / _DESCRIPTION, findings))
    file = folder / _WEIGHTS
    try:
        data = file.read_bytes()
    except OSError as error:
        raise unusable(str(file), error) from error
    tensors = read_tensors(data, str(file), findings)
    if description is None or tensors is None:
        findings.raise_any()
        raise AssertionError("without a description or tensors there is a finding")
    layers = _layers(description, tensors, str(file), findings)
    findings.raise_any()
    return Network(
        description.signature,
        description.canonical.unary,
        description.canonical.binary,
        layers,
        description.thresholds,
        description.encoding,
        replace(description.provenance, notes=read_notes(data)),
    )


def write_model(network: Network, path: str | Path) -> None:
    """Makes the folder from which `read_model` gives the same network; the same network gives the same bytes.

    A model folder of that name is replaced as a whole, and anything else is left alone. When the write fails,
    what was there before stays.
    """
    arrays: dict[str, Weights] = {}
    scales: list[int] = []
    for number, layer in enumerate(network.layers, 1):
        stored, scale = _storable(layer, number)
        arrays |= zip(tensor_names(number, network.colours), map(narrowest, stored), strict=True)
        scales.append(scale)
    try:
        description = print_description(network, scales).encode()
        weights = print_tensors(arrays, network.provenance.notes)
        with folder_replacement(Path(path), {_DESCRIPTION, _WEIGHTS, RECORD}, "a model") as new:
            (new / _DESCRIPTION).write_bytes(description)
            (new / _WEIGHTS).write_bytes(weights)
    except UnicodeEncodeError as error:
        hint = "rename the predicate, feature or unit"
        raise InputError(
            Finding("E331", "a name has a lone surrogate, so it is no text", Span(str(path)), hint)
        ) from error


def _check_folder(folder: Path) -> None:
    hint = f"a model is a folder that holds `{_DESCRIPTION}` and `{_WEIGHTS}`"
    if not folder.is_dir():
        wrong = "is a file" if folder.exists() else "does not exist"
        raise InputError(Finding("E300", f"`{folder}` {wrong}", hint=hint))
    missing = [name for name in (_DESCRIPTION, _WEIGHTS) if not (folder / name).is_file()]
    if missing:
        raise InputError(Finding("E300", f"`{folder}` has no file `{name}`", hint=hint) for name in missing)


def _layers(
    description: Description, tensors: Mapping[str, Weights], file: str, findings: Findings
) -> tuple[Layer, ...]:
    """The layers of a description with these weights; none when there are findings."""
    colours, features = description.canonical.binary, len(description.canonical.unary)
    known = [tensor_names(number, colours) for number, _ in enumerate(description.layers, 1)]
    biases = [names[-1] for names in known]
    hidden = [len(tensors[name]) if name in tensors and tensors[name].ndim == 1 else None for name in biases[:-1]]
    sizes = [features, *hidden, features]
    check_names(tensors, known, biases, file, findings)
    check_shapes(tensors, known, sizes, file, findings)
    if len(findings):
        return ()
    layers: list[Layer] = []
    for names, scale, (aggregation, activation) in zip(known, description.scales, description.layers, strict=True):
        present = {name: ExactArray.scaled(tensors[name], scale) for name in names if name in tensors}
        united, common = unite(list(present.values()))
        arrays = dict(zip(present, united, strict=True))
        b = arrays.pop(names[-1])
        absent = np.zeros((len(b), sizes[len(layers)] or 0), b.dtype)
        own, *others = [arrays.get(name, absent) for name in names[:-1]]
        layers.append(Layer(own, tuple(others), b, aggregation, activation, common))
    return tuple(layers)


def _storable(layer: Layer, number: int) -> tuple[list[Weights], int]:
    """The arrays of the layer as 64-bit integers over the scale given beside them, or as float64."""
    arrays = [ExactArray(array, layer.scale) for array in (layer.A, *layer.B, layer.b)]
    if all(array.entries.dtype != object for array in arrays):
        return [array.entries for array in arrays], layer.scale
    floats = [array.as_floats() for array in arrays]
    scale = math.lcm(*(array.denominator for array, float_ in zip(arrays, floats) if float_ is None))
    stored = [array.over(scale) if float_ is None else float_ for array, float_ in zip(arrays, floats)]
    if any(array.dtype == object for array in stored):
        message = f"layer {number} has weights that are neither 64-bit integers over one scale nor 64-bit floats"
        raise UnsupportedError(Finding("E331", message, hint="round the weights to a coarser grid"))
    return stored, scale
