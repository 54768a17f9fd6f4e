"""Shipped encodings: what distinguishes them, what their networks cannot say, and how large their graphs get."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolog.correspondence.transformation import predict
from isolog.datalog.parser import parse, parse_rule
from isolog.datalog.syntax import Program
from isolog.encodings.registry import BASES, find_encoding, resolve
from isolog.engines import reference
from isolog.errors import InputError, LimitError, UnsupportedError
from isolog.facts.dataset import Dataset
from isolog.facts.files import read_facts
from isolog.facts.signature import Signature
from isolog.facts.terms import Atom, Literal, Predicate
from isolog.facts.text import print_atom
from support.encoded import as_dataset, datasets, encoded_networks

SMALL = Signature.of([], ["p", "l", "t"])


def facts(text: str) -> Dataset:
    """The facts in Datalog text."""
    return Dataset.from_facts(rule.head for rule in parse(text))


ONE_WAY = facts("r(a, b).")
R = Signature.of([], ["r"])


def edges(encoding: str, colour: str, dataset: Dataset = ONE_WAY) -> set[str]:
    """The edges of a colour, from the fast path."""
    encoded = as_dataset(find_encoding(encoding, R).encode(dataset))
    return {print_atom(fact) for fact in encoded if fact.name == colour}


def test_printed_pairs_lack_edges_of_pairs_turned_round() -> None:
    assert edges("pairs-printed", "c1") == {"c1(f(a), g(a, b))", "c1(g(a, b), f(a))"}
    assert edges("pairs", "c1") == edges("pairs-printed", "c1") | {"c1(f(b), g(b, a))", "c1(g(b, a), f(b))"}


def test_near_pairs_return_and_do_not_join_constants() -> None:
    dataset = facts("r(a, b). r(c, b).")
    assert "c1(f(a), g(a, c))" in edges("pairs:2", "c1", dataset)
    assert "c1(f(a), g(a, a))" in edges("pairs:2", "c1", dataset)
    assert edges("pairs:2", "c4", dataset) == edges("pairs", "c4", dataset)
    assert edges("pairs:1", "c1", dataset) == edges("pairs", "c1", dataset)


def test_hubs_are_not_in_the_middle_of_paths() -> None:
    dataset = facts("r(a, b). r(b, c). r(c, d).")
    encoded = find_encoding("paths", R, {"hubs": ("b",)}).encode(dataset)
    middles = {encoded.dataset.vocabulary[encoded.terms.numbers[y]] for _, y, _ in encoded.blocks[2].rows.tolist()}
    assert middles == {"a", "c", "d"}


LETTER = """
c(g(X, Y), g(X, Z)) :- A{i}(X), A{j}(Y), X != Y, A{k}(X), A{l}(Z), X != Z, r(Y, Z), Y != Z.
c(g(Y, X), g(Z, X)) :- A{i}(Y), A{j}(X), Y != X, A{k}(Z), A{l}(X), Z != X, r(Y, Z), Y != Z.
U_{i}_{j}_0(g(X, Y)) :- A{i}(X), A{j}(Y), X != Y, not r(X, Y).
U_{i}_{j}_1(g(X, Y)) :- A{i}(X), A{j}(Y), X != Y, r(X, Y).
"""
K_SIGNATURE = Signature.of(["A1", "A2"], ["r"])


@given(datasets(K_SIGNATURE, constants=4, facts=8))
def test_k_gnns_by_the_letter(dataset: Dataset) -> None:
    texts = (LETTER.format(i=i, j=j, k=k, l=m) for i, j, k, m in product((1, 2), repeat=4))
    letter = Program(tuple(rule for text in texts for rule in parse(text)))
    encoding = find_encoding("kgnn", K_SIGNATURE)
    assert (
        reference.run(letter, dataset)
        == as_dataset(encoding.encode(dataset))
        == reference.run(encoding.encoder, dataset)
    )
    assert not encoding.is_monotone


@given(st.data())
def test_pairs_do_not_tell_a_path_from_two_that_cross(data: st.DataObject) -> None:
    """Joined crosswise, two copies give every pair vertex of one the neighbours that it had, and no path beside `l`."""
    network = data.draw(encoded_networks("pairs:2", SMALL, max_layers=3))
    joined = facts("p(x, y). p(y, z). l(x, z).")
    crossed = facts("p(x1, y1). p(y1, z2). l(x1, z1). p(x2, y2). p(y2, z1). l(x2, z2).")
    rule = Program((parse_rule("t(X, Z) :- p(X, Y), p(Y, Z), l(X, Z)."),))
    assert list(reference.run(rule, joined)) == [Atom("t", ("x", "z"))] and not len(reference.run(rule, crossed))
    if Atom("t", ("x", "z")) in predict(network, joined):
        assert Atom("t", ("x1", "z1")) in predict(network, crossed)


def test_modifiers_add_what_no_decoder_emits() -> None:
    encoding = find_encoding("pairs+inverses+nominals+domains", R, {"nominals": ("b", '"ann"@en', "elsewhere")})
    assert encoding.features == ("is:b/1", 'is:"ann"@en/1', "is:elsewhere/1", "thing/1", "r/2", "inv:r/2")
    assert {rule.head.predicate for rule in encoding.decoder} == {Predicate("r", 2)}
    dataset = Dataset.from_facts([Atom("r", ("b", Literal("ann", "en")))])
    marks = {print_atom(fact) for fact in as_dataset(encoding.encode(dataset)) if "is:" in fact.name}
    assert marks == {"<is:b/1>(f(b))", r'<is:\u0022ann\u0022@en/1>(f("ann"@en))'}


def test_the_most_frequent_constants_are_nominals() -> None:
    dataset = facts("r(a, b). r(c, b). r(b, b). r(c, c).")
    assert resolve("pairs:2+nominals:2+inverses", dataset) == ("pairs:2+nominals+inverses", {"nominals": ("b", "c")})
    assert resolve("canonical", dataset) == ("canonical", {})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pears", "E307 the encoding `pears` is not implemented"),
        ("pairs+pairs", "E307"),
        ("inverses", "E307"),
        ("pairs+inverses+inverses", "E307"),
        ("kgnn:3", "E307"),
        ("paths:1", "E307 a path has at least two links"),
        ("kgnn", "E267 `kgnn` needs unary predicates and one binary predicate, and there are 0 and 1"),
    ],
)
def test_names_that_are_not_implemented(name: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        find_encoding(name, R)


def test_missing_and_clashing_parts() -> None:
    with pytest.raises(InputError, match="E264"):
        find_encoding("pairs+nominals", R)
    with pytest.raises(InputError, match="E263 `domains` adds the predicate `thing/1`"):
        find_encoding("pairs+domains", Signature.of(["thing"], ["r"]))
    assert set(BASES) == {"canonical", "pairs", "pairs-printed", "indigo", "paths", "all-pairs", "kgnn"}


def test_a_graph_that_is_too_large_is_refused_beforehand() -> None:
    dataset = Dataset.from_facts(Atom("r", (f"c{n}", f"c{n + 1}")) for n in range(3000))
    with pytest.raises(LimitError, match=r"E266 `all-pairs` makes .* 9,009,002 vertices and 54,036,006 edges"):
        find_encoding("all-pairs", R).encode(dataset, most_bytes=1 << 30)
    star = Dataset.from_facts(Atom("r", ("hub", f"c{n}")) for n in range(3000))
    with pytest.raises(LimitError, match="E266 `paths`"):
        find_encoding("paths", R).encode(star, most_bytes=1 << 30)
    assert find_encoding("paths", R, {"hubs": ("hub",)}).encode(star, most_bytes=1 << 30).graph.vertices == 12_002


@pytest.mark.parametrize("name", ["all-pairs", "kgnn"])
def test_three_hundred_constants_are_no_matter(name: str) -> None:
    random = np.random.default_rng(0)
    some = [Atom("r", (f"c{a}", f"c{b}")) for a, b in random.integers(0, 300, (900, 2))]
    dataset = Dataset.from_facts([*some, *(Atom("A", (f"c{n}",)) for n in range(300))])
    graph = find_encoding(name, Signature.of(["A"], ["r"])).encode(dataset).graph
    assert graph.vertices == {"all-pairs": 300 + 300**2, "kgnn": 300 * 299}[name]


@pytest.mark.data
def test_pairs_are_those_of_the_published_encoder(data: Path) -> None:
    dataset = read_facts(data / "grail/WN18RRv1/train_graph.tsv.gz")
    encoding = find_encoding("pairs", Signature.from_dataset(dataset))
    graph = encoding.encode(dataset).graph
    assert graph.vertices == 10_820 and len(encoding.features) == 9
    assert sum(len(colour.targets) for colour in graph.colours) == 48_480


@pytest.mark.data
def test_near_pairs_of_real_data(data: Path) -> None:
    dataset = read_facts(data / "grail/fb237v4/test_graph.tsv.gz")
    encoded = find_encoding("pairs:2", Signature.from_dataset(dataset)).encode(dataset)
    assert len(encoded.blocks[1]) == 486_124
    assert Fraction(len(encoded.blocks[1])) == sum(encoded.graph.colours[0].degrees[encoded.blocks[1].first :])
