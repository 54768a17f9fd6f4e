"""How other people's networks are described: a JSON file that says in fixed sentences how its tensors are meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from isolog.errors import Findings, UnsupportedError
from isolog.facts.terms import Predicate
from isolog.networks.json_node import Node
from isolog.networks.network import MAX, SUM, Aggregation, Mean
from isolog.source import Span

_FORMULA = (
    "x_l(v) = act_l( A_l x_{l-1}(v) + b_l + sum_c B_l^c * agg_l{ x_{l-1}(u) : edge (u -> v) of colour c } ); "
    "agg of an empty set is the zero vector"
)
_INCOMING = "a binary atom E_c(s,o) is an edge s -> o; o aggregates over s (PyG flow source_to_target)"
_OUTGOING = "a binary atom E_c(s,o) is an edge o -> s; s aggregates over o (PyG flow target_to_source)"
_CLASSIFICATION = "fact derived iff sigmoid(last layer) > threshold (strict); equivalently logit > ln(t/(1-t))"
_ENCODINGS = ("canonical", "iclr22")
_AGGREGATIONS: Mapping[str, Aggregation] = {"max": MAX, "sum": SUM, "mean": Mean()}
_PREDICTION = "prediction_threshold_used_by_repo"
_REQUIRED = (
    *("name", "dimensions", "aggregation", "activation", "layer_formula", "edge_direction", "classification"),
    *("encoding", "colours", "features"),
)


@dataclass(frozen=True, slots=True)
class ForeignDescription:
    """What is known of a foreign network beside its tensors.

    `features[i]` is the predicate of position `i`, `colours` says what colours 1, 2, … are; `is_incoming` tells
    that a vertex aggregates over the sources of the edges that end in it. `threshold` is a probability.
    """

    name: str
    origin: str
    encoding: str
    dimensions: tuple[int, ...]
    aggregations: tuple[Aggregation, ...]
    features: tuple[Predicate, ...]
    colours: tuple[str, ...]
    is_incoming: bool
    threshold: Fraction | None


def parse_foreign(root: Node) -> ForeignDescription:
    """The description; raises everything that is malformed, or else everything that has no equal here."""
    fields = root.fields(_REQUIRED, ("threshold", "origin"), closed=False)
    unsupported = Findings()
    description = ForeignDescription(
        fields["name"].text() or "",
        _origin(fields["origin"]),
        _sentence(fields["encoding"], _ENCODINGS, unsupported),
        tuple(node.whole(1) or 0 for node in fields["dimensions"].items()),
        tuple(_aggregation(node, unsupported) for node in fields["aggregation"].items()),
        tuple(_feature(node, position) for position, node in enumerate(fields["features"].items())),
        _colours(fields["colours"]),
        _sentence(fields["edge_direction"], (_INCOMING, _OUTGOING), unsupported) == _INCOMING,
        _threshold(fields["threshold"]),
    )
    _sentence(fields["layer_formula"], (_FORMULA,), unsupported)
    _sentence(fields["classification"], (_CLASSIFICATION,), unsupported)
    activations = [node.text() or "" for node in fields["activation"].items()]
    if any(name != "relu" for name in activations[:-1]) or activations[-1:] != ["sigmoid"]:
        message = f"the activations are {', '.join(activations)}; only ReLU, and a sigmoid at the end, is converted"
        unsupported.add("E340", message, Span(root.file))
    _check_lengths(description, len(activations), root)
    if description.encoding == "canonical" and any(predicate.arity != 1 for predicate in description.features):
        root.findings.add("E343", "with the encoding `canonical`, features are unary predicates", Span(root.file))
    root.findings.raise_any()
    unsupported.raise_any(UnsupportedError)
    return description


def _check_lengths(description: ForeignDescription, activations: int, root: Node) -> None:
    """Finds the lists that are not as long as `dimensions` demands."""
    sizes = description.dimensions
    if len(sizes) < 2:
        message = f"`dimensions` lists {len(sizes)} sizes, and a network has two or more"
        root.findings.add("E341", message, Span(root.file))
        return
    layers, features = len(sizes) - 1, len(description.features)
    lengths = [("aggregation", len(description.aggregations), layers), ("activation", activations, layers)]
    for key, length, wanted in [*lengths, ("features", features, sizes[0]), ("features", features, sizes[-1])]:
        if length != wanted:
            message = f"`{key}` has {length} entries, and `dimensions` asks for {wanted}"
            root.findings.add("E341", message, Span(root.file))


def _sentence(node: Node, known: Sequence[str], unsupported: Findings) -> str:
    """One of the known sentences; another one has no equal here."""
    text = node.text()
    if text is not None and text not in known:
        hint = "isolog converts " + " or ".join(f"`{sentence}`" for sentence in known)
        unsupported.add("E340", f"`{node.path}` is {node.shown}", Span(node.file), hint)
    return text or ""


def _aggregation(node: Node, unsupported: Findings) -> Aggregation:
    return _AGGREGATIONS.get(_sentence(node, tuple(_AGGREGATIONS), unsupported), MAX)


def _feature(node: Node, position: int) -> Predicate:
    fields = node.fields(("position", "predicate", "arity"), closed=False)
    if fields["position"].whole() not in (position, None):
        fields["position"].reject(f"{position}, because features are listed in order")
    return Predicate(fields["predicate"].text() or "", fields["arity"].whole(1) or 1)


def _colours(node: Node) -> tuple[str, ...]:
    members = node.members()
    wanted = [str(number) for number in range(1, len(members) + 1)]
    if set(members) != set(wanted):
        node.findings.add("E341", f"the keys of `{node.path}` are not 1 to {len(members)}", Span(node.file))
        return ()
    return tuple(members[key].text() or "" for key in wanted)


def _threshold(node: Node) -> Fraction | None:
    """The probability itself, or the one that the source predicts with."""
    if isinstance(node.value, dict):
        node = node.fields((), (_PREDICTION,), closed=False)[_PREDICTION]
    return node.number()


def _origin(node: Node) -> str:
    parts = node.fields((), ("repo", "commit", "path"), closed=False).values()
    return " ".join(part.text() or "" for part in parts if not part.is_absent)
