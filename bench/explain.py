"""How fast derived facts are explained, how small, and how many minima are proven.

    ISOLOG_DATA=… python bench/explain.py [FACTS (all)] [SECONDS A FACT (2)]

First, `isolog explain --all` as a whole, on a network that is trained on WN18RRv1: the facts, rules, proofs and their
text for everything that it derives on the test graph, and the same for some of its facts one by one, side by side.

Then a network of somebody else: the published fb237v1_maxmax_without_dummies at probability 0.1, on the test graph. Its
published explanations are ten rules; for the same facts, how many body atoms are needed is compared.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from isolog.cli.app import main as command_line
from isolog.cli.explain import explanation_json
from isolog.correspondence.derivations import Derivations
from isolog.correspondence.explain import Explainer
from isolog.correspondence.smallest_sets import answered, minimal_set
from isolog.correspondence.transformation import predict
from isolog.facts.files import read_facts
from isolog.facts.terms import Atom
from isolog.networks.foreign import read_foreign
from isolog.networks.model_folder import read_model
from isolog.networks.network import EncodingName, Network

NAME = "fb237v1_maxmax_without_dummies"
PUBLISHED = "peer-models/davala-9_original/explanations/fb237v1-max-max-monotonic-iclr22-without_dummies.txt"


def published(path: Path) -> list[tuple[Atom, int]]:
    """The facts with published rules, and how many body atoms these have."""
    found: list[tuple[Atom, int]] = []
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    for fact, rule in zip(lines[::2], lines[1::2], strict=True):
        subject, predicate, value = re.findall(r"'([^']*)'", fact)
        found.append((Atom(predicate, (subject, value)), rule.count("[") - 1))
    return found


def trained(folder: Path, model: Path) -> Network:
    """A small network that is trained on the split in the folder."""
    options = ["--encoding", "pairs", "--hidden", "8", "--sparsity", "0.2", "--bits", "2", "--seed", "1", "--quiet"]
    assert command_line(["train", str(folder), "-o", str(model), *options]) == 0
    return read_model(model)


def all_at_once(folder: Path) -> None:
    """Prints what `isolog explain --all` takes a fact, loading and encoding apart."""
    with TemporaryDirectory() as place:
        network = trained(folder, Path(place) / "model")
    facts = read_facts(folder / "test_graph.tsv")
    explainer = Explainer(network, facts)
    start = time.process_time()
    derived = list(predict(network, facts))
    found = list(explainer.all(derived))
    middle = time.process_time()
    size = sum(len(json.dumps(explanation_json(each))) for each in found)
    end = time.process_time()
    number, rules, proven = len(derived), len({each.rule for each in found}), sum(each.minimal for each in found)
    together, told = 1000 * (middle - start) / number, 1000 * (end - middle) / number
    print(f"WN18RRv1: {number:,} facts by {rules} rules, {proven / number:.1%} proven minimal")
    print(f"all at once, facts, rules and proofs: {together:.2f} ms of processor time a fact")
    print(f"as {size:,} characters of JSON: {told:.2f} ms more")
    some = random.Random(0).sample(derived, min(100, number))
    start = time.process_time()
    for fact in some:
        assert Explainer(network, facts).explain(fact) is not None
    encoded = time.process_time()
    for _ in some:
        Explainer(network, facts)
    alone = 1000 * (2 * encoded - start - time.process_time()) / len(some)
    print(f"one by one, nothing shared: {alone:.2f} ms a fact, ratio {alone / together:.1f}")


def main() -> None:
    """Prints the figures."""
    data = Path(os.environ["ISOLOG_DATA"])
    all_at_once(data / "grail/WN18RRv1")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else None
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
    network = read_foreign(
        data / f"peer-models/{NAME}.json", probability=Fraction(1, 10), encoding=EncodingName("pairs")
    )
    facts = read_facts(data / "grail/fb237v1/test_graph.tsv.gz")
    explainer = Explainer(network, facts)
    derived = list(predict(network, facts))
    random.Random(0).shuffle(derived)
    derived = derived[:count]
    first = 0.0
    for fact in derived:
        start = time.process_time()
        near = explainer.near(fact)
        asked = Derivations(explainer.output(fact.predicate), fact, near)
        assert answered(minimal_set(range(len(near))), asked.holds) is not None
        first += time.process_time() - start
    start = time.process_time()
    sizes: Counter[int] = Counter()
    proven = 0
    for fact in derived:
        (reason,) = explainer.smallest([fact], seconds)
        assert reason is not None, f"{fact} is derived, and has no explanation"
        sizes[len(reason.facts)] += 1
        proven += reason.minimal
    total = time.process_time() - start
    number = len(derived)
    mean = sum(size * times for size, times in sizes.items()) / number
    print(f"{number} facts, all explained; first explanation {1000 * first / number:.1f} ms of processor time a fact")
    print(f"the fewest facts: {1000 * total / number:.1f} ms a fact, proven for {proven / number:.1%}, mean {mean:.2f}")
    print("by size:", ", ".join(f"{size}: {times}" for size, times in sorted(sizes.items())))
    worse = 0
    for fact, atoms in published(data / PUBLISHED):
        (reason,) = explainer.smallest([fact], seconds)
        ours = len(reason.facts) if reason is not None else None
        worse += ours is None or ours > atoms
        print(f"published rule of {atoms} atoms, here {ours} facts")
    print(f"{worse} of them larger here")


if __name__ == "__main__":
    main()
