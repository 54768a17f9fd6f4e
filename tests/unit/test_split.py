"""Splits: made of a dataset, written and read in the benchmark layout, and read as a `split.yaml` describes."""

from __future__ import annotations

import gzip
from itertools import combinations
from pathlib import Path

import pytest

from isolog.errors import InputError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.family import generate_family
from isolog.facts.signature import Signature
from isolog.facts.split import Part, Split, split
from isolog.facts.split_files import read_split, write_split
from isolog.facts.terms import Atom, Literal

FAMILY = generate_family(persons=400, seed=2).facts


def facts(*names: str) -> Dataset:
    """Facts of one predicate about these terms."""
    return Dataset.from_facts([Atom("A", (name,)) for name in names])


def test_parts_share_no_term_and_no_fact_is_made_up() -> None:
    made = split(FAMILY, seed=5)
    for one, other in combinations(made.parts.values(), 2):
        assert not set(one.graph.terms) & set(other.graph.terms)
    for part in made.parts.values():
        assert part.graph | part.positives <= FAMILY
        assert not len(part.graph & part.positives)
        assert set(part.positives.terms) <= set(part.graph.terms)
        inside = [fact for fact in FAMILY if set(fact.arguments) <= set(part.graph.terms)]
        assert Dataset.from_facts(inside) == part.graph | part.positives


def test_sizes() -> None:
    made = split(FAMILY)
    assert [len(part.graph.terms) for part in made.parts.values()] == [280, 40, 80]
    for name, part in made.parts.items():
        assert len(part.positives) == round((len(part.graph) + len(part.positives)) / 10)
        false = [fact for fact in part.positives if fact.name != "person"]  # everybody is a person
        assert len(part.negatives) == (0 if name == "train" else len(false))
        assert not len(part.negatives & FAMILY)
        assert {fact.name for fact in part.negatives} == (set() if name == "train" else {fact.name for fact in false})
        assert set(part.negatives.terms) <= set(part.graph.terms)


def test_the_seed_and_the_facts_decide_and_not_their_order() -> None:
    backwards = Dataset.from_facts(reversed(list(FAMILY)))
    assert split(FAMILY, seed=3) == split(backwards, seed=3) != split(FAMILY, seed=4)


def test_too_few_facts() -> None:
    with pytest.raises(InputError, match="E141 3 facts leave no targets for `train`"):
        split(facts("a", "b", "c"))


def test_written_and_read_back(tmp_path: Path) -> None:
    made = split(FAMILY, seed=1)
    write_split(made, tmp_path / "new" / "split")
    assert read_split(tmp_path / "new" / "split") == made
    with pytest.raises(InputError, match="E330 the folder is not empty"):
        write_split(made, tmp_path / "new" / "split")


def test_names_with_commas_and_line_breaks_are_read_back(tmp_path: Path) -> None:
    odd, nothing = Dataset.from_facts([Atom("a,2\nb", ("x", "y")), Atom("\\", ("x",))]), Dataset.empty()
    empty = Part(nothing, nothing, nothing)
    made = Split(Signature.from_dataset(odd), Part(odd, odd, odd), empty, empty)
    write_split(made, tmp_path / "odd")
    assert read_split(tmp_path / "odd") == made


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    wide = Dataset.from_facts([Atom("t", ("a", "b", "c"))])
    part = Part(wide, wide, wide)
    with pytest.raises(UnsupportedError, match="E138"):
        write_split(Split(Signature.from_dataset(wide), part, part, part), tmp_path / "wide")
    assert list(tmp_path.iterdir()) == []


