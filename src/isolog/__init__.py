"""isolog: graph neural networks that are Datalog programs.

The public names resolve on first use, so that `import isolog` stays instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Atom": "isolog.facts.terms",
    "Dataset": "isolog.facts.dataset",
    "Function": "isolog.facts.terms",
    "Literal": "isolog.facts.terms",
    "Predicate": "isolog.facts.terms",
    "Signature": "isolog.facts.signature",
    "Variable": "isolog.facts.terms",
    "agree": "isolog.facts.operator",
    "Program": "isolog.datalog.syntax",
    "Rule": "isolog.datalog.syntax",
}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'isolog' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*_PUBLIC, "__version__"])
