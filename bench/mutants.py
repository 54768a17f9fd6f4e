"""Changes the algorithms of the theory one place at a time, in a copy, and says which changes no test notices.

python bench/mutants.py [--per-file N] [--only NAME] [--seed S]

Without a change all tests have to pass in the copy. Then a run of tests that fails, does not end or needs too much
memory has noticed the change. Survivors in EXPLAINED change no result.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from copy import deepcopy
from difflib import ndiff
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CAPTURE = ["unit/test_lemma1.py", "unit/test_capture.py", "unit/test_quotients.py", "unit/test_counterexample.py"]
CAPTURE += ["unit/test_corrections_capture.py", "laws/test_capture.py"]
VALUES = ["unit/test_values.py", "unit/test_bitsets.py", "unit/test_frontier.py", "unit/test_corrections_values.py"]
VALUES += ["laws/test_value_sets.py"]
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
MEMORY = 4 * 2**30
NO_SHRINKING = """
from hypothesis import Phase
settings.register_profile("mutants", settings.get_profile("quick"), phases=[Phase.explicit, Phase.generate])
settings.load_profile("mutants")
"""
EXPLAINED: dict[str, dict[str, str]] = {
    "correspondence/bitsets.py": {
        "ends = [min(max(math.ceil(z) - bias, 0), size) for z in this.scale.breaks] → "
        "ends = [min(max(math.ceil(z) - bias, 1), size) for z in this.scale.breaks]": "each piece takes its "
        "first value from σ itself, so a piece of one argument is right with any slope",
    },
    "correspondence/relevance.py": {
        "adding.append(frozenset(read if adds(layer) else ()).union(*adding[-1:])) → "
        "adding.append(frozenset(read if adds(layer) else ()).union(*adding[-2:]))": "the sets only grow",
    },
    "datalog/count_trees.py": {
        "logarithm = max(logarithm, labellings + math.log(2) * ((math.isqrt(8 * slots + 1) - 1) // 2)) → "
        "logarithm = max(logarithm, labellings + math.log(2) * ((math.isqrt(9 * slots + 1) - 1) // 2))": "a sharper "
        "bound, and still a lower one: the partitions of numbers up to s are more than 2^(1.5·√s)",
    },
    "datalog/enumerate_trees.py": {
        "return len(self.trees.unary) + (slots * (1 + self.most_atoms(levels - 1)) if slots else 0) → "
        "return len(self.trees.unary) + (slots * (1 + self.most_atoms(levels - 1)) if slots else 1)": "a bound that is "
        "too large only looks for formulas of sizes that none has",
    },
}


def mutants(tree: ast.Module, number: int, seed: int) -> Iterator[tuple[int, ast.Module]]:
    """The line and the changed tree of so many mutants."""
    places = [place for place, node in enumerate(ast.walk(tree)) if change(deepcopy(node))]
    random.Random(seed).shuffle(places)
    for place in places[:number]:
        changed = deepcopy(tree)
        node = next(node for index, node in enumerate(ast.walk(changed)) if index == place)
        change(node)
        yield node.lineno, ast.fix_missing_locations(changed)


def change(node: ast.AST) -> bool:
    """Changes the node if it is one of a kind that is changed; numbers beyond 1,000 are budgets."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            node.ops = [COMPARISONS[type(operator)]()]
        case ast.BinOp(op=operator) if type(operator) in OPERATIONS:
            node.op = OPERATIONS[type(operator)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            node.func = ast.copy_location(ast.Name(CALLS[name], ast.Load()), node.func)
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and value < 1000:
            node.value = value + 1
        case ast.If() | ast.IfExp():
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            node.__class__, node.__dict__ = ast.Pass, {"lineno": node.lineno, "col_offset": node.col_offset}
        case _:
            return False
    return True


def difference(tree: ast.Module, changed: ast.Module) -> str:
    """The line before and after."""
    lines = list(ndiff(ast.unparse(tree).splitlines(), ast.unparse(changed).splitlines()))
    return " → ".join(" ".join(line[2:].strip() for line in lines if line.startswith(sign)) for sign in "-+")


def passes(copy: Path, tests: list[str], seconds: float | None = None) -> bool:
    """Whether all tests pass in the copy, in that time and in little memory."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-q", "-x", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *(f"tests/{test}" for test in tests)]
    try:
        result = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=seconds, preexec_fn=limit_memory
        )
    except subprocess.TimeoutExpired:
        return False
    return result.returncode == 0


def limit_memory() -> None:
    """Applies to this process and those that it starts."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def survivors(copy: Path, file: str, tests: list[str], number: int, seed: int) -> Iterator[tuple[int, str, bool]]:
    """The line, the difference and whether it survives, of so many mutants of the file."""
    start = time.monotonic()
    if not passes(copy, tests):
        sys.exit(f"the tests of {file} fail without any change: {' '.join(tests)}")
    seconds = 30 + 5 * (time.monotonic() - start)
    target = copy / "src" / "isolog" / file
    text = target.read_text("utf-8")
    tree = ast.parse(text)
    for line, changed in mutants(tree, number, seed):
        target.write_text(ast.unparse(changed), "utf-8")
        yield line, difference(tree, changed), passes(copy, tests, seconds)
    target.write_text(text, "utf-8")


def main() -> None:
    """Prints each survivor and the totals; exit code 1 when some survivor is not explained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-file", type=int, default=4, help="how many places of each file are tried")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tried, explained, unexplained = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("src", "tests"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        with (copy / "tests" / "conftest.py").open("a") as settings:
            settings.write(NO_SHRINKING)
        for file, tests in TESTS.items():
            if options.only not in file:
                continue
            for line, changed, survived in survivors(copy, file, tests, options.per_file, options.seed):
                tried += 1
                reason = EXPLAINED.get(file, {}).get(changed)
                explained += survived and reason is not None
                unexplained += survived and reason is None
                if survived:
                    print(f"survived  {file}:{line}  {changed}  ({reason or 'unexplained'})", flush=True)
    print(f"{tried} mutants: {tried - explained - unexplained} noticed, {explained} explained, {unexplained} survived")
    sys.exit(unexplained > 0)


if __name__ == "__main__":
    main()
