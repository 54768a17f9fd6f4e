"""The report: one HTML file that says what a model is, how good it is, which program it is and why it derives what."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from importlib.resources import files
from itertools import accumulate
from typing import Any

from isolog.report.charts import Axis, Point, curve_chart, scatter_chart

MOST_BYTES = 4_500_000
"""As much as proofs may take, so that a file stays below five megabytes."""
CHANGES = ("gained", "lost", "undecided", "kept")
SPECIAL = (
    "With {number} of them stands a rule with conditions that it may not need: the time for finding out was over, "
    "and `isolog report --seconds` gives more."
)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule with its size, how many facts it derives, and how many of those are known to be true, if that is known."""

    text: str
    atoms: int
    support: int
    precision: float | None


@dataclass(frozen=True, slots=True)
class FactRow:
    """A derived fact with the rule and the facts that it comes from; `known` says whether it is given, true, new, ….

    `general` says that the rule has no condition of which it was not tried whether the rule needs it.
    """

    fact: str
    rule: str
    facts: tuple[str, ...]
    minimal: bool
    known: str
    general: bool = True


@dataclass(frozen=True, slots=True)
class Contents:
    """All that a report shows. `numbers` are cards of a name and a value.

    `notes` are sentences about the program, `remarks` about the derived facts. `changes` are the rules gained, lost, …
    since the model that this one was trained from.
    """

    title: str
    about: Sequence[str]
    numbers: Mapping[str, str]
    rules: Sequence[RuleRow]
    notes: Sequence[str]
    facts: Sequence[FactRow]
    derived: int
    precision_recall: Sequence[tuple[float, float]] = ()
    curve: Sequence[Mapping[str, float]] = ()
    front: Sequence[Mapping[str, Any]] = ()
    remarks: Sequence[str] = ()
    changes: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


def build(contents: Contents) -> str:
    """The file: complete in itself, without any request to elsewhere."""
    facts = _fitting(contents.facts)
    data = {"rules": [asdict(rule) for rule in contents.rules], "facts": facts}
    told = "".join(f"<p>{escape(line)}</p>" for line in contents.about)
    cards = "".join(
        f'<div class="card"><b>{escape(value)}</b><span>{escape(name)}</span></div>'
        for name, value in contents.numbers.items()
    )
    body = [
        f"<h1>{escape(contents.title)}</h1>",
        '<nav><a href="#model">Model</a><a href="#scores">Scores</a><a href="#program">Program</a>'
        '<a href="#derived">Derived facts</a></nav>',
        f'<section id="model"><h2>Model</h2>{told}<div class="cards">{cards}</div></section>',
        _charts(contents),
        _program(contents),
        _derived(contents, facts),
    ]
    return _page(contents.title, "\n".join(body), data)


def _charts(contents: Contents) -> str:
    charts: list[str] = []
    if contents.precision_recall:
        points = [Point(recall, precision) for recall, precision in contents.precision_recall]
        share = Axis("recall", 0, 1), Axis("precision", 0, 1)
        charts.append(curve_chart("precision over recall", *share, points))
    if contents.curve:
        points = [Point(float(moment["epoch"]), float(moment["score"])) for moment in contents.curve]
        epochs = Axis("epoch", 0, max(point.x for point in points))
        charts.append(curve_chart("held-out score while learning", epochs, Axis("held-out score", 0, 1), points))
    admitted = [point for point in contents.front if point["concept_nodes"]]
    if admitted:
        nodes = [float(point["concept_nodes"]) for point in admitted]
        accuracies = [float(point["accuracy"]) for point in admitted]
        points = [
            Point(node, accuracy, f"sparsity {each['sparsity']}, bits {each['bits']}", bool(each["chosen"]))
            for node, accuracy, each in zip(nodes, accuracies, admitted, strict=True)
        ]
        size = Axis("concepts in the program", min(nodes), max(nodes), logarithmic=True)
        accuracy = Axis("held-out accuracy", min(accuracies), max(accuracies))
        charts.append(scatter_chart("accuracy against program size", size, accuracy, points))
    if not charts:
        return '<section id="scores"></section>'
    return f'<section id="scores"><h2>Scores</h2><div class="charts">{"".join(charts)}</div></section>'


