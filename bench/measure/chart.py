"""A chart of `make bench-growth`: the page accesses of each work by the number of accounts, of the smallest size."""

import html
import math

from .growth_report import GOAL, ratio

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 860, 460, 60, 200, 30, 50
_COLOURS = ("#1b6ca8", "#c8553d", "#3c7d3c", "#7a4e9f", "#a67c00", "#2a9d8f", "#8d6e63", "#c2185b", "#546e7a")


def ratios(results):
    """SVG text. The vertical axis ends at 2; a larger ratio stands at its edge with its number."""
    accounts = [size["accounts"] for size in results["sizes"]]
    low, high = math.log10(accounts[0]), math.log10(max(accounts[-1], accounts[0] * 10))

    def x(count):
        return _LEFT + (math.log10(count) - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def y(value):
        return _TOP + (2 - min(2, max(0.5, value))) / 1.5 * (_HEIGHT - _TOP - _BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12" '
             f'role="img" aria-label="Page accesses of a transaction by the number of accounts">',
             f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
             f'<text x="{_LEFT}" y="18">page accesses of a transaction, of those with {accounts[0]:,} accounts</text>']
    for value in (0.5, 1, GOAL, 2):
        stroke = "#c8553d" if value == GOAL else "#ccc"
        parts.append(f'<path d="M{_LEFT} {y(value):.1f}H{_WIDTH - _RIGHT}" stroke="{stroke}"/><text x="8" y="{y(value) + 4:.1f}">{value:g}</text>')
    for count in accounts:
        parts.append(f'<text x="{x(count):.1f}" y="{_HEIGHT - 20}" text-anchor="middle">{count:,}</text>')
    lines = []
    for number, work in enumerate(results["sizes"][0]["works"]):
        values = [ratio(results, size, work, "pages") for size in results["sizes"]]
        if None not in values:
            lines.append((values, work, _COLOURS[number % len(_COLOURS)]))
    last = _TOP
    for values, work, colour in sorted(lines, key=lambda line: -line[0][-1]):
        points = " ".join(f"{x(count):.1f},{y(value):.1f}" for count, value in zip(accounts, values))
        last = max(last + 15, y(values[-1]) - 60)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{_WIDTH - _RIGHT + 10}" y="{last:.1f}" fill="{colour}">{html.escape(work)} {values[-1]:.2f}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
