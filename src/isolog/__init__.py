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
    "Network": "isolog.networks.network",
    "Predicate": "isolog.facts.terms",
    "Program": "isolog.datalog.syntax",
    "Rule": "isolog.datalog.syntax",
    "Signature": "isolog.facts.signature",
    "Variable": "isolog.facts.terms",
    "agree": "isolog.facts.operator",
    "capacity": "isolog.correspondence.capacity",
    "captures": "isolog.correspondence.capture",
    "class_report": "isolog.networks.classes",
    "compile_program": "isolog.correspondence.compile",
    "equivalent": "isolog.correspondence.equivalence",
    "evaluate": "isolog.learning.evaluation",
    "explain": "isolog.correspondence.explain",
    "export_program": "isolog.export.targets",
    "extract": "isolog.correspondence.extract",
    "generate_family": "isolog.facts.family",
    "parse": "isolog.datalog.parser",
    "predict": "isolog.correspondence.transformation",
    "print_program": "isolog.datalog.printer",
    "read_facts": "isolog.facts.files",
    "read_model": "isolog.networks.model_folder",
    "read_program": "isolog.datalog.parser",
    "read_split": "isolog.facts.split_files",
    "run": "isolog.engines.choice",
    "split": "isolog.facts.split",
    "support": "isolog.engines.support",
    "train": "isolog.learning.verbs",
    "truncate": "isolog.correspondence.truncate",
    "write_facts": "isolog.facts.files",
    "write_model": "isolog.networks.model_folder",
    "write_split": "isolog.facts.split_files",
}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'isolog' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*_PUBLIC, "__version__"])
