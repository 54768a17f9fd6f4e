"""Engines side by side: twenty tree-shaped rules that share their steps, on a random coloured graph.

    python bench/engines.py [SCALE (1)] [ENGINE …]

Every engine runs in a process of its own, one after the other, three times, of which the fastest counts. `evaluate`
begins with the facts where the engine has them; for Nemo and clingo it is the whole time less that of a run without
rules. `load` brings the facts there, from Parquet for this project's engines, from CSV and text for the others.
Seconds are of wall time; beside them is the processor time of `evaluate`, over all threads, which a busy machine
disturbs less. Memory is the peak of the process. Engines agree if they derive the same facts.
"""

from __future__ import annotations

import csv
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from workload import Size, workload_data, workload_program

from isolog.concepts.dag import AND, COUNT, LABEL, OR, TOP
from isolog.engines.duckdb import DatasetSession, Resources, connection
from isolog.engines.engine import Options
from isolog.engines.graph import Prepared
from isolog.engines.sql.evaluation import one_round
from isolog.engines.sql.files import Request
from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts, write_facts

TIMES = 3


@dataclass(frozen=True)
class Taken:
    """Seconds on the wall and of the processor."""

    wall: float
    cpu: float

    def less(self, other: Taken) -> Taken:
        """What is left without the other."""
        return Taken(self.wall - other.wall, self.cpu - other.cpu)


Outcome = tuple[Taken, float, dict[str, int]]


def fastest(run: Callable[[], object]) -> Taken:
    """The least time of a few runs."""
    found: list[Taken] = []
    for _ in range(TIMES):
        start, cpu = time.perf_counter(), time.process_time()
        run()
        found.append(Taken(time.perf_counter() - start, time.process_time() - cpu))
    return Taken(min(each.wall for each in found), min(each.cpu for each in found))


def loaded(folder: Path) -> tuple[Dataset, float]:
    """The facts from Parquet, and how long that took."""
    start = time.perf_counter()
    return read_facts(folder / "facts.parquet"), time.perf_counter() - start


def sums(dataset: Dataset) -> dict[str, int]:
    """A number for the facts of each predicate."""
    found: dict[str, int] = {}
    for predicate, table in dataset.tables.items():
        names = sorted(str(dataset.vocabulary[number]) for number in table[:, 0])
        found[predicate.name] = _sum(names)
    return found


def _sum(names: list[str]) -> int:
    return int(hashlib.sha256("\n".join(names).encode()).hexdigest()[:12], 16)


def scipy_csr(folder: Path) -> Outcome:
    """What a sweep costs: one product of a CSR matrix and a vector for each count."""
    from scipy.sparse import csr_matrix

    from isolog.encodings.canonical import encode

    prepared = Prepared(workload_program())
    dataset, load = loaded(folder)
    start = time.perf_counter()
    graph = encode(dataset, prepared.signature)
    shape = (graph.vertices, graph.vertices)
    matrices = [csr_matrix((np.ones(len(c.targets), np.int32), c.targets, c.starts), shape) for c in graph.colours]
    load += time.perf_counter() - start
    concepts, order = prepared.concepts, prepared.concepts.reachable(prepared.heads.values())

    def run() -> dict[int, np.ndarray]:
        found: dict[int, np.ndarray] = {}
        for node in order:
            left, right = concepts.left[node], concepts.right[node]
            match concepts.kinds[node]:
                case kind if kind == LABEL:
                    found[node] = graph.features[:, left]
                case kind if kind == AND:
                    found[node] = found[left] & found[right]
                case kind if kind == OR:
                    found[node] = found[left] | found[right]
                case kind if kind == COUNT:
                    at_least, colour = concepts.quantities[right]
                    found[node] = matrices[colour] @ found[left].astype(np.int32) >= at_least
                case _:
                    found[node] = np.full(graph.vertices, node == TOP)
        return found

    seconds, found = fastest(run), run()
    numbers = dataset.term_numbers
    names = {head: [str(dataset.vocabulary[n]) for n in numbers[found[node]]] for head, node in prepared.heads.items()}
    return seconds, load, {head: _sum(sorted(each)) for head, each in names.items() if each}


