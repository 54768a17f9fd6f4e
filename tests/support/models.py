"""A small model folder, written by hand as someone else would, and what it takes for two networks to be the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from isolog.networks.network import Network

ABSENT = object()
DESCRIPTION: dict[str, Any] = {
    "format": "isolog-network",
    "version": 1,
    "signature": {"unary": ["A", "B"], "binary": ["r", "s"]},
    "encoding": {"name": "canonical"},
    "layers": [
        {"aggregation": "max", "activation": "relu"},
        {"aggregation": {"max-k-sum": 3}, "activation": {"points": [[0, 0], [1, 1]], "slope": 0.5}},
    ],
    "threshold": 1,
    "scale": 4,
}
TENSORS: dict[str, NDArray[Any]] = {
    "A1": np.array([[4, 0], [0, 2], [1, 1]], np.int8),
    "B1.r": np.array([[0, 4], [0, 0], [3, 0]], np.int8),
    "b1": np.array([0, -1, 0], np.int8),
    "A2": np.array([[4, 0, 0], [0, 2, 2]], np.int16),
    "B2.s": np.array([[1, 0, 0], [0, 0, 4]], np.int16),
    "b2": np.array([0, -2], np.int16),
}


def write_small_model(folder: Path, tensors: Mapping[str, Any] | None = None, **changes: Any) -> Path:
    """A valid two-layer model with other `tensors` and other keys of `model.json`; ABSENT removes one."""
    description = {key: value for key, value in (DESCRIPTION | changes).items() if value is not ABSENT}
    arrays = {name: array for name, array in (TENSORS | dict(tensors or {})).items() if array is not ABSENT}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.json").write_text(json.dumps(description), encoding="utf-8")
    save_file(arrays, folder / "weights.safetensors")
    return folder


def meaning(network: Network) -> object:
    """Everything that a network says, exactly; equal for two networks iff they are the same."""
    layers = [
        (
            [layer.exact_rows(matrix) for matrix in (layer.A, *layer.B)],
            [matrix.shape for matrix in (layer.A, *layer.B)],
            layer.exact_bias(),
            layer.aggregation,
            layer.activation,
        )
        for layer in network.layers
    ]
    names = network.signature, network.features, network.colours
    return names, layers, network.thresholds, network.encoding, network.provenance