def _program(contents: Contents) -> str:
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in contents.notes)
    heads = _heads(
        ("text", "Rule", ""), ("atoms", "Atoms", ""), ("support", "Derives", "no"), ("precision", "True", "no")
    )
    table = _table("rules", "rule", heads)
    return f'<section id="program"><h2>Program</h2>{notes}{table}{_changes(contents.changes)}</section>'


def _changes(changes: Mapping[str, Sequence[str]]) -> str:
    """The rules that came and went since an earlier network, each kind to be opened."""
    if not changes:
        return ""
    lists = "".join(
        f"<details{' open' if kind != 'kept' else ''}><summary>{len(rules):,} {kind}</summary>"
        f'<ul class="mono">{"".join(f"<li>{escape(rule)}</li>" for rule in rules)}</ul></details>'
        for kind in CHANGES
        if (rules := changes.get(kind))
    )
    return f'<div id="changes"><p>Rules since the model that this one was trained from:</p>{lists}</div>'


def _derived(contents: Contents, shown: Sequence[Mapping[str, Any]]) -> str:
    note = f"{contents.derived:,} facts are derived"
    note += "." if len(shown) == contents.derived else f"; {len(shown):,} of them are shown with their proofs."
    special = sum(not fact["general"] for fact in shown)
    cut = [f"{SPECIAL.format(number=f'{special:,}')} They are marked."] if special else []
    told = "".join(f'<p class="note">{escape(remark)}</p>' for remark in (note, *contents.remarks, *cut))
    heads = _heads(("fact", "Fact", ""), ("size", "From", ""), ("minimal", "Fewest", ""), ("known", "Known", ""))
    body = _table("facts", "fact or rule", heads)
    return f'<section id="derived"><h2>Derived facts</h2>{told}{body}</section>'


def _heads(*columns: tuple[str, str, str]) -> str:
    return "".join(
        f'<th data-key="{key}" data-up="{up}" class="{"" if place == 0 else "number"}"><button>{name}</button></th>'
        for place, (key, name, up) in enumerate(columns)
    )


def _table(name: str, what: str, heads: str) -> str:
    search = f"search {what}"
    return (
        f'<div class="bar" data-for="{name}"><input type="search" aria-label="{search}" placeholder="{search}">'
        '<button class="plain" data-step="-1">previous</button><button class="plain" data-step="1">next</button>'
        f'<output></output></div>\n<div class="scroll"><table id="{name}"><thead><tr>{heads}</tr></thead>'
        "<tbody></tbody></table></div>"
    )


def _fitting(facts: Sequence[FactRow]) -> list[dict[str, Any]]:
    """The rows, or if they are too many for one file, some of them from all over."""
    rows = [{**asdict(fact), "size": len(fact.facts)} for fact in facts]
    sizes = [len(_embedded(row).encode()) + 2 for row in rows]
    share = min(1.0, MOST_BYTES / max(1, sum(sizes)))
    places = [place for place in range(len(rows)) if int((place + 1) * share) > int(place * share)]
    ends = accumulate(sizes[place] for place in places)
    return [rows[place] for place, end in zip(places, ends, strict=True) if end <= MOST_BYTES]


def _page(title: str, body: str, data: dict[str, Any]) -> str:
    style, script = (files("isolog.report").joinpath(name).read_text("utf-8") for name in ("style.css", "script.js"))
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>\n'
        f'<body>\n{body}\n<script type="application/json" id="found">{_embedded(data)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _embedded(value: Any) -> str:
    """JSON in which no tag or comment of HTML begins, so that it can stand inside a page."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