def graph(folder: Path) -> Outcome:
    """The engine `graph`; the coloured graph belongs to loading."""
    from isolog.concepts.evaluate import evaluate
    from isolog.encodings.canonical import encode

    prepared = Prepared(workload_program())
    dataset, load = loaded(folder)
    start = time.perf_counter()
    encoded = encode(dataset, prepared.signature)
    load += time.perf_counter() - start
    seconds = fastest(lambda: evaluate(prepared.concepts, prepared.heads.values(), encoded))
    return seconds, load, sums(prepared.apply(dataset))


def duckdb(folder: Path) -> Outcome:
    """The engine `duckdb` with the facts of a dataset as tables."""
    program = workload_program()
    dataset, load = loaded(folder)
    with connection(Resources()) as opened:
        session = DatasetSession(opened, dataset, program)
        start = time.perf_counter()
        for predicate in dataset.predicates:
            session.data(predicate)
        load += time.perf_counter() - start
        seconds = fastest(lambda: one_round(program, session))
        return seconds, load, sums(session.derived(one_round(program, session)))


def duckdb_in_place(folder: Path) -> Outcome:
    """The engine `duckdb` from Parquet to Parquet: all of it counts as evaluation."""
    from isolog.engines.duckdb_files import run_files

    request = Request(str(folder / "facts.parquet"), str(folder / "derived.parquet"), options=Options())
    seconds = fastest(lambda: run_files(workload_program(), request))
    return seconds, 0, sums(read_facts(folder / "derived.parquet"))


def spark_in_place(folder: Path) -> Outcome:
    """The engine `spark` on this machine, from Parquet to Parquet, warm; the session's start is the load."""
    from isolog.engines.duckdb_files import run_files as collect
    from isolog.engines.spark import session
    from isolog.engines.spark_files import run_files

    target = str(folder / "by_spark.parquet")
    start = time.perf_counter()
    with session("local[2]") as spark:
        load = time.perf_counter() - start
        request = Request(str(folder / "facts.parquet"), target)
        seconds = fastest(lambda: run_files(workload_program(), request, spark))
    from isolog.datalog.syntax import Program

    _, dataset = collect(Program(), Request(target, with_input=True))
    assert dataset is not None
    return seconds, load, sums(dataset)


def clingo(folder: Path) -> Outcome:
    """Clingo on the same steps, one predicate for each."""
    from clingo import Control

    def run(rules: str) -> Control:
        control = Control(["--warn=none"])
        control.load(str(folder / "facts.lp"))
        control.add("base", [], rules)
        control.ground([("base", [])])
        control.solve()
        return control

    load = fastest(lambda: run(""))
    rules = "\n".join(_steps(lambda *parts: _clingo_step(*parts)))
    seconds = fastest(lambda: run(rules))
    control = run(rules)
    atoms = control.symbolic_atoms
    heads = Prepared(workload_program()).heads
    names = {head: sorted(f"c{a.symbol.arguments[0]}" for a in atoms.by_signature(head, 1)) for head in heads}
    return seconds.less(load), load.wall, {head: _sum(each) for head, each in names.items() if each}


def nemo(folder: Path) -> Outcome:
    """Nemo on the same steps, one predicate for each."""
    from nmo_python import NemoEngine, load_string

    names = {p.name: p.arity for p in workload_data(Size(10, 40, 60)).predicates}
    imports = [
        f'@import data{n} :- csv {{resource = "{folder / n}.csv", format = ({_ints(a)}) }} .' for n, a in names.items()
    ]

    def run(rules: list[str]) -> NemoEngine:
        engine = NemoEngine(load_string("\n".join([*imports, *rules])))
        engine.reason()
        return engine

    touch = [f"touched({len(n)}) :- data{n}({', '.join(['?X', '?Y'][:a])}) ." for n, a in names.items()]
    load = fastest(lambda: run(touch))
    rules = [*_steps(lambda *parts: _nemo_step(*parts))]
    seconds, engine = fastest(lambda: run(rules)), run(rules)
    heads = Prepared(workload_program()).heads
    found = {head: sorted(f"c{row[0]}" for row in engine.result(head)) for head in heads}
    return seconds.less(load), load.wall, {head: _sum(each) for head, each in found.items() if each}


def _ints(arity: int) -> str:
    return ", ".join(["int"] * arity)


Step = Callable[[str, int, list[str], str, int], list[str]]


