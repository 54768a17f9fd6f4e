"""Facts in files: what is written is read back, in every format, compressed or not, or refused by name."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from isolog.errors import IsologError
from isolog.facts.dataset import Dataset
from isolog.facts.fields import RDF_TYPE
from isolog.facts.files import read_facts, write_facts
from isolog.facts.terms import Atom, Function, Literal

FILES = ["f.tsv", "f.csv", "f.nt", "f.ttl", "f.parquet", "f.dl"]
COMPRESSED = ["f.tsv.gz", "f.csv.xz", "f.nt.xz", "f.ttl.gz", "f.dl.gz"]
ODD = ["", " ", "<", ">", "<a>", '"', '"a"', "a\tb", "a\nb", "a\r", "\r\n", "\\", "\\t", "a,b", "_:b0", "_:", "_"]
ODD += ["rdf:type", RDF_TYPE, "urn:isolog:x", "urn:isolog:%41", "http://ex.org/a b", "http://ex.org/é", "%", "ä", "𝔸"]
ODD += ["\0", "\ufeff"]
ODD += ["not", "true", "X", "1", "01", "x:y", ".", "a.", "\u2028", "\x85", "{", "^", "`", "'"]

names = st.one_of(st.sampled_from(["ann", "bob", "http://ex.org/ann"]), st.sampled_from(ODD), st.text(max_size=4))
literals = st.builds(
    lambda text, language, datatype: Literal(text, language, None if language else datatype),
    names,
    st.sampled_from([None, None, "en", "de-AT"]),
    st.one_of(st.none(), st.sampled_from(["http://www.w3.org/2001/XMLSchema#date", "d"]), names),
)
constants = st.one_of(names, literals)
plain_facts = st.one_of(
    st.builds(lambda p, a: Atom(p, (a,)), names, constants),
    st.builds(lambda p, a, b: Atom(p, (a, b)), names, constants, constants),
)
terms = st.one_of(constants, st.builds(lambda f, a: Function(f, (a,)), names, constants))
any_facts = st.one_of(plain_facts, st.builds(lambda p, row: Atom(p, tuple(row)), names, st.lists(terms, max_size=3)))


def refusal(action: Callable[[], object]) -> list[str]:
    """The codes of the error that the action ends with, if it does."""
    try:
        action()
    except IsologError as error:
        return [finding.code for finding in error.findings]
    return []


@pytest.mark.parametrize("file", [*FILES, *COMPRESSED])
@given(st.lists(plain_facts, max_size=6))
def test_what_is_written_is_read_back(file: str, facts: list[Atom]) -> None:
    dataset = Dataset.from_facts(facts)
    with TemporaryDirectory() as folder:
        path = Path(folder) / file
        if codes := refusal(lambda: write_facts(dataset, path)):
            assert set(codes) == {"E138"} and not path.exists()
        else:
            assert read_facts(path) == dataset
            assert read_facts(path).sha256 == dataset.sha256


@given(st.lists(any_facts, max_size=6))
def test_datalog_text_says_everything_but_lone_surrogates(facts: list[Atom]) -> None:
    dataset = Dataset.from_facts(facts)
    with TemporaryDirectory() as folder:
        write_facts(dataset, Path(folder) / "f.dl")
        assert read_facts(Path(folder) / "f.dl") == dataset


@given(any_facts)
def test_a_table_refuses_the_fact_or_is_read_back(fact: Atom) -> None:
    dataset = Dataset.from_facts([fact])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "f.tsv"
        if codes := refusal(lambda: write_facts(dataset, path)):
            assert codes == ["E138"] and not path.exists()
        else:
            assert len(fact.arguments) in (1, 2) and read_facts(path) == dataset


iris = st.sampled_from(["http://ex.org/a", "http://ex.org/b", "http://ex.org/é", "urn:x:y"])
objects = st.one_of(iris, st.builds(Literal, st.text(max_size=5), st.sampled_from([None, "en"])))


@given(st.lists(st.builds(lambda p, a, b: Atom(p, (a, b)), iris, iris, objects), max_size=6))
def test_rdf_is_what_another_parser_reads(facts: list[Atom]) -> None:
    dataset = Dataset.from_facts(facts)
    with TemporaryDirectory() as folder:
        for file, form in (("f.nt", "nt"), ("f.ttl", "turtle")):
            write_facts(dataset, Path(folder) / file)
            graph = rdflib.Graph().parse(Path(folder) / file, format=form)
            read = {(str(s), str(p), (str(o), getattr(o, "language", None))) for s, p, o in graph}
            expected = {
                (a, f.name, (b.lexical, b.language) if isinstance(b, Literal) else (b, None))
                for f in dataset
                for a, b in [f.arguments]
            }
            assert read == expected


@given(st.lists(plain_facts, max_size=8), st.randoms(use_true_random=False))
def test_the_hash_is_that_of_the_set(facts: list[Atom], chance: object) -> None:
    shuffled = [*facts, *facts[:2]]
    chance.shuffle(shuffled)  # pyright: ignore[reportAttributeAccessIssue]
    one, other = Dataset.from_facts(facts), Dataset.from_facts(shuffled)
    assert one == other and one.sha256 == other.sha256
    if facts:
        fewer = Dataset.from_facts(f for f in facts if f != facts[0])
        assert fewer != one and fewer.sha256 != one.sha256


@given(st.binary(max_size=80), st.sampled_from(FILES))
def test_any_bytes_are_facts_or_findings(data: bytes, file: str) -> None:
    with TemporaryDirectory() as folder:
        path, cut = Path(folder) / file, Path(folder) / "f.tsv.gz"
        path.write_bytes(data)
        cut.write_bytes(gzip.compress(data)[:-3])
        codes = [*refusal(lambda: read_facts(path)), *refusal(lambda: read_facts(cut))]
        assert "E112" in codes and all(code[:2] in ("E1", "E2") for code in codes)
