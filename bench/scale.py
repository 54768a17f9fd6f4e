"""Does time and memory grow linearly with the data? The same rules on graphs of growing size, from Parquet to Parquet.

    python bench/scale.py [ENGINE (graph duckdb spark)] [MEMORY (4GB)] [SIZE …]

A size is a number of facts in millions, by default 1.3, 2.6, 5.2; 20 is what the design asks for. DuckDB is limited
to the memory given and spills beyond it. For Spark, the bytes that went through shuffles are shown, too.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
from workload import COLOURS, LABELS, Size, workload_program

from isolog.engines.duckdb import Resources
from isolog.engines.engine import Options
from isolog.engines.graph import Graph
from isolog.engines.sql.files import Request
from isolog.facts.files import read_facts, write_facts


def write_graph(path: Path, size: Size) -> None:
    """The workload's kind of graph as Parquet, made by DuckDB, so that it may be larger than memory."""
    parts = [
        f"SELECT 'c' || CAST(floor(random() * {size.constants}) AS BIGINT) AS subject, '{colour}' AS predicate, "
        f"'c' || CAST(floor(pow(random(), 1.5) * {size.constants}) AS BIGINT) AS object FROM range({size.edges // 4})"
        for colour in COLOURS
    ] + [
        f"SELECT 'c' || CAST(floor(random() * {size.constants}) AS BIGINT), 'rdf:type', '{label}' "
        f"FROM range({size.labels // len(LABELS)})"
        for label in LABELS
    ]
    with duckdb.connect(config={"memory_limit": "1GB", "threads": 1}) as opened:
        opened.execute("SELECT setseed(0.5)")
        opened.execute(f"COPY ({' UNION ALL '.join(parts)}) TO '{path}' (FORMAT PARQUET)")


def peak() -> float:
    """The most memory that this process had, in MB."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def run_graph(source: Path, target: Path, memory: str) -> dict[str, float]:
    """The engine `graph`, which reads all facts into memory."""
    start = time.process_time()
    dataset = read_facts(source)
    load = time.process_time() - start
    start = time.process_time()
    derived = Graph().run(workload_program(), dataset)
    seconds = time.process_time() - start
    write_facts(derived, target)
    return {"load": load, "seconds": seconds, "derived": len(derived)}


def run_duckdb(source: Path, target: Path, memory: str) -> dict[str, float]:
    """The engine `duckdb` in place."""
    from isolog.engines.duckdb_files import run_files

    start = time.process_time()
    tally, _ = run_files(workload_program(), Request(str(source), str(target), options=Options()), Resources(memory))
    return {"load": 0, "seconds": time.process_time() - start, "derived": tally.derived}


def run_spark(source: Path, target: Path, memory: str) -> dict[str, float]:
    """The engine `spark` in place, with the bytes shuffled by all stages."""
    from pyspark.sql import SparkSession

    from isolog.engines.spark_files import run_files

    builder = SparkSession.Builder().master("local[2]").config("spark.driver.memory", memory.lower().removesuffix("b"))
    settings = {
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "8",
    }
    for key, value in {**settings, "spark.ui.enabled": "false"}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    start = time.perf_counter()
    tally, _ = run_files(workload_program(), Request(str(source), str(target)), spark)
    seconds = time.perf_counter() - start
    java = spark.sparkContext._gateway  # pyright: ignore
    store = spark.sparkContext._jsc.sc().statusStore()  # pyright: ignore
    nothing = java.new_array(java.jvm.double, 0), java.jvm.java.util.ArrayList()
    stages = store.stageList(None, False, False, *nothing)
    written = [stages.apply(place).shuffleWriteBytes() for place in range(stages.size())]
    found = {"load": 0, "seconds": seconds, "derived": tally.derived, "shuffled": sum(written)}
    spark.stop()
    return {**found, "shuffles": sum(each > 0 for each in written)}


ENGINES = {"graph": run_graph, "duckdb": run_duckdb, "spark": run_spark}


def main(engine: str, memory: str, sizes: list[float]) -> None:
    """Prints the table; every run is a process of its own."""
    print(f"{engine}, at most {memory}")
    print(f"{'facts':>14}{'load s':>10}{'run s':>10}{'µs a fact':>12}{'memory MB':>12}{'derived':>12}  shuffled MB")
    for millions in sizes:
        size = Size().times(millions / 1.3)
        with tempfile.TemporaryDirectory(prefix="isolog-scale-") as place:
            source, target = Path(place) / "facts.parquet", Path(place) / "derived.parquet"
            write_graph(source, size)
            command = [sys.executable, __file__, "--child", engine, memory, str(source), str(target)]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found = json.loads(done.stdout.splitlines()[-1])
        total = found["load"] + found["seconds"]
        shuffled = f"{found['shuffled'] / 1e6:.1f} in {found['shuffles']} stages" if "shuffled" in found else ""
        times = f"{found['load']:10.1f}{found['seconds']:10.1f}{1e6 * total / size.facts:12.2f}"
        print(f"{size.facts:14,}{times}{found['memory']:12.0f}{found['derived']:12,}  {shuffled}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        outcome = ENGINES[sys.argv[2]](Path(sys.argv[4]), Path(sys.argv[5]), sys.argv[3])
        print(json.dumps({**outcome, "memory": peak()}))
    else:
        chosen = sys.argv[1] if sys.argv[1:] else "duckdb"
        main(chosen, sys.argv[2] if sys.argv[2:] else "4GB", [float(each) for each in sys.argv[3:]] or [1.3, 2.6, 5.2])