def _steps(write: Step) -> Iterator[str]:
    """The rules for each node of the concepts, then those of the heads."""
    prepared = Prepared(workload_program())
    concepts, signature = prepared.concepts, prepared.signature
    for node in concepts.reachable(prepared.heads.values()):
        left, right = concepts.left[node], concepts.right[node]
        match concepts.kinds[node]:
            case kind if kind == LABEL:
                yield from write(f"n{node}", kind, [f"data{signature.unary[left]}"], "", 0)
            case kind if kind in (AND, OR):
                yield from write(f"n{node}", kind, [f"n{left}", f"n{right}"], "", 0)
            case kind if kind == COUNT:
                at_least, colour = concepts.quantities[right]
                part = [f"n{left}"] if left != TOP else []
                yield from write(f"n{node}", kind, part, f"data{signature.binary[colour]}", at_least)
    for head, node in prepared.heads.items():
        yield from write(head, LABEL, [f"n{node}"], "", 0)


def _clingo_step(name: str, kind: int, parts: list[str], colour: str, at_least: int) -> list[str]:
    if kind == OR:
        return [f"{name}(X) :- {part}(X)." for part in parts]
    if kind != COUNT:
        return [f"{name}(X) :- {', '.join(f'{part}(X)' for part in parts)}."]
    inner = ", ".join([f"{colour}(X, Y)", *(f"{part}(Y)" for part in parts)])
    if at_least == 1:
        return [f"{name}(X) :- {inner}."]
    return [f"{name}(X) :- some(X), #count{{Y : {inner}}} >= {at_least}."]


def _nemo_step(name: str, kind: int, parts: list[str], colour: str, at_least: int) -> list[str]:
    if kind == OR:
        return [f"{name}(?X) :- {part}(?X) ." for part in parts]
    if kind != COUNT:
        return [f"{name}(?X) :- {', '.join(f'{part}(?X)' for part in parts)} ."]
    inner = ", ".join([f"{colour}(?X, ?Y)", *(f"{part}(?Y)" for part in parts)])
    if at_least == 1:
        return [f"{name}(?X) :- {inner} ."]
    return [f"{name}_times(?X, #count(?Y)) :- {inner} .", f"{name}(?X) :- {name}_times(?X, ?C), ?C >= {at_least} ."]


def write_inputs(folder: Path, scale: float) -> Dataset:
    """The facts as Parquet, as CSV for Nemo and as text for clingo, whose constants are integers."""
    dataset = workload_data(Size().times(scale))
    write_facts(dataset, folder / "facts.parquet")
    with open(folder / "facts.lp", "w") as text:
        for predicate, table in dataset.tables.items():
            text.writelines(f"data{predicate.name}({','.join(map(str, row))}).\n" for row in table.tolist())
            with open(folder / f"{predicate.name}.csv", "w", newline="") as file:
                csv.writer(file).writerows(table.tolist())
        text.writelines(f"some({number}).\n" for number in dataset.term_numbers.tolist())
    return dataset


ENGINES = {each.__name__: each for each in (scipy_csr, graph, duckdb, duckdb_in_place, spark_in_place, clingo, nemo)}


def child(name: str, folder: Path) -> None:
    """One engine; the outcome as JSON."""
    seconds, load, found = ENGINES[name](folder)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    memory = int(status["VmHWM"].split()[0]) / 1024
    memory += resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds.wall, "cpu": seconds.cpu, "load": load, "memory": memory, "sums": found}))


def main(scale: float, names: list[str]) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory(prefix="isolog-bench-") as place:
        folder = Path(place)
        dataset = write_inputs(folder, scale)
        print(f"{len(dataset):,} facts, {len(dataset.term_numbers):,} constants, 20 rules")
        print(f"{'engine':18}{'evaluate s':>12}{'cpu s':>10}{'load s':>10}{'memory MB':>12}{'cpu to CSR':>12}  agrees")
        first: dict[str, float] | None = None
        expected = None
        for name in names:
            command = [sys.executable, __file__, "--child", name, place]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                print(f"{name:18}  failed with code {done.returncode}")
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            first, expected = first or found, expected or found["sums"]
            ratio = found["cpu"] / first["cpu"]
            times = f"{found['seconds']:12.3f}{found['cpu']:10.3f}{found['load']:10.2f}"
            numbers = f"{times}{found['memory']:12.0f}{ratio:12.2f}"
            print(f"{name:18}{numbers}  {'yes' if found['sums'] == expected else 'NO'}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], Path(sys.argv[3]))
    else:
        main(float(sys.argv[1]) if sys.argv[1:] else 1, sys.argv[2:] or [*ENGINES])
