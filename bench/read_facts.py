"""How fast facts are read: CPU time and peak memory beside those of iterating pyoxigraph's parser over the same file.

    python bench/read_facts.py [TRIPLES (1000000)] [ROUNDS (3)]

The graph is made up, with the skew of FB15k-237: the most frequent tenth of the nodes are 37 % of the subjects and
54 % of the objects. One triple in twenty is an `rdf:type`, one in ten has a literal. Every reading is a process of its
own; the rounds alternate, and the least CPU time counts, because other work on the machine can only add to it.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from isolog.facts.fields import RDF_TYPE

NODES, PREDICATES, CLASSES = 100_000, 40, 30
XSD = "http://www.w3.org/2001/XMLSchema#"
CALLS = ("pyoxigraph alone", "N-Triples", "TSV")


def triples(count: int) -> Iterator[tuple[str, str, str]]:
    """So many random triples as N-Triples words."""
    chance = random.Random(0)
    popular, cited = list(range(NODES)), list(range(NODES))
    chance.shuffle(popular)
    chance.shuffle(cited)
    for _ in range(count):
        subject = f"<http://data.example.org/resource/Entity_{popular[int(NODES * chance.random() ** 2.3)]}>"
        predicate = f"<http://data.example.org/ontology/property{int(PREDICATES * chance.random() ** 2)}>"
        kind = chance.random()
        if kind < 0.05:
            yield subject, f"<{RDF_TYPE}>", f"<http://data.example.org/ontology/Class{chance.randrange(CLASSES)}>"
        elif kind < 0.15:
            number = chance.randrange(20_000)
            label, date = f'"Entity number {number}"@en', f'"{1700 + number % 300}"^^<{XSD}gYear>'
            yield subject, predicate, chance.choice([label, date, f'"{number}"'])
        else:
            node = cited[int(NODES * chance.random() ** 3.7)]
            yield subject, predicate, f"<http://data.example.org/resource/Entity_{node}>"


def read(call: str, folder: Path) -> tuple[float, float]:
    """CPU seconds of one reading in this process, and the peak memory of the process in MB."""
    if call == "pyoxigraph alone":
        from pyoxigraph import RdfFormat, parse

        start = time.process_time()
        for _ in parse(path=folder / "facts.nt", format=RdfFormat.N_TRIPLES):
            pass
    else:
        from isolog.facts.files import read_facts

        start = time.process_time()
        dataset = read_facts(folder / ("facts.nt" if call == "N-Triples" else "facts.tsv"))
        assert len(dataset)
    return time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(count: int, rounds: int) -> None:
    """Writes the files, reads each in turn, and prints the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open(folder / "facts.nt", "w") as nt, open(folder / "facts.tsv", "w") as tsv:
            for subject, predicate, value in triples(count):
                nt.write(f"{subject} {predicate} {value} .\n")
                tsv.write(
                    "\t".join(word.strip("<>") if word[0] == "<" else word for word in (subject, predicate, value))
                    + "\n"
                )
        results: dict[str, list[tuple[float, float]]] = {call: [] for call in CALLS}
        for _ in range(rounds):
            for call in CALLS:
                command = [sys.executable, __file__, "--one", call, name]
                seconds, peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
                results[call].append((float(seconds), float(peak)))
    best = {call: (min(s for s, _ in runs), max(p for _, p in runs)) for call, runs in results.items()}
    seconds, peak = best[CALLS[0]]
    print(f"{count:,} triples\n{'':20}{'CPU s':>8}{'ratio':>8}{'peak MB':>10}{'ratio':>8}")
    for call, (s, p) in best.items():
        print(f"{call:20}{s:8.2f}{s / seconds:8.2f}{p:10.0f}{p / peak:8.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(*read(sys.argv[2], Path(sys.argv[3])))
    else:
        main(*(int(number) for number in [*sys.argv[1:], *("1000000", "3")[len(sys.argv) - 1 :]]))
