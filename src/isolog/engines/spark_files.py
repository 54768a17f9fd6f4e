"""Spark on Parquet: words are terms as they are, results are written by the workers, the driver sees counts alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from isolog.datalog.syntax import Program
from isolog.engines.spark import SparkRelations, nothing, reported
from isolog.engines.sql.evaluation import least_model, one_round
from isolog.engines.sql.files import Request, Tally
from isolog.engines.sql.query import columns
from isolog.engines.sql.terms import Terms, has_functions, is_function
from isolog.engines.sql.triples import TALLY, Directory, directory, needed, refuse_unwritable, written_as
from isolog.errors import Finding, InputError, IsologError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.fields import parse_field, print_field
from isolog.facts.streams import unusable
from isolog.facts.terms import Atom, Literal, Predicate, Term

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_SIMPLE = r'^<[^\x00-\x20<>"{}|^`\\]+>$'
_ESCAPED = r"\\u00(?:[01][0-9A-F]|20|22|3C|3E|5C|5E|60|7B|7C|7D|7F)"
_BRACKETED = rf'^<(?=\\u00(?:3C|22))(?:[^\x00-\x20\x7f<>"{{}}|^`\\]|{_ESCAPED})*>$'
_LITERAL = r'^"[^"\\\x00-\x1f\x7f]*"(@[a-z]+(-[a-z0-9]+)*|\^\^<[^\x00-\x20\x7f<>"{}|^`\\]*>)?$'
_STRING = "^^<http://www.w3.org/2001/XMLSchema#string>"


def run_files(program: Program, request: Request, spark: SparkSession) -> tuple[Tally, Dataset | None]:
    """Applies a program that passed the checks to Parquet. Without a target the facts asked for are collected."""
    relations: TripleRelations | None = None
    try:
        relations = TripleRelations(spark, program, request)
        options = request.options
        if options.rounds == 1:
            derived = one_round(program, relations)
        else:
            derived = least_model(program, relations, options.max_term_depth if has_functions(program) else None)
        return relations.hand_over(derived)
    except IsologError:
        raise
    except Exception as error:
        raise reported(error, request.source) from error
    finally:
        if relations is not None:
            relations.forget()


class TripleRelations(SparkRelations):
    """The facts of Parquet files, one view for each predicate, whose edges are partitioned by their targets."""

    def __init__(self, spark: SparkSession, program: Program, request: Request) -> None:
        super().__init__(spark)
        self._request = request
        self._structured = has_functions(program)
        self.terms = Terms(_word, spark_quoted)
        self._triples = self._opened(request.source)
        tally = TALLY.replace("FROM triples", f"FROM {self.named(self._triples)}")
        self._written: Directory = directory([tuple(row) for row in spark.sql(tally).collect()], request.source)
        self._wanted = needed(program, self._written, request.options, request.with_input)
        self._loaded: dict[Predicate | None, str] = {}

    def data(self, predicate: Predicate) -> str:
        """A view of the facts of the predicate."""
        if predicate not in self._wanted:
            return self.empty(predicate.arity)
        if predicate not in self._loaded:
            self._loaded[predicate] = self.named(self.kept(self._facts(predicate)))
        return self._loaded[predicate]

    def has_facts(self, predicate: Predicate) -> bool:
        """Whether the files have facts of the predicate."""
        return predicate in self._wanted

    def data_terms(self) -> str:
        """A view of the terms of the data."""
        if None not in self._loaded:
            parts = [f"SELECT {c} AS a1 FROM {self.data(p)}" for p in self._wanted for c in columns(p.arity)]
            self._loaded[None] = self.define(" UNION ".join(parts)) if parts else self.empty(1)
        return self._loaded[None]

    def empty(self, arity: int) -> str:
        """A view without rows."""
        return self.define(nothing(arity, "STRING" if arity else "INT"), once=True)

    def hand_over(self, derived: dict[Predicate, str]) -> tuple[Tally, Dataset | None]:
        """Writes the facts that were asked for, or gives them back as a dataset."""
        derived = {predicate: self.define(f"SELECT * FROM {view}") for predicate, view in derived.items()}
        news = {
            p: self.define(f"SELECT * FROM {view} EXCEPT SELECT * FROM {self.data(p)}") for p, view in derived.items()
        }
        chosen = {**(news if self._request.new else derived)}
        if self._request.with_input:
            for predicate in self._wanted:
                both = chosen.get(predicate, self.data(predicate))
                chosen[predicate] = self.define(f"SELECT * FROM {both} UNION SELECT * FROM {self.data(predicate)}")
        sizes = self.sizes([*derived.values(), *news.values(), *chosen.values()])
        ends = len(derived), len(derived) + len(news)
        tally = Tally(sum(sizes[: ends[0]]), sum(sizes[ends[0] : ends[1]]), sum(sizes[ends[1] :]))
        written = {predicate: view for (predicate, view), size in zip(chosen.items(), sizes[ends[1] :]) if size}
        if self._request.target is None:
            return tally, self._dataset(written)
        self._write(written, self._request.target)
        return tally, None

    def _write(self, relations: dict[Predicate, str], target: str) -> None:
        refuse_unwritable(relations, "Parquet")
        parts = ["SELECT '' AS subject, '' AS predicate, '' AS object WHERE 1 = 0"]
        for predicate, view in relations.items():
            made = " OR ".join(map(is_function, columns(predicate.arity)))
            if self._structured and self.number(f"SELECT COUNT(*) FROM {view} WHERE {made}"):
                message = f"Parquet cannot say facts of `{predicate}` with function terms"
                raise UnsupportedError(Finding("E138", message, hint="a `.dl` file can"))
            name, kind = written_as(predicate)
            last = "a2" if kind is None else spark_quoted(kind)
            parts.append(f"SELECT a1 AS subject, {spark_quoted(name)} AS predicate, {last} AS object FROM {view}")
        frame = self.spark.sql(" UNION ALL ".join(parts))
        if "://" in target:
            frame.write.mode("overwrite").parquet(target)
            return
        with _folder(target) as folder:
            frame.write.parquet(str(folder))

    def _dataset(self, relations: dict[Predicate, str]) -> Dataset:
        facts = (
            Atom(
                predicate.name, tuple(self.terms.decode(value, parse_field) for value in row) if predicate.arity else ()
            )
            for predicate, view in relations.items()
            for row in self.spark.table(view).collect()
        )
        return Dataset.from_facts(facts)

    def _facts(self, predicate: Predicate) -> DataFrame:
        from pyspark.sql.functions import col

        written = self._written[predicate]
        chosen = col("predicate").isin([each.predicate for each in written])
        if any(each.kind is not None for each in written):
            chosen &= col("object").isin([each.kind for each in written])
        rows = self._triples.where(chosen)
        if predicate.arity == 1:
            return rows.select(_constant(col("subject")).alias("a1")).distinct()
        both = rows.select(_constant(col("subject")).alias("a1"), _constant(col("object")).alias("a2"))
        return both.repartition("a2").dropDuplicates()

    def _opened(self, path: str) -> DataFrame:
        """The rows of the files; words that would need a parser are refused."""
        from pyspark.sql.functions import col

        if "://" not in path and not Path(path).exists():
            raise unusable(path, FileNotFoundError(2, "No such file or directory"))
        frame = self.spark.read.parquet(path)
        types = dict(frame.dtypes)
        for name in ("subject", "predicate", "object"):
            if types.get(name) != "string":
                raise InputError(Finding("E136", f"`{path}` has no column `{name}` of text"))
        odd = frame.where(_is_odd(col("subject")) | _is_odd(col("object")) | col("predicate").isNull())
        if count := odd.count():
            hint = "`isolog convert` writes each constant in the one usual way"
            raise InputError(Finding("E510", f"`{path}`: {count:,} rows with missing or unusual words", hint=hint))
        return frame


def spark_quoted(text: str) -> str:
    r"""The text as an SQL string of Spark.

    >>> print(spark_quoted("it's"))
    'it\'s'
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _word(term: Term) -> str:
    assert isinstance(term, str | Literal), "function terms are put together, not spelled"
    return print_field(term)


