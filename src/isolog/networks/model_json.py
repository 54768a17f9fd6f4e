"""`model.json`: everything about a network but its weights, from and to the file."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never

from isolog.encodings.registry import canonical_signature
from isolog.errors import InputError, UnsupportedError
from isolog.facts.signature import Signature
from isolog.networks.activation import RELU, Activation
from isolog.networks.json_node import PAGES, Node, nearest, number_to_json
from isolog.networks.network import MAX, SUM, Aggregation, EncodingName, MaxKSum, Mean, Network, Provenance
from isolog.source import Span

FORMAT, VERSION = "isolog-network", 1
_REQUIRED = ("format", "version", "signature", "encoding", "layers", "threshold", "scale")
_OPTIONAL = ("seed", "dataset_sha256", "versions")
_ENCODING_LISTS = ("nominals", "hubs")
_ENCODING_TEXTS = ("encode", "decode", "sorts")
_AGGREGATIONS: dict[object, Aggregation] = {"max": MAX, "sum": SUM, "mean": Mean()}


@dataclass(frozen=True, slots=True)
class Description:
    """What `model.json` says; `canonical` is the signature of the graphs that the network works on."""

    signature: Signature
    canonical: Signature
    encoding: EncodingName
    layers: tuple[tuple[Aggregation, Activation], ...]
    thresholds: tuple[Fraction, ...]
    scales: tuple[int, ...]
    provenance: Provenance


def parse_description(root: Node) -> Description | None:
    """The description. What is wrong goes to the findings of `root`.

    None when weights could not be compared with it; otherwise findings leave a stand-in in their place.
    """
    fields = root.fields(_REQUIRED, _OPTIONAL)
    _check_version(fields["format"], FORMAT)
    _check_version(fields["version"], str(VERSION))
    signature = _signature(fields["signature"])
    encoding = _encoding(fields["encoding"])
    layers = tuple(map(_layer, fields["layers"].items()))
    if fields["layers"].value == []:
        root.findings.add("E304", "`layers` is empty, and a network has at least one layer", Span(root.file), PAGES)
    provenance = _provenance(fields)
    scales = fields["scale"].each(len(layers), "layer", lambda node: node.whole(1)) if layers else ()
    canonical = _canonical(signature, encoding, root) if signature is not None and encoding is not None else None
    if signature is None or encoding is None or canonical is None or not layers:
        return None
    outputs = len(canonical.unary)
    thresholds = fields["threshold"].each(outputs, "output", Node.number) or (Fraction(1),) * outputs
    return Description(signature, canonical, encoding, layers, thresholds, scales or (1,) * len(layers), provenance)


def print_description(network: Network, scales: Sequence[int]) -> str:
    """The text of `model.json`, one line per key; `scales` are those of the integer weights in the file."""
    encoding = network.encoding
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "signature": {"unary": network.signature.unary, "binary": network.signature.binary},
        "encoding": {"name": encoding.name, **dict(encoding.options)},
        "layers": [
            {
                "aggregation": _aggregation_to_json(layer.aggregation),
                "activation": _activation_to_json(layer.activation),
            }
            for layer in network.layers
        ],
        "threshold": _one_if_equal([number_to_json(threshold) for threshold in network.thresholds]),
        "scale": _one_if_equal(scales),
    }
    provenance = network.provenance
    if provenance.seed is not None:
        document["seed"] = provenance.seed
    if provenance.dataset_sha256 is not None:
        document["dataset_sha256"] = provenance.dataset_sha256
    if provenance.versions:
        document["versions"] = dict(provenance.versions)
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _check_version(node: Node, known: str) -> None:
    if not node.is_absent and node.value != known:
        hint = f"isolog reads the format `{FORMAT}`, version {VERSION}"
        node.findings.add("E305", f"unknown {node.path} {node.shown}", Span(node.file), hint)


def _signature(node: Node) -> Signature | None:
    fields = node.fields(("unary", "binary"))
    unary, binary = fields["unary"].texts(), fields["binary"].texts()
    if unary is None or binary is None:
        return None
    signature = Signature.of(unary, binary)
    for predicate in dict.fromkeys(signature.predicates):
        if signature.predicates.count(predicate) > 1:
            hint = "each is listed once; `A/1` and `A/2` are different predicates"
            node.findings.add("E306", f"the predicate `{predicate}` is twice in the signature", Span(node.file), hint)
    return signature


def _encoding(node: Node) -> EncodingName | None:
    name = node.fields(("name",), closed=False)["name"].text()
    if name is None:
        return None
    optional = () if name == "canonical" else (*_ENCODING_LISTS, *_ENCODING_TEXTS)
    fields = node.fields((), ("name", *optional))
    options = {key: fields[key].texts() if key in _ENCODING_LISTS else fields[key].text() for key in optional}
    return EncodingName(name, tuple((key, value) for key, value in options.items() if value is not None))


def _canonical(signature: Signature, encoding: EncodingName, root: Node) -> Signature:
    try:
        return canonical_signature(signature, encoding.name, dict(encoding.options))
    except UnsupportedError:
        root.findings.raise_any()
        raise


def _layer(node: Node) -> tuple[Aggregation, Activation]:
    fields = node.fields(("aggregation", "activation"))
    return _aggregation(fields["aggregation"]), _activation(fields["activation"])


def _aggregation(node: Node) -> Aggregation:
    if isinstance(node.value, dict):
        k = node.fields(("max-k-sum",))["max-k-sum"].whole(0)
        return MAX if k is None else MaxKSum(k)
    if isinstance(node.value, str) and node.value in _AGGREGATIONS:
        return _AGGREGATIONS[node.value]
    node.reject('"max", "sum", "mean" or {"max-k-sum": k}', nearest(str(node.value), ["max", "sum", "mean"]))
    return MAX


def _activation(node: Node) -> Activation:
    if not isinstance(node.value, dict):
        if node.value != "relu":
            node.reject('"relu" or {"points": [[x, y], …], "slope": s}', nearest(str(node.value), ["relu"]))
        return RELU
    fields = node.fields(("points", "slope"))
    slope = fields["slope"].number()
    points = [_point(item) for item in fields["points"].items()]
    if slope is None or None in points or fields["points"].is_absent:
        return RELU
    try:
        return Activation(tuple(point for point in points if point is not None), slope)
    except InputError as error:
        problem = error.findings[0]
        node.findings.add(problem.code, f"`{node.path}`: {problem.message}", Span(node.file), problem.hint)
        return RELU


def _point(node: Node) -> tuple[Fraction, Fraction] | None:
    if not isinstance(node.value, list) or len(node.items()) != 2:
        return node.reject("a point [x, y]")
    x, y = (item.number() for item in node.items())
    return None if x is None or y is None else (x, y)


def _provenance(fields: dict[str, Node]) -> Provenance:
    versions = fields["versions"].members()
    texts = tuple((name, text) for name, node in versions.items() if (text := node.text()) is not None)
    return Provenance(fields["seed"].whole(), fields["dataset_sha256"].text(), texts)


def _aggregation_to_json(aggregation: Aggregation) -> str | dict[str, int]:
    match aggregation:
        case Mean():
            return "mean"
        case MaxKSum(1):
            return "max"
        case MaxKSum(math.inf):
            return "sum"
        case MaxKSum(k):
            return {"max-k-sum": int(k)}
        case _:
            assert_never(aggregation)


def _activation_to_json(activation: Activation) -> Any:
    if activation == RELU:
        return "relu"
    points = [[number_to_json(x), number_to_json(y)] for x, y in activation.points]
    return {"points": points, "slope": number_to_json(activation.slope)}


def _one_if_equal(values: Sequence[Any]) -> Any:
    return values[0] if len(set(values)) == 1 else list(values)
