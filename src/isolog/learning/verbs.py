"""`train` as a function: the verb's flags as keywords, in a module that needs no torch until it is called."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from isolog.errors import Finding, MissingExtraError
from isolog.facts.dataset import Dataset
from isolog.facts.split import Split

if TYPE_CHECKING:
    from isolog.learning.train import Training
    from isolog.networks.network import Network


def train(
    data: Split | Dataset,
    *,
    encoding: str | None = None,
    layers: int | None = None,
    hidden: int | None = None,
    aggregation: str | None = None,
    sparsity: float | None = None,
    bits: int | None = None,
    epochs: int | None = None,
    device: Literal["cpu", "cuda"] | None = None,
    config: Path | None = None,
    start: Network | None = None,
    seed: int = 0,
) -> Training:
    """The network learned from a split, or from facts of which a part is held out; what is not given is chosen.

    The same data, choices and seed give the same network. With a network to `start` from, the flag `--from`, its
    encoding and layers are kept, and the result says which of its rules are lost or kept, and which are gained.
    """
    require_torch()
    from isolog.learning.configuration import configured
    from isolog.learning.task import hold_out
    from isolog.learning.train import train_split

    given = {
        "encoding": encoding, "layers": layers, "hidden": hidden, "aggregation": aggregation, "sparsity": sparsity,
        "bits": bits, "epochs": epochs, "device": device, "seed": seed or None,
    }  # fmt: skip
    split = hold_out(data, seed) if isinstance(data, Dataset) else data
    return train_split(split, configured(config, given, start).plan)


def require_torch() -> None:
    """Says how to install torch where it is not."""
    if find_spec("torch") is None:
        hint = "pip install 'isolog[train]'"
        raise MissingExtraError(Finding("E645", "training needs torch, which is not installed", hint=hint))