def test_a_description_names_the_files(tmp_path: Path) -> None:
    folder, nothing = tmp_path / "data", Dataset.empty()
    folder.mkdir()
    (folder / "graph.nt").write_text('<u:a> <u:r> "1" .\n')
    (folder / "more.tsv").write_text("a\trdf:type\tA\n")
    for name in ("goal", "valid", "test", "wrong"):
        (folder / f"{name}.txt.gz").write_bytes(gzip.compress(f"{name}\trdf:type\tA\n".encode()))
    yaml = tmp_path / "my.yaml"
    yaml.write_text("graph: [graph.nt, more.tsv]\ntargets: goal.txt\nvalid: valid.txt\ntest: test.txt\n")
    read = read_split(folder, description=yaml)
    graph = Dataset.from_facts([Atom("A", ("a",)), Atom("u:r", ("u:a", Literal("1")))])
    assert read.train == Part(graph, facts("goal"), nothing)
    assert (read.valid, read.test) == (Part(graph, facts("valid"), nothing), Part(graph, facts("test"), nothing))
    assert read.signature == Signature.of(["A"], ["u:r"])

    (folder / "split.yaml").write_text(
        "graph: {train: graph.nt, test: more.tsv}\nnegatives: {valid: wrong.txt, test: [wrong.txt, goal.txt]}\n"
    )
    read = read_split(folder, literals="names")
    assert list(read.train.graph) == [Atom("u:r", ("u:a", "1"))] and read.valid.graph == nothing
    assert read.test == Part(facts("a"), nothing, facts("wrong", "goal"))
    assert read.valid.negatives == facts("wrong")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "graf: a.tsv\ntest: b.tsv\n",
            ["E144 unknown key `graf`", "mean `graph`", "E144 `test` names `b.tsv`"],
        ),
        ("graph: 7\nnegatives: {tset: a.tsv}\n", ["E144 `graph` must name a file", "unknown part `negatives.tset`"]),
        ("test: a.tsv\n", ["E144 the key `graph` is missing"]),
        ("graph: [a.tsv\n", ["E144 broken YAML", "split.yaml:2:1"]),
        ("a.tsv\n", ["E144 the file has no keys"]),
    ],
)
def test_wrong_descriptions(tmp_path: Path, text: str, messages: list[str]) -> None:
    (tmp_path / "a.tsv").write_text("a\tr\tb\n")
    (tmp_path / "split.yaml").write_text(text)
    with pytest.raises(InputError) as raised:
        read_split(tmp_path)
    for message in messages:
        assert message in str(raised.value)


def test_what_is_wrong_in_any_file_comes_at_once(tmp_path: Path) -> None:
    (tmp_path / "train_graph.tsv").write_text("a\tr\n")
    (tmp_path / "test_pos.tsv").write_text("a\tr\n")
    (tmp_path / "predicates.csv").write_text("r,2\ns\nt,3\n")
    with pytest.raises(InputError) as raised:
        read_split(tmp_path)
    for place in ("train_graph.tsv:1", "test_pos.tsv:1", "predicates.csv:2", "predicates.csv:3"):
        assert place in str(raised.value)


def test_no_split(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"E142 .* has no `train_graph.tsv`"):
        read_split(tmp_path)
    with pytest.raises(InputError, match=r"E142 .*no such folder"):
        read_split(tmp_path / "nowhere")


@pytest.mark.data
def test_a_published_benchmark(data: Path) -> None:
    read = read_split(data / "grail" / "WN18RRv1")
    assert (len(read.train.graph), len(read.test.graph)) == (4918, 1641)
    assert (len(read.train.positives), len(read.test.positives), len(read.test.negatives)) == (492, 165, 165)
    assert read.signature.binary[0] == "_hypernym" and len(read.signature.predicates) == 9


@pytest.mark.data
def test_node_classification_by_a_description(data: Path, tmp_path: Path) -> None:
    description = tmp_path / "aifb.yaml"
    description.write_text("graph: graph.nt\ntargets: train.tsv\ntest: test_pos.tsv\nnegatives: test_neg.tsv\n")
    folder = data / "node-classification" / "aifb"
    read = read_split(folder, description=description)
    as_names = read_split(folder, description=description, literals="names")
    assert (len(read.train.positives), len(read.test.positives)) == (140, 36)
    assert (len(read.train.graph.terms), len(as_names.train.graph.terms)) == (8279, 8278)
