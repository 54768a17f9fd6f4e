"""Changes the algorithms of the theory one place at a time, in a copy, and says which changes no test notices.

python bench/mutants.py [--per-file N] [--only NAME] [--seed S]
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CAPTURE = ["unit/test_lemma1.py", "unit/test_capture.py", "unit/test_quotients.py", "unit/test_counterexample.py"]
CAPTURE += ["unit/test_corrections_capture.py", "laws/test_capture.py"]
VALUES = ["unit/test_values.py", "unit/test_corrections_values.py", "laws/test_value_sets.py"]
CAPACITY = ["unit/test_capacity.py", "unit/test_truncate.py", "laws/test_truncation.py", *VALUES]
TREES = ["unit/test_treelike.py", "unit/test_recognise.py", "laws/test_tree_formulas.py"]
COUNTS = ["unit/test_count_trees.py", "unit/test_enumerate_trees.py", "unit/test_corrections_trees.py"]
COUNTS += ["laws/test_tree_formulas.py"]
COMPILED = ["unit/test_network_of_program.py", "unit/test_subformulas.py", "unit/test_compile_program.py"]
COMPILED += ["unit/test_corrections_trees.py", "laws/test_compile.py"]
TESTS = {
    **dict.fromkeys(["correspondence/values.py", "correspondence/frontier.py", "correspondence/bitsets.py"], VALUES),
    **dict.fromkeys(["correspondence/grid.py", "correspondence/capacity.py", "correspondence/truncate.py"], CAPACITY),
    **dict.fromkeys(["datalog/treelike.py", "datalog/recognise.py", "datalog/tree_shape.py"], TREES),
    **dict.fromkeys(["datalog/enumerate_trees.py", "datalog/count_trees.py"], COUNTS),
    "datalog/tree_rules.py": [*TREES, "unit/test_compile_program.py"],
    "datalog/tree_implication.py": ["unit/test_tree_implication.py", "laws/test_tree_formulas.py"],
    **dict.fromkeys(["correspondence/lemma1.py", "correspondence/patterns.py", "correspondence/folds.py"], CAPTURE),
    **dict.fromkeys(["correspondence/capture.py", "correspondence/quotients.py"], CAPTURE),
    **dict.fromkeys(["correspondence/relevance.py", "correspondence/bounding.py"], CAPTURE),
    **dict.fromkeys(["correspondence/tree_batches.py", "correspondence/counterexample.py"], CAPTURE),
    "correspondence/program_of_network.py": ["unit/test_program_of_network.py", "laws/test_program_of_network.py"],
    **dict.fromkeys(["correspondence/network_of_program.py", "correspondence/subformulas.py"], COMPILED),
    **dict.fromkeys(["correspondence/formula_network.py", "correspondence/compile.py"], COMPILED),
}
COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPERATIONS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult}
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}


def mutants(tree: ast.Module) -> Iterator[tuple[int, ast.Module]]:
    """The line and the changed tree of every mutant."""
    for place in range(sum(1 for _ in ast.walk(tree))):
        changed = deepcopy(tree)
        node = next(node for index, node in enumerate(ast.walk(changed)) if index == place)
        if change(node):
            yield node.lineno, ast.fix_missing_locations(changed)


def change(node: ast.AST) -> bool:
    """Changes the node if it is one of a kind that is changed."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            node.ops = [COMPARISONS[type(operator)]()]
        case ast.BinOp(op=operator) if type(operator) in OPERATIONS:
            node.op = OPERATIONS[type(operator)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            node.func = ast.copy_location(ast.Name(CALLS[name], ast.Load()), node.func)
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            node.value = value + 1
        case ast.If() | ast.IfExp():
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            node.__class__, node.__dict__ = ast.Pass, {"lineno": node.lineno, "col_offset": node.col_offset}
        case _:
            return False
    return True


def survives(copy: Path, tests: list[str]) -> bool:
    """Whether all tests pass in the copy."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        *(f"tests/{test}" for test in tests),
    ]
    try:
        result = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired:
        return False
    return result.returncode == 0


def main() -> None:
    """Prints each survivor and the totals; exit code 1 when there are survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-file", type=int, default=4, help="how many places of each file are tried")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tried = survived = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("src", "tests"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        for file, tests in TESTS.items():
            target = copy / "src" / "isolog" / file
            text = target.read_text("utf-8")
            chosen = list(mutants(ast.parse(text))) if options.only in file else []
            random.Random(options.seed).shuffle(chosen)
            for line, tree in chosen[: options.per_file]:
                tried += 1
                target.write_text(ast.unparse(tree), "utf-8")
                if survives(copy, tests):
                    survived += 1
                    print(f"survived  {file}:{line}  {text.splitlines()[line - 1].strip()}", flush=True)
            target.write_text(text, "utf-8")
    print(f"{tried} mutants, {survived} survived")
    sys.exit(survived > 0)


if __name__ == "__main__":
    main()
