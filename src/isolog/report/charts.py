"""Charts as inline SVG: curves and scattered points over two axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 420, 260, 52, 40, 14, 14


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis shows, and from where to where; a logarithmic one shows numbers of at least 1."""

    name: str
    low: float
    high: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        low, high, at = self.low, self.high, value
        if self.logarithmic:
            low, high, at = (math.log10(max(1.0, each)) for each in (low, high, value))
        return 0.5 if high <= low else min(1.0, max(0.0, (at - low) / (high - low)))

    def ticks(self) -> list[float]:
        """A few values that are shown along the axis."""
        if self.logarithmic:
            first, last = (math.floor(math.log10(max(1.0, each))) for each in (self.low, self.high))
            return [10.0**n for n in range(first, last + 1)] or [self.low]
        return [self.low + (self.high - self.low) * n / 4 for n in range(5)]


@dataclass(frozen=True, slots=True)
class Point:
    """A point with what is said of it; a marked one stands out."""

    x: float
    y: float
    label: str = ""
    marked: bool = False


def curve_chart(title: str, x: Axis, y: Axis, points: Sequence[Point]) -> str:
    """A line through the points.

    >>> "polyline" in curve_chart("c", Axis("x", 0, 1), Axis("y", 0, 1), [Point(0, 0), Point(1, 1)])
    True
    """
    path = " ".join(f"{_x(x, point.x):.1f},{_y(y, point.y):.1f}" for point in points)
    return _frame(title, x, y, f'<polyline class="line" points="{path}"/>')


def scatter_chart(title: str, x: Axis, y: Axis, points: Sequence[Point]) -> str:
    """The points, each with its label as a tooltip."""
    return _frame(title, x, y, "".join(_dot(x, y, point) for point in points))


def _dot(x: Axis, y: Axis, point: Point) -> str:
    kind, radius = ("dot marked", 6) if point.marked else ("dot", 4)
    place = f'cx="{_x(x, point.x):.1f}" cy="{_y(y, point.y):.1f}" r="{radius}"'
    return f'<circle class="{kind}" {place}><title>{escape(point.label)}</title></circle>'


def _frame(title: str, x: Axis, y: Axis, inside: str) -> str:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = [f'<path class="axis" d="M{_LEFT} {_TOP}V{bottom}H{right}"/>']
    for tick in x.ticks():
        at = _x(x, tick)
        parts.append(f'<text class="tick" x="{at:.1f}" y="{bottom + 15}" text-anchor="middle">{_shown(tick)}</text>')
    for tick in y.ticks():
        at = _y(y, tick)
        parts.append(f'<text class="tick" x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{_shown(tick)}</text>')
    middle = (_LEFT + right) / 2
    parts.append(f'<text x="{middle:.0f}" y="{_HEIGHT - 6}" text-anchor="middle">{escape(x.name)}</text>')
    turned = f'transform="translate(12 {(_TOP + bottom) / 2:.0f}) rotate(-90)" text-anchor="middle"'
    parts.append(f"<text {turned}>{escape(y.name)}</text>")
    label = escape(title, quote=True)
    return (
        f'<svg class="chart" role="img" aria-label="{label}" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f"<title>{escape(title)}</title>{''.join(parts)}{inside}</svg>"
    )


def _x(axis: Axis, value: float) -> float:
    return _LEFT + axis.place(value) * (_WIDTH - _LEFT - _RIGHT)


def _y(axis: Axis, value: float) -> float:
    return _HEIGHT - _BOTTOM - axis.place(value) * (_HEIGHT - _BOTTOM - _TOP)


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2f}"
