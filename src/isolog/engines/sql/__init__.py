"""Programs as SQL: statements that DuckDB and Spark both understand."""
