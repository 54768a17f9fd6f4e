"""All engines keep the contract."""

from __future__ import annotations

import pytest

from contracts.engine_contract import EngineContract
from isolog.datalog.recognise import why_not_tree_like
from isolog.datalog.syntax import Program
from isolog.engines.duckdb import DuckDB
from isolog.engines.graph import Graph
from isolog.engines.reference import Reference
from isolog.engines.spark import Spark
from support.spark import spark_session


class TestReference(EngineContract):
    engine = Reference()


class TestDuckDB(EngineContract):
    engine = DuckDB()


class TestGraph(EngineContract):
    engine = Graph()

    def gap(self, program: Program) -> str | None:
        """Concepts say what tree-like rules say, and no more."""
        is_tree_like = not any(why_not_tree_like(rule) for rule in program)
        return None if is_tree_like else "never: rules that are not tree-like are no concepts"


@pytest.mark.java
@pytest.mark.xdist_group("spark")
class TestSpark(EngineContract):
    engine = Spark(spark_session)
    examples = 4