def _constant(word: Column) -> Column:
    """The word in the one usual way: a name without brackets if it can be."""
    from pyspark.sql.functions import length, lit, when

    return when(word.rlike(_SIMPLE), word.substr(lit(2), length(word) - 2)).otherwise(word)


def _is_odd(word: Column) -> Column:
    """Whether the word is missing, or not in the one usual way and not easily brought into it."""
    bracketed = word.startswith("<") & ~word.rlike(_SIMPLE) & ~word.rlike(_BRACKETED)
    literal = word.startswith('"') & (~word.rlike(_LITERAL) | word.endswith(_STRING))
    return word.isNull() | (word == "") | bracketed | literal | word.startswith("\ufeff") | word.contains("\0")


@contextmanager
def _folder(target: str) -> Generator[Path]:
    """A folder to write to, which takes the target's place if nothing was raised, else it is removed."""
    place = Path(target).resolve()
    temporary = place.with_name(f".isolog-{os.urandom(8).hex()}")
    try:
        yield temporary
        if place.is_dir() and all(each.name.startswith(("part-", "_", ".")) for each in place.iterdir()):
            shutil.rmtree(place)
        elif place.is_dir():
            raise InputError(Finding("E110", f"`{target}`: is a folder", hint="name a file in it"))
        else:
            place.unlink(missing_ok=True)
        temporary.rename(place)
    except OSError as error:
        raise unusable(target, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
