"""Proof trees as pictures: the conclusion on the left, what it is drawn from to the right of it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from isolog.correspondence.proof_tree import DATA, Tree

_ROW, _GAP, _PAD, _CHARACTER, _WIDEST = 44, 48, 12, 7.2, 46


@dataclass(frozen=True, slots=True)
class _Box:
    tree: Tree
    left: float
    top: float
    width: float
    below: tuple[_Box, ...]

    @property
    def middle(self) -> float:
        """Where lines meet the box."""
        return self.top + _ROW / 2 - 5


_STYLE = (
    ".box{fill:#fff;stroke:#8c959f}.fact{fill:#eaeef2}.edge{fill:none;stroke:#8c959f}"
    "text{fill:#1f2328}.by{fill:#59636e;font-size:10px}.rule{fill:#6e7781}"
    "@media(prefers-color-scheme:dark){.box{fill:#161b22}.fact{fill:#2a313c}text{fill:#e6edf3}.by,.rule{fill:#9ea7b3}}"
)


def proof_svg(tree: Tree, rule: str = "") -> str:
    """The picture, in one SVG element; what is written in boxes is readable on any ground.

    The rule stands above the tree.
    """
    widths: list[float] = []
    _measure(tree, 0, widths)
    box, height = _place(tree, 0, _ROW * 0.6 if rule else 0.0, widths)
    width = max(sum(widths) + _GAP * (len(widths) - 1), len(rule) * _CHARACTER) + 2
    caption = f'<text class="rule" x="1" y="12">{escape(rule)}</text>' if rule else ""
    parts = caption + "".join(_drawn(box))
    label = escape(f"proof of {tree.conclusion}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'viewBox="0 -1 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        'font-family="ui-monospace, monospace" font-size="12">'
        f"<style>{_STYLE}</style>{parts}</svg>"
    )


def _measure(tree: Tree, depth: int, widths: list[float]) -> None:
    if depth == len(widths):
        widths.append(0)
    longest = max(len(_short(tree.conclusion)), 0.85 * len(_short(tree.by)) if tree.by != DATA else 0)
    widths[depth] = max(widths[depth], longest * _CHARACTER + 2 * _PAD)
    for premise in tree.premises:
        _measure(premise, depth + 1, widths)


def _place(tree: Tree, depth: int, top: float, widths: list[float]) -> tuple[_Box, float]:
    """The box with all that is right of it, and where the next one may begin."""
    boxes: list[_Box] = []
    bottom = top
    for premise in tree.premises:
        box, bottom = _place(premise, depth + 1, bottom, widths)
        boxes.append(box)
    bottom = max(bottom, top + _ROW)
    left = sum(widths[:depth]) + _GAP * depth + 1
    middle = (boxes[0].top + boxes[-1].top) / 2 if boxes else top
    return _Box(tree, left, middle, widths[depth], tuple(boxes)), bottom


def _drawn(box: _Box) -> list[str]:
    parts: list[str] = []
    waiting = [box]
    for each in waiting:
        kind = "box fact" if each.tree.by == DATA else "box"
        parts.append(
            f'<g><title>{escape(each.tree.conclusion)}&#10;{escape(each.tree.by)}</title><rect class="{kind}" '
            f'x="{each.left:.0f}" y="{each.top:.0f}" width="{each.width:.0f}" height="{_ROW - 10}" rx="5"/>'
        )
        has_reason = each.tree.by != DATA
        line = each.top + (14 if has_reason else 21)
        parts.append(f'<text x="{each.left + _PAD:.0f}" y="{line:.0f}">{escape(_short(each.tree.conclusion))}</text>')
        if has_reason:
            by = escape(_short(each.tree.by))
            parts.append(f'<text class="by" x="{each.left + _PAD:.0f}" y="{each.top + 27:.0f}">{by}</text>')
        parts.append("</g>")
        for below in each.below:
            start, end = each.left + each.width, below.left
            bend = (start + end) / 2
            parts.append(
                f'<path class="edge" d="M{start:.0f} {each.middle:.0f}C{bend:.0f} {each.middle:.0f} {bend:.0f} '
                f'{below.middle:.0f} {end:.0f} {below.middle:.0f}"/>'
            )
        waiting += each.below
    return parts


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
