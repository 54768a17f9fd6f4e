"""The choices of a training from flags and from a YAML file, checked together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from isolog.errors import Finding, InputError
from isolog.facts.streams import unusable
from isolog.learning.settings import AggregationName, Settings, aggregation_of
from isolog.learning.start import agreed_aggregation, fine_enough
from isolog.learning.train import BITS, SPARSITIES, Plan
from isolog.networks.model_folder import read_model
from isolog.networks.network import Network
from isolog.source import Span


class Configuration(BaseModel):
    """What a file under `experiments/` may say.

    `data`, and `rules`, a file of LogInfer with rules that are known to hold, are read relative to the data folder;
    `from`, the model to start from, relative to the file.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    data: str | None = None
    split: str | None = None
    rules: str | None = None
    literals: Literal["terms", "names"] = "terms"
    start: str | None = Field(default=None, alias="from")
    encoding: str = "auto"
    layers: int = Field(default=2, ge=1, le=10)
    hidden: int | None = Field(default=None, ge=1)
    aggregation: str = Field(default="max", pattern=r"^(max|sum|\d+)(,(max|sum|\d+))*$")
    sparsity: float | list[float] | None = None
    bits: int | list[int] | None = None
    epochs: int = Field(default=300, ge=1)
    seed: int = 0
    device: Literal["cpu", "cuda"] = "cpu"
    seconds: float = Field(default=240.0, gt=0)
    max_nodes: int = Field(default=200_000, gt=0)
    learning_rate: float = Field(default=0.02, gt=0)
    hide: float = Field(default=0.3, ge=0, lt=1)
    known_weight: float = Field(default=0.02, ge=0)
    negative_weight: float = Field(default=0.03, gt=0)
    balance: float = Field(default=0.0, ge=0, le=1)
    density: float = Field(default=0.2, gt=0, le=1)
    held_out: float = Field(default=0.2, ge=0, lt=1)
    taken: float = Field(default=0.1, ge=0, lt=1)
    pruning_tolerance: float = Field(default=0.0002, ge=0)
    pruning_attempts: int = Field(default=400, ge=0)
    sample: int = Field(default=5_000, gt=0)
    most_vertices: int = Field(default=4_000_000, gt=0)


@dataclass(frozen=True, slots=True)
class Choices:
    """A plan, where its data are described, and the file of rules that are known to hold."""

    plan: Plan
    data: str | None
    split: Path | None
    literals: Literal["terms", "names"]
    rules: str | None = None


def configured(file: Path | None, given: Mapping[str, Any], start: Network | None = None) -> Choices:
    """The choices of the file, if any, with those that are given in their place, and with the network to start from."""
    told = _read(file) if file is not None else {}
    if file is not None and isinstance(told.get("from"), str):
        told["from"] = str(file.parent / told["from"])
    told |= {name: value for name, value in given.items() if value is not None}
    try:
        chosen = Configuration(**told)
    except ValidationError as error:
        place = Span(str(file)) if file is not None else None
        raise InputError(_finding(problem, place) for problem in error.errors()) from error
    split = file.parent / chosen.split if file is not None and chosen.split is not None else None
    if start is None and chosen.start is not None:
        start = read_model(chosen.start)
    return Choices(plan_of(chosen, start), chosen.data, split, chosen.literals, chosen.rules)


def plan_of(chosen: Configuration, start: Network | None = None) -> Plan:
    """The plan that a configuration describes; a network to start from keeps its encoding, layers and aggregation."""
    aggregation = _aggregation(chosen) if start is None else agreed_aggregation(start, _asked(chosen))
    same = {field.name for field in fields(Settings)} & set(Configuration.model_fields) - {"aggregation"}
    settings = Settings(
        aggregation=aggregation,
        **{name: getattr(chosen, name) for name in same - {"sparsity", "bits"}},
    )
    return Plan(
        settings,
        chosen.encoding if start is None else start.encoding.name,
        SPARSITIES if chosen.sparsity is None else _several(chosen.sparsity),
        _several(chosen.bits) if chosen.bits is not None else BITS if start is None else fine_enough(start, BITS),
        chosen.seconds,
        chosen.max_nodes,
        start,
    )


def _aggregation(chosen: Configuration) -> tuple[AggregationName, ...]:
    """The k of each layer."""
    aggregation = tuple(aggregation_of(name) for name in chosen.aggregation.split(","))
    if len(aggregation) == 1:
        aggregation *= chosen.layers
    if len(aggregation) != chosen.layers:
        message = f"`{chosen.aggregation}` has {len(aggregation)} aggregations for {chosen.layers} layers"
        raise InputError(Finding("E642", message, hint="name one for all layers, or one for each"))
    return aggregation


def _asked(chosen: Configuration) -> dict[str, str]:
    """What was told, and not left to be chosen."""
    return {name: str(getattr(chosen, name)) for name in sorted(chosen.model_fields_set)}


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _read(file: Path) -> dict[str, Any]:
    import yaml

    try:
        told = yaml.safe_load(file.read_text("utf-8"))
    except OSError as error:
        raise unusable(str(file), error) from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        hint = "a line is `key: value`"
        raise InputError(Finding("E643", f"not YAML: {error}", Span(str(file)), hint)) from error
    if not isinstance(told, dict):
        raise InputError(Finding("E643", "the file has no keys", Span(str(file)), "a line is `key: value`"))
    return {str(key): value for key, value in told.items()}


def _finding(problem: Any, place: Span | None) -> Finding:
    where = ".".join(str(part) for part in problem["loc"])
    names = [field.alias or name for name, field in Configuration.model_fields.items()]
    hint = f"the keys are {', '.join(f'`{name}`' for name in names)}"
    return Finding("E644", f"`{where}`: {problem['msg'][:1].lower()}{problem['msg'][1:]}", place, hint)
