"""What goes wrong outside: locked databases, full disks, jobs that die. Errors are clear, nothing is left half done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Thread
from time import sleep

import duckdb
import pytest

import isolog
from isolog.cli.app import main
from isolog.datalog.parser import parse
from isolog.engines import spark
from isolog.engines.duckdb import DuckDB, Resources
from isolog.engines.duckdb_files import run_files
from isolog.engines.spark_files import run_files as run_on_spark
from isolog.engines.sql.files import Request
from isolog.errors import InputError, IsologError, LimitError, MissingExtraError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom
from support.spark import spark_session

FACTS = Dataset.from_facts([Atom("r", (f"c{n}", f"c{n + 1}")) for n in range(300)])
PROGRAM = parse("two(X, Z) :- r(X, Y), r(Y, Z).")
LOCK = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    """The facts as Parquet, alone in a folder."""
    path = tmp_path / "facts.parquet"
    isolog.write_facts(FACTS, path)
    return path


@pytest.fixture
def database(tmp_path: Path, parquet: Path) -> Path:
    """The facts as a table of a database."""
    path = tmp_path / "facts.duckdb"
    with duckdb.connect(str(path)) as opened:
        opened.execute(f"CREATE TABLE facts AS SELECT * FROM '{parquet}'")
    parquet.unlink()
    return path


def test_a_database_is_read_in_place(database: Path, tmp_path: Path) -> None:
    before = database.read_bytes()
    assert main(["run", "--quiet", str(_program(tmp_path)), str(database), "-o", str(tmp_path / "two.parquet")]) == 0
    assert isolog.read_facts(tmp_path / "two.parquet") == isolog.run(PROGRAM, FACTS, engine="reference")
    assert database.read_bytes() == before


def test_a_locked_database(database: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LOCK, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None and other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(InputError, match=r"E502 `.*` is locked"):
            run_files(PROGRAM, Request(str(database), str(tmp_path / "two.parquet")))
        other.stdin.close()
    assert [each.name for each in tmp_path.iterdir()] == ["facts.duckdb"]


def test_a_database_without_facts(tmp_path: Path) -> None:
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as opened:
        opened.execute("CREATE TABLE edges (a INTEGER)")
    with pytest.raises(InputError, match="E505"):
        run_files(PROGRAM, Request(str(path)))
    with pytest.raises(UnsupportedError, match="E506"):
        raise_of(["run", str(_program(tmp_path)), str(path), "--engine", "graph"])


def test_files_that_are_no_databases(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text("not a database", encoding="utf-8")
    with pytest.raises(InputError, match="E503"):
        run_files(PROGRAM, Request(str(path)))
    with pytest.raises(InputError, match="E110"):
        run_files(PROGRAM, Request(str(tmp_path / "missing.parquet")))


def test_a_full_disk(parquet: Path, tmp_path: Path) -> None:
    """No file may grow beyond 1,000 bytes, in a process of its own: the limit stays for its life."""
    before = parquet.read_bytes()
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "from isolog.cli.app import main; sys.exit(main(sys.argv[1:]))"
    )
    target = tmp_path / "two.parquet"
    target.write_text("what was there", encoding="utf-8")
    arguments = ["run", str(_program(tmp_path)), str(parquet), "-o", str(target)]
    done = subprocess.run([sys.executable, "-c", limited, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "E503" in done.stderr, done.stderr
    assert target.read_text(encoding="utf-8") == "what was there" and parquet.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["facts.parquet", "rules.dl", "two.parquet"]


def test_too_little_memory(tmp_path: Path) -> None:
    many = Dataset.from_facts(Atom("r", (f"c{n % 1000}", f"c{n // 1000}")) for n in range(100_000))
    engine = DuckDB(Resources(memory="1MB", threads=1, folder=str(tmp_path)))
    with pytest.raises(LimitError, match="E504"):
        engine.run(parse("p(X, Z) :- r(X, Y), r(Y, Z)."), many)
    assert not list(tmp_path.iterdir())


def test_spelled_in_another_way(tmp_path: Path) -> None:
    """The same constant in two spellings is one constant; a word that is none is an error."""
    path = tmp_path / "odd.parquet"
    rows = "('<a>', 'r', 'b'), ('a', '<r>', '\"x\"^^<http://www.w3.org/2001/XMLSchema#string>'), ('b', 's', '\"x\"')"
    with duckdb.connect() as opened:
        opened.execute(f"COPY (SELECT * FROM (VALUES {rows}) AS t(subject, predicate, object)) TO '{path}'")
    program = parse("p(X, Z) :- r(X, Y), s(Y, Z). both(X) :- #count{Y : r(X, Y)} >= 2. q(X) :- r(X, Y), s(Z, Y).")
    _, derived = run_files(program, Request(str(path)))
    assert derived == isolog.run(program, isolog.read_facts(path), engine="reference") and derived is not None
    assert Atom("both", ("a",)) in derived and Atom("q", ("a",)) in derived
    with duckdb.connect() as opened:
        opened.execute(f"COPY (SELECT '\"a' AS subject, 'r' AS predicate, 'b' AS object) TO '{path}'")
    with pytest.raises(InputError, match="E123"):
        run_files(program, Request(str(path)))


def test_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(MissingExtraError, match=r"E508 .*none was found\n  hint: install Java 17"):
        spark.require_spark()
    monkeypatch.setattr(spark, "java_version", lambda: 25)
    with pytest.raises(MissingExtraError, match="Java 25 was found"):
        spark.require_spark()


def test_no_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'isolog\[spark\]'"):
        spark.require_spark()


@pytest.mark.java
@pytest.mark.xdist_group("spark")
def test_parquet_to_parquet_on_spark(parquet: Path, tmp_path: Path) -> None:
    target = tmp_path / "two.parquet"
    tally, _ = run_on_spark(PROGRAM, Request(str(parquet), str(target)), spark_session())
    assert (tally.derived, tally.new, tally.written) == (299, 299, 299)
    _, written = run_files(parse(""), Request(str(target), with_input=True))
    assert written == isolog.run(PROGRAM, FACTS, engine="reference")


@pytest.mark.java
@pytest.mark.xdist_group("spark")
def test_a_spark_job_that_is_killed(parquet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job that writes is cancelled as soon as it runs, when part of the output is there already."""
    from pyspark.sql.readwriter import DataFrameWriter

    before, session = parquet.read_bytes(), spark_session()
    write = DataFrameWriter.parquet

    def killed(writer: DataFrameWriter, path: str) -> None:
        write(writer, path)
        killer = Thread(target=cancel_what_runs)
        killer.start()
        try:
            session.range(10**15).selectExpr("SUM(id)").collect()
        finally:
            killer.join()

    def cancel_what_runs() -> None:
        while not session.sparkContext.statusTracker().getActiveJobsIds():
            sleep(0.05)
        session.sparkContext.cancelAllJobs()

    monkeypatch.setattr(DataFrameWriter, "parquet", killed)
    with pytest.raises(IsologError, match="E509"):
        run_on_spark(PROGRAM, Request(str(parquet), str(tmp_path / "two.parquet")), session)
    assert [each.name for each in tmp_path.iterdir()] == ["facts.parquet"] and parquet.read_bytes() == before


def _program(folder: Path) -> Path:
    path = folder / "rules.dl"
    path.write_text("two(X, Z) :- r(X, Y), r(Y, Z).\n", encoding="utf-8")
    return path


def raise_of(arguments: list[str]) -> None:
    """Raises what the command line raises."""
    from isolog.cli.app import load

    load()(arguments, prog_name="isolog", standalone_mode=False)
