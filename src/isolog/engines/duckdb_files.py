"""DuckDB on facts in Parquet files and databases: they are read in place, each word once, and results written back."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb
import numpy as np

from isolog.datalog.syntax import Program
from isolog.engines.duckdb import DuckDBSession, Resources, connection, reported
from isolog.engines.sql.evaluation import least_model, one_round
from isolog.engines.sql.files import Request, Tally, is_database, parquet_pattern
from isolog.engines.sql.query import columns
from isolog.engines.sql.terms import Terms, has_functions, is_function
from isolog.engines.sql.triples import TALLY, Directory, directory, needed, refuse_unwritable, written_as
from isolog.errors import Finding, Findings, InputError, UnsupportedError
from isolog.facts.dataset import Dataset, Vocabulary
from isolog.facts.fields import parse_field, print_field
from isolog.facts.parquet import check_columns
from isolog.facts.saving import replacement
from isolog.facts.streams import unusable
from isolog.facts.terms import Literal, Predicate, Term

_BATCH = 100_000
_CANONICAL = (
    r"""'"[^"\\\x00-\x1f\x7f]*"(@[a-z]+(-[a-z0-9]+)*|\^\^<[^\x00-\x20\x7f<>"{}|^`\\]*>)?'""",
    "'\"^^<http://www.w3.org/2001/XMLSchema#string>'",
)


def run_files(program: Program, request: Request, resources: Resources | None = None) -> tuple[Tally, Dataset | None]:
    """Applies a program that passed the checks to a file in place. Without a target the facts asked for come back."""
    try:
        with connection(resources or Resources()) as opened:
            _open(opened, request.source)
            everything = request.with_input
            session = TriplesSession(opened, program, request, everything)
            return session.hand_over(session.evaluate(program))
    except duckdb.Error as error:
        raise reported(error, request.source) from error


def _open(opened: duckdb.DuckDBPyConnection, path: str) -> None:
    """The view `triples` of the facts."""
    try:
        with open(path if not parquet_pattern(path).endswith("/*.parquet") else "/dev/null", "rb"):
            pass
    except OSError as error:
        raise unusable(path, error) from error
    findings = Findings()
    if is_database(path):
        opened.execute(f"ATTACH {quoted(path)} AS source (READ_ONLY)")
        relation = "source.facts"
        tables = opened.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'source'").fetchall()
        views = opened.execute("SELECT view_name FROM duckdb_views() WHERE database_name = 'source'").fetchall()
        if ("facts",) not in [*tables, *views]:
            hint = "make a view `facts` with the columns `subject`, `predicate` and `object`"
            raise InputError(Finding("E505", f"`{path}` has no table or view `facts`", hint=hint))
    else:
        relation = f"read_parquet({quoted(parquet_pattern(path))})"
    check_columns(opened, relation, [], path, findings)
    opened.execute(f"CREATE VIEW triples AS SELECT subject, predicate, object FROM {relation}")
    missing = " OR ".join([f"{column} IS NULL" for column in ("subject", "predicate", "object")])
    ((count,),) = opened.execute(f"SELECT COUNT(*) FROM triples WHERE {missing}").fetchall()
    if count:
        raise InputError(Finding("E137", f"`{path}`: {count:,} rows with a missing value"))


class TriplesSession(DuckDBSession):
    """The facts as tables of numbers; the table `words` says which word each number stands for."""

    def __init__(self, opened: duckdb.DuckDBPyConnection, program: Program, request: Request, everything: bool) -> None:
        super().__init__(opened)
        self._request = request
        self._structured = has_functions(program)
        self.terms = Terms(self._number_of, quoted if self._structured else str)
        found = directory(opened.execute(TALLY).fetchall(), request.source)
        self._kinds: dict[Predicate, int] = {}
        self._tables: dict[Predicate | None, str] = {}
        self._numbers: dict[Term, str] = {}
        self._load(found, needed(program, found, request.options, everything))

    def evaluate(self, program: Program) -> dict[Predicate, str]:
        """Relations of what the program derives."""
        if self._request.options.rounds == 1:
            return one_round(program, self)
        return least_model(program, self, self._request.options.max_term_depth if self._structured else None)

    def data(self, predicate: Predicate) -> str:
        """A table of the facts of the predicate."""
        if predicate not in self._tables:
            kind = self._kinds.get(predicate)
            if kind is None:
                return self.empty(predicate.arity)
            listed = ", ".join([f"{self._shown(column)} AS {column}" for column in columns(predicate.arity)])
            self._tables[predicate] = self.define(f"SELECT DISTINCT {listed} FROM triple_numbers WHERE kind = {kind}")
        return self._tables[predicate]

    def has_facts(self, predicate: Predicate) -> bool:
        """Whether the files have facts of the predicate."""
        return predicate in self._kinds

    def data_terms(self) -> str:
        """A table of the terms of the data."""
        if None not in self._tables:
            both = "SELECT a1 FROM triple_numbers UNION SELECT a2 FROM triple_numbers WHERE a2 IS NOT NULL"
            self._tables[None] = self.define(f"SELECT {self._shown('a1')} AS a1 FROM ({both})")
        return self._tables[None]

    def empty(self, arity: int) -> str:
        """A table without rows."""
        kind = "VARCHAR" if self._structured and arity else "INTEGER"
        return self.define(f"SELECT {', '.join(f'CAST(1 AS {kind}) AS {c}' for c in columns(arity))} WHERE 1 = 0")

    def hand_over(self, derived: dict[Predicate, str]) -> tuple[Tally, Dataset | None]:
        """Writes the facts that were asked for, or gives them back as a dataset."""
        news: dict[Predicate, str] = {}
        for predicate, table in derived.items():
            fresh = f"SELECT * FROM {table} EXCEPT SELECT * FROM {self.data(predicate)}"
            news[predicate] = self.define(fresh) if self._request.new else f"({fresh})"
        chosen = {**(news if self._request.new else derived)}
        if self._request.with_input:
            for predicate in self._kinds:
                both = chosen.get(predicate, self.data(predicate))
                chosen[predicate] = self.define(f"SELECT * FROM {both} UNION SELECT * FROM {self.data(predicate)}")
        sizes = dict(zip(chosen, self.sizes([*chosen.values()])))
        written = {predicate: table for predicate, table in sorted(chosen.items()) if sizes[predicate]}
        tally = Tally(sum(self.sizes([*derived.values()])), sum(self.sizes([*news.values()])), sum(sizes.values()))
        if self._request.target is None:
            return tally, self._dataset(written)
        self._write(written, self._request.target)
        return tally, None

    def _write(self, relations: dict[Predicate, str], target: str) -> None:
        refuse_unwritable(relations, "Parquet")
        parts = ["SELECT '' AS subject, '' AS predicate, '' AS object WHERE 1 = 0"]
        for predicate, table in relations.items():
            if self._structured:
                self._refuse_functions(predicate, table)
            name, kind = written_as(predicate)
            last = "o.word" if kind is None else quoted(kind)
            joins = "" if kind is not None else " JOIN words AS o ON o.number = CAST(r.a2 AS INTEGER)"
            words = f"{table} AS r JOIN words AS s ON s.number = CAST(r.a1 AS INTEGER){joins}"
            parts.append(f"SELECT s.word AS subject, {quoted(name)} AS predicate, {last} AS object FROM {words}")
        with replacement(target) as temporary:
            rows = " UNION ALL ".join(parts)
            self.connection.execute(f"COPY ({rows} ORDER BY ALL) TO {quoted(str(temporary))} (FORMAT PARQUET)")

    def _refuse_functions(self, predicate: Predicate, table: str) -> None:
        made = " OR ".join(map(is_function, columns(predicate.arity)))
        if self.number(f"SELECT COUNT(*) FROM {table} WHERE {made}"):
            message = f"Parquet cannot say facts of `{predicate}` with function terms"
            raise UnsupportedError(Finding("E138", message, hint="a `.dl` file can"))

    def _dataset(self, relations: dict[Predicate, str]) -> Dataset:
        vocabulary = Vocabulary()
        words = {number: parse_field(word) for number, word in self._used_words(relations)}
        facts = {}
        for predicate, table in relations.items():
            rows = self.connection.execute(f"SELECT * FROM {table}").fetchall()
            terms = [[self._term(value, words) for value in row] if predicate.arity else [] for row in rows]
            facts[predicate] = [[vocabulary.intern(term) for term in row] for row in terms]
        tables = {p: np.array(rows, np.int32).reshape(len(rows), p.arity) for p, rows in facts.items()}
        return Dataset.from_tables(vocabulary, tables)

    def _used_words(self, relations: dict[Predicate, str]) -> list[tuple[int, str]]:
        """The words of the numbers in these relations; all there are where numbers are inside function terms."""
        if self._structured:
            return self.connection.execute("SELECT number, word FROM words").fetchall()
        used = [f"SELECT {c} AS n FROM {table}" for p, table in relations.items() if p.arity for c in columns(p.arity)]
        if not used:
            return []
        return self.connection.execute(
            f"SELECT DISTINCT number, word FROM words WHERE number IN ({' UNION '.join(used)})"
        ).fetchall()

    def _term(self, value: int | str, words: Mapping[int, Term]) -> Term:
        return words[value] if isinstance(value, int) else self.terms.decode(value, lambda text: words[int(text)])

    def _shown(self, column: str) -> str:
        return f"CAST({column} AS VARCHAR)" if self._structured else column

    def _number_of(self, term: Term) -> str:
        """The number of a constant of the program, a new one if the data do not have it."""
        assert isinstance(term, str | Literal), "function terms are put together, not looked up"
        if term not in self._numbers:
            word = print_field(term)
            rows = self.connection.execute("SELECT number FROM words WHERE word = ? LIMIT 1", [word]).fetchall()
            if not rows:
                rows = self.connection.execute("SELECT COALESCE(MAX(number), -1) + 1 FROM words").fetchall()
                self.connection.execute("INSERT INTO words VALUES (?, ?)", [word, rows[0][0]])
            self._numbers[term] = str(rows[0][0])
        return self._numbers[term]

    def _load(self, found: Directory, wanted: list[Predicate]) -> None:
        """Makes the tables `words` and `triple_numbers` of the facts of the wanted predicates."""
        self._kinds = {predicate: number for number, predicate in enumerate(wanted)}
        self.connection.execute("CREATE TABLE kinds (predicate VARCHAR, class VARCHAR, kind INTEGER, unary BOOLEAN)")
        rows = [(w.predicate, w.kind, self._kinds[p], p.arity == 1) for p in wanted for w in found[p]]
        if rows:
            self.connection.executemany("INSERT INTO kinds VALUES (?, ?, ?, ?)", rows)
        same = "t.predicate = k.predicate AND (k.class IS NULL OR t.object = k.class)"
        value = "CASE WHEN k.unary THEN NULL ELSE t.object END"
        self.connection.execute(
            f"CREATE VIEW chosen AS SELECT kind, subject, {value} AS object FROM triples AS t JOIN kinds AS k ON {same}"
        )
        self.connection.execute(
            "CREATE TABLE words AS SELECT word, CAST(row_number() OVER () - 1 AS INTEGER) AS number FROM "
            "(SELECT subject AS word FROM chosen UNION SELECT object FROM chosen WHERE object IS NOT NULL)"
        )
        raw = self._respelled()
        self.connection.execute(
            "CREATE TABLE triple_numbers AS SELECT kind, s.number AS a1, o.number AS a2 FROM chosen AS c "
            f"JOIN {raw} AS s ON c.subject = s.word LEFT JOIN {raw} AS o ON c.object = o.word"
        )

    def _respelled(self) -> str:
        """A table of the words as they stand in the file and their numbers; `words` has each constant in one way."""
        usual, string = _CANONICAL
        odd = f"NOT regexp_full_match(word, {usual}) OR ends_with(word, {string})"
        start = "word = '' OR starts_with(word, '<') OR starts_with(word, chr(65279)) OR contains(word, chr(0))"
        cursor = self.connection.cursor()
        cursor.execute(f"SELECT word, number FROM words WHERE {start} OR (starts_with(word, '\"') AND ({odd}))")
        findings, rows = Findings(), list[tuple[int, str]]()
        while batch := cursor.fetchmany(_BATCH):
            for word, number in batch:
                try:
                    constant = print_field(parse_field(word))
                except InputError as error:
                    for finding in error.findings:
                        findings.add(finding.code, f"`{self._request.source}`: {finding.message}", hint=finding.hint)
                    continue
                if constant != word:
                    rows.append((number, constant))
        findings.raise_any()
        if not rows:
            return "words"
        self.connection.execute("CREATE TABLE respelled (number INTEGER, word VARCHAR)")
        self.connection.executemany("INSERT INTO respelled VALUES (?, ?)", rows)
        self.connection.execute(
            "CREATE TABLE spellings AS SELECT w.word, COALESCE(r.word, w.word) AS constant, "
            "MIN(w.number) OVER (PARTITION BY COALESCE(r.word, w.word)) AS number "
            "FROM words AS w LEFT JOIN respelled AS r ON w.number = r.number"
        )
        self.connection.execute(
            "CREATE OR REPLACE TABLE words AS SELECT DISTINCT constant AS word, number FROM spellings"
        )
        return "spellings"


def quoted(text: str) -> str:
    """The text as an SQL string of DuckDB.

    >>> print(quoted("it's"))
    'it''s'
    """
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
